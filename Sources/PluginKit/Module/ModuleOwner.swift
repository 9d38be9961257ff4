/// The owner of a route, target, service, observer or page.
///
/// Every entry has one, so that all entries of a module can be removed at once.
public struct ModuleOwner: Hashable, Sendable, CustomStringConvertible {
  /// The module's identifier; nil for the host.
  public let identifier: String?
  /// The number of the context that a module acts through; 0 for an owner that is only named.
  ///
  /// Whatever removes a module closes all of its contexts so far. A context that is made afterwards can register again,
  /// and an old one cannot, although both act for the same module.
  let admission: Int

  private init(_ identifier: String?, _ admission: Int) {
    self.identifier = identifier
    self.admission = admission
  }

  /// The host: the program itself.
  public static let host = ModuleOwner(nil, 0)

  /// The module with this identifier.
  public static func module(_ identifier: String) -> ModuleOwner { ModuleOwner(identifier, 0) }

  /// The same owner, as it acts through a context, or with all of its contexts up to this one.
  func admitted(_ number: Int) -> ModuleOwner { identifier == nil ? self : ModuleOwner(identifier, number) }

  /// Two owners are equal if they are the same module, or both the host.
  public static func == (one: ModuleOwner, other: ModuleOwner) -> Bool { one.identifier == other.identifier }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// `host`, or the identifier.
  public var description: String { identifier ?? "host" }
}

/// The modules that were removed, each with its contexts up to the removal.
///
/// Each table keeps its own set under the lock of its entries. So nothing can happen between the check and the
/// registration.
struct RemovedOwners: Sendable {
  private var admissions: [ModuleOwner: Int] = [:]

  func contains(_ owner: ModuleOwner) -> Bool { admissions[owner].map { owner.admission <= $0 } ?? false }

  /// Closes an owner's contexts up to the one that it acts through.
  mutating func insert(_ owner: ModuleOwner) {
    admissions[owner] = max(admissions[owner] ?? 0, owner.admission)
  }

  /// - Throws: `module.removed`.
  func checkPresent(_ owner: ModuleOwner) throws(PluginError) {
    guard !contains(owner) else {
      throw PluginError(.moduleRemoved, "\(owner)", "was removed, and can no longer register or observe anything")
    }
  }
}
