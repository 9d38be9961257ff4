/// An entry in the table of registrations.
public struct TableEntry: Hashable, Sendable {
  /// The kind of an entry.
  public enum Kind: String, Sendable {
    /// A route.
    case route
    /// An action of a target.
    case action
    /// A service.
    case service
    /// An observer of notifications.
    case notification
    /// An observer of an event.
    case event
    /// A factory of pages.
    case page
  }

  /// The kind of the entry.
  public let kind: Kind
  /// The owner of the entry: `host`, or a module's identifier.
  public let owner: String
  /// The name of the entry: the pattern of a route, `target.action`, or the name of a service, notification, event or
  /// page.
  ///
  /// `target.*` is the fallback for actions that the target does not have, `*` is for all notifications, and the empty
  /// name is the page that a module opens with.
  public let pattern: String
  /// The priority of a route; 0 for anything else.
  public let priority: Int
}
