/// A route in a tree.
public struct RouteEntry<Value: Sendable>: Sendable {
  /// The ID of the route in its tree; later routes have greater IDs.
  public let id: Int
  /// The owner of the route.
  public let owner: ModuleOwner
  /// The pattern of the URLs that the route serves.
  public let pattern: RoutePattern
  /// The priority of the route; routes with a higher one come first.
  public let priority: Int
  /// The priority of the route among those of its owner.
  public let ownPriority: Int
  /// How the route is ordered among those of its owner with the same priorities.
  public let ownOrder: OwnRouteOrder
  /// Whether the route also serves URLs below its pattern that no other route serves.
  public let allowsFallback: Bool
  /// The value that belongs to the route.
  public let value: Value
}

extension RouteEntry {
  var withoutValue: RouteEntry<Void> {
    RouteEntry<Void>(
      id: id, owner: owner, pattern: pattern, priority: priority, ownPriority: ownPriority, ownOrder: ownOrder,
      allowsFallback: allowsFallback, value: ())
  }
}
