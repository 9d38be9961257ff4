/// The owner of a route, target, service or observer.
///
/// Every entry has one, so that all entries of a module can be removed at once.
public enum ModuleOwner: Hashable, Sendable, CustomStringConvertible {
  /// The host: the program itself.
  case host
  /// The module with this identifier.
  case module(String)

  /// `host`, or the identifier.
  public var description: String {
    switch self {
    case .host: "host"
    case .module(let identifier): identifier
    }
  }
}

/// The modules that were removed.
///
/// Each table keeps its own set under the lock of its entries. So nothing can happen between the check and the
/// registration.
struct RemovedOwners: Sendable {
  private var owners: Set<ModuleOwner> = []

  func contains(_ owner: ModuleOwner) -> Bool { owners.contains(owner) }

  mutating func insert(_ owner: ModuleOwner) { owners.insert(owner) }

  /// Lets an owner register again.
  mutating func remove(_ owner: ModuleOwner) { owners.remove(owner) }

  /// - Throws: `module.removed`.
  func checkPresent(_ owner: ModuleOwner) throws(PluginError) {
    guard !owners.contains(owner) else { throw .removed(owner) }
  }
}

extension PluginError {
  static func removed(_ owner: ModuleOwner) -> PluginError {
    PluginError(.moduleRemoved, "\(owner)", "was removed, and can no longer register or observe anything")
  }
}
