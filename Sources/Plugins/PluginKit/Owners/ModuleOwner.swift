/// The owner of a route, target, service, observer or page.
///
/// Every entry has one, so that all entries of a module can be removed at once.
public struct ModuleOwner: Hashable, Sendable, CustomStringConvertible {
  /// The module's identifier; nil for the host.
  public let identifier: String?
  /// The admission of the module in which it acts; 0 for an owner that is only named.
  ///
  /// A module that was removed can be admitted again. Code that holds a context from before its removal is that of the
  /// removed release, so that context stays closed, although both act for the same module.
  let admission: Int

  private init(_ identifier: String?, _ admission: Int) {
    self.identifier = identifier
    self.admission = admission
  }

  /// The host: the program itself.
  public static let host = ModuleOwner(nil, 0)

  /// The module with this identifier.
  public static func module(_ identifier: String) -> ModuleOwner { ModuleOwner(identifier, 0) }

  /// The same owner, as it acts in an admission, or with all of its admissions up to this one.
  func admitted(_ number: Int) -> ModuleOwner { identifier == nil ? self : ModuleOwner(identifier, number) }

  /// Two owners are equal if they are the same module, or both the host.
  public static func == (one: ModuleOwner, other: ModuleOwner) -> Bool { one.identifier == other.identifier }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// `host`, or the identifier.
  public var description: String { identifier ?? "host" }
}

/// The modules that were removed, each with its admissions up to the removal.
///
/// Each table keeps its own set under the lock of its entries. So nothing can happen between the check and the
/// registration.
struct RemovedOwners: Sendable {
  private struct End {
    /// The last admission that has ended.
    var admission = 0
    var isReadmitted = false
  }

  private var ends: [ModuleOwner: End] = [:]

  func contains(_ owner: ModuleOwner) -> Bool {
    guard let end = ends[owner] else { return false }
    return owner.admission == 0 ? !end.isReadmitted : owner.admission <= end.admission
  }

  /// Ends an owner's admissions up to the one in which it acts.
  mutating func insert(_ owner: ModuleOwner) { end(owner, isReadmitted: false) }

  /// Ends an owner's admissions up to the one in which it acts, and lets later ones register.
  mutating func readmit(_ owner: ModuleOwner) { end(owner, isReadmitted: true) }

  private mutating func end(_ owner: ModuleOwner, isReadmitted: Bool) {
    ends[owner] = End(admission: max(ends[owner]?.admission ?? 0, owner.admission), isReadmitted: isReadmitted)
  }

  /// - Throws: `module.removed`.
  func checkPresent(_ owner: ModuleOwner) throws(PluginError) {
    guard !contains(owner) else {
      throw PluginError(.moduleRemoved, "\(owner)", "was removed, and can no longer register or observe anything")
    }
  }
}
