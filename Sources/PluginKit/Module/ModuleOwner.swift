/// To whom a route, target, service or observer belongs.
///
/// Every entry has one, so that all of a module's can be removed at once.
public enum ModuleOwner: Hashable, Sendable, CustomStringConvertible {
  /// The program itself.
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
