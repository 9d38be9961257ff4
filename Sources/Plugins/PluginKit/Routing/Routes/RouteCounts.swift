/// What is in a tree of routes, so that a lookup leaves out what is not.
struct RouteCounts: Sendable {
  /// How many routes also serve URLs below their patterns.
  private(set) var fallbacks = 0
  /// How many routes have a fragment in their patterns.
  private(set) var fragments = 0
  /// How many routes are for every scheme.
  private(set) var global = 0
  /// How many routes of an owner have an own priority, or an order that is not that of the patterns.
  private var ownPriorities: [ModuleOwner: Int] = [:]

  /// Whether the routes of any owner have an order of their own.
  var hasOwnPriorities: Bool { !ownPriorities.isEmpty }

  /// Whether the routes of an owner have an order of their own.
  func hasOwnPriorities(_ owner: ModuleOwner) -> Bool { !ownPriorities.isEmpty && ownPriorities[owner] != nil }

  /// Counts a route that is added (1) or removed (-1).
  mutating func add<Value>(_ entry: RouteEntry<Value>, _ step: Int) {
    if entry.allowsFallback { fallbacks += step }
    if entry.ownPriority != 0 || entry.ownOrder != .byPattern {
      let count = ownPriorities[entry.owner, default: 0] + step
      ownPriorities[entry.owner] = count == 0 ? nil : count
    }
    if entry.pattern.isGlobal { global += step }
    if entry.pattern.hasFragment { fragments += step }
  }
}
