/// A tree of routes by their patterns, which finds the route for a URL.
///
/// Of all routes that match a URL, the one with the highest priority serves it. Among routes with one priority, their
/// parts decide, from the first to the last. A literal comes before a parameter. A parameter with a longer suffix comes
/// before one with a shorter suffix or none. A parameter comes before a wildcard. If no route matches, one above the
/// URL that `allowsFallback` serves it: of those with the highest priority the nearest, which is the one with the most
/// parts.
///
/// An owner can order its own routes by an own priority. It never comes before another owner by that: where several of
/// its routes match a URL, the order above says when this owner has its turn, and the own priorities say with which of
/// its routes.
///
/// Routes for every scheme come last. They match URLs of schemes that have no other route, and of schemes that may fall
/// back.
///
/// A URL is looked up part by part in one tree for each priority. Its parameters are read by the pattern that matched
/// in the end, so nothing is left of abandoned branches.
public struct RouteTree<Value: Sendable>: Sendable {
  /// A route in a tree.
  public typealias Entry = RouteEntry<Value>

  /// The greatest number of priorities. Each has its own tree, in which a URL may have to be looked up.
  static var levelLimit: Int { 64 }
  /// How many of them one module may use. So a dozen modules can use them without keeping others from any.
  static var moduleLevelLimit: Int { 4 }

  private var levels: [RouteLevel] = []
  /// The routes in one array: a table would reserve memory for as many again.
  private var entries: [Entry?] = []
  private var freePlaces: [Int] = []
  private var owned = OwnedRoutes()
  private var nextNumber = 0
  private var counts = RouteCounts()
  /// How many routes are for every scheme.
  var globalCount: Int { counts.global }
  var schemeFallbacks = SchemeFallbacks()

  /// Bits of a route's ID that hold its index. The bits above count the routes that there have been.
  private static var placeBits: Int { 32 }

  /// Makes a tree without routes.
  public init() {}

  /// The number of routes.
  public var count: Int { entries.count - freePlaces.count }

  /// All routes, in the order of registration.
  public var routes: [Entry] { entries.compactMap { $0 }.sorted { $0.id < $1.id } }

  /// The routes of an owner, in the order of registration.
  public func routes(ownedBy owner: ModuleOwner) -> [Entry] {
    owned[owner].compactMap { Self.entry($0, in: entries) }
  }

  /// The route with an ID; nil once it was removed.
  private static func entry(_ id: Int, in entries: [Entry?]) -> Entry? {
    let place = place(of: id)
    guard entries.indices.contains(place), let entry = entries[place], entry.id == id else { return nil }
    return entry
  }

  private static func place(of id: Int) -> Int { id & (1 << placeBits - 1) }

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that the route serves.
  ///   - owner: the owner of the route.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - ownPriority: of the owner's routes with one priority, those with a higher own priority come first.
  ///   - ownOrder: how those of them are ordered that have the same own priority.
  ///   - allowsFallback: whether the route also serves URLs below its pattern that no other route serves.
  ///   - equals: what to do if the owner has a route for the same URLs with the same priority.
  ///   - value: the value that belongs to the route.
  /// - Returns: the ID by which it can be removed.
  /// - Throws: `route.conflict` if another route has a pattern that matches the same URLs with the same priority;
  ///   `route.priorities` for more than 64 different priorities besides 0, or more than 4 of a module.
  @discardableResult public mutating func insert(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, ownPriority: Int = 0,
    ownOrder: OwnRouteOrder = .byPattern, allowsFallback: Bool = false, equals: EqualRoutes = .refused, value: Value
  ) throws(PluginError) -> Int {
    var replaced: [Entry] = []
    return try insert(
      pattern, owner: owner, priority: priority, ownPriority: ownPriority, ownOrder: ownOrder,
      allowsFallback: allowsFallback, equals: equals, value: value, replaced: &replaced)
  }

  /// Adds a route, and hands out those that it replaces: the caller may have to release them outside of a lock.
  mutating func insert(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int, ownPriority: Int, ownOrder: OwnRouteOrder,
    allowsFallback: Bool, equals: EqualRoutes, value: Value, replaced: inout [Entry]
  ) throws(PluginError) -> Int {
    try checkPriority(priority, of: owner)
    let equal = try equalRoutes(at: pattern, of: owner, priority: priority, equals: equals)
    if equals == .replaced { replaced = equal.compactMap { remove($0) } }
    let level = level(at: priority)
    let place = freePlaces.popLast() ?? entries.count
    let id = nextNumber << Self.placeBits | place
    nextNumber += 1
    let entry = Entry(
      id: id, owner: owner, pattern: pattern, priority: priority, ownPriority: ownPriority, ownOrder: ownOrder,
      allowsFallback: allowsFallback, value: value)
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    for shape in pattern.shapes {
      levels[level].insert(
        RouteSlot(shape: shape, entry: Int32(truncatingIfNeeded: place), allowsFallback: allowsFallback))
    }
    owned.add(id, of: owner)
    counts.add(entry, 1)
    return id
  }

  /// The owner's routes in the places of a pattern.
  ///
  /// - Throws: `route.conflict`.
  private func equalRoutes(
    at pattern: RoutePattern, of owner: ModuleOwner, priority: Int, equals: EqualRoutes
  ) throws(PluginError) -> [Int] {
    guard let level = levels.first(where: { $0.priority == priority }) else { return [] }
    var found: [Int] = []
    for shape in pattern.shapes {
      for entry in level.slots(of: shape).compactMap({ entries[Int($0.entry)] }) where !found.contains(entry.id) {
        let isAllowed =
          switch equals {
          case .refused: false
          case .inOrder: true
          case .replaced: entry.pattern.hasPlaces(of: pattern)
          }
        guard entry.owner == owner, isAllowed else {
          throw PluginError(
            .routeConflict, PluginURL.shown(pattern.text), "matches the same URLs as a route of \(entry.owner)",
            expected: "a pattern that only \(owner) has with priority \(priority)",
            found: "\(PluginURL.shown(entry.pattern.text)) of \(entry.owner)",
            hint: "change one of the patterns, or the priority of one")
        }
        found.append(entry.id)
      }
    }
    return found
  }

  /// The IDs of an owner's routes all of whose readings match the same URLs as readings of a pattern.
  func routes(of owner: ModuleOwner, within pattern: RoutePattern) -> [Int] {
    var found: [Int] = []
    for level in levels {
      for slot in pattern.shapes.flatMap(level.slots) {
        guard let entry = entries[Int(slot.entry)], entry.owner == owner, !found.contains(entry.id),
          entry.pattern.lies(within: pattern)
        else { continue }
        found.append(entry.id)
      }
    }
    return found
  }

  /// The route with an ID; nil once it was removed.
  func entry(_ id: Int) -> Entry? { Self.entry(id, in: entries) }

  /// The ID that is greater than those of all routes that there have been.
  var nextID: Int { nextNumber << Self.placeBits }

  /// A route that matches the same URLs as one reading of a pattern, whatever its priority.
  func route(at pattern: RoutePattern, where isWanted: (Entry) -> Bool) -> Entry? {
    for shape in pattern.shapes {
      for level in levels {
        for entry in level.slots(of: shape).compactMap({ entries[Int($0.entry)] }) where isWanted(entry) {
          return entry
        }
      }
    }
    return nil
  }

  private func checkPriority(_ priority: Int, of owner: ModuleOwner) throws(PluginError) {
    if priority != 0, !levels.contains(where: { $0.priority == priority }) {
      // Priority 0 is always available to all owners.
      guard levels.count(where: { $0.priority != 0 }) < Self.levelLimit else {
        throw Self.tooMany(priority, "at most \(Self.levelLimit) priorities in all")
      }
      let own = Set(owned[owner].compactMap { Self.entry($0, in: entries)?.priority }).subtracting([0])
      guard owner == .host || own.count < Self.moduleLevelLimit else {
        throw Self.tooMany(priority, "at most \(Self.moduleLevelLimit) of a module, and 0")
      }
    }
  }

  private static func tooMany(_ priority: Int, _ expected: String) -> PluginError {
    PluginError(.routePriorities, "priority \(priority)", "exceeds the limit", expected: expected)
  }

  private mutating func level(at priority: Int) -> Int {
    let index = levels.firstIndex { $0.priority <= priority } ?? levels.endIndex
    if index == levels.endIndex || levels[index].priority != priority {
      levels.insert(RouteLevel(priority: priority), at: index)
    }
    return index
  }

  /// Removes a route.
  ///
  /// - Returns: the route; nil if there was none with this ID.
  @discardableResult public mutating func remove(_ id: Int) -> Entry? {
    guard let entry = take(id) else { return nil }
    owned.noteRemoval(of: entry.owner) { [entries] in Self.entry($0, in: entries) != nil }
    return entry
  }

  private mutating func take(_ id: Int) -> Entry? {
    guard let entry = Self.entry(id, in: entries) else { return nil }
    let place = Self.place(of: id)
    entries[place] = nil
    freePlaces.append(place)
    counts.add(entry, -1)
    guard let index = levels.firstIndex(where: { $0.priority == entry.priority }) else { return entry }
    for shape in entry.pattern.shapes { levels[index].remove(shape, entry: Int32(truncatingIfNeeded: place)) }
    if levels[index].isEmpty { levels.remove(at: index) }
    return entry
  }

  /// Removes all routes of an owner.
  ///
  /// - Returns: the removed routes.
  @discardableResult public mutating func removeAll(ownedBy owner: ModuleOwner) -> [Entry] {
    owned.removeAll(of: owner).compactMap { take($0) }
  }

  /// The route for a URL, or nil.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  public func match(_ url: PluginURL, exactly: Bool = false) -> RouteMatch<Value>? {
    firstMatch(url, exactly: exactly, schemeIsTaken: false)
  }

  /// All routes for a URL, each once, in the order in which they are asked.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  public func matches(_ url: PluginURL, exactly: Bool = false) -> [RouteMatch<Value>] {
    allMatches(url, exactly: exactly, schemeIsTaken: false)
  }

  /// The route that is asked first for a URL, or nil.
  ///
  /// - Parameter schemeIsTaken: whether the scheme belongs to somebody even if no route has it.
  func firstMatch(_ url: PluginURL, exactly: Bool, schemeIsTaken: Bool) -> RouteMatch<Value>? {
    let lookup = RouteLookup(url, readsFragment: counts.fragments > 0)
    if let match = firstFound(url, lookup, exactly: exactly) { return match }
    guard counts.global > 0, servesGlobally(url, schemeIsTaken) else { return nil }
    return firstFound(url, lookup.global, exactly: exactly)
  }

  /// All routes for a URL, each once, in the order in which they are asked.
  ///
  /// - Parameter schemeIsTaken: whether the scheme belongs to somebody even if no route has it.
  func allMatches(_ url: PluginURL, exactly: Bool, schemeIsTaken: Bool) -> [RouteMatch<Value>] {
    let own = RouteLookup(url, readsFragment: counts.fragments > 0)
    let lookups = counts.global > 0 && servesGlobally(url, schemeIsTaken) ? [own, own.global] : [own]
    let hasFallbacks = counts.fallbacks > 0 && !exactly
    var seen: Set<Int> = []
    return lookups.flatMap { hasFallbacks ? [$0, $0.fallback] : [$0] }
      .flatMap { lookup in levels.flatMap { matchesInTurn(url, lookup, in: $0) } }
      .filter { seen.insert($0.entry.id).inserted }
  }

  /// Whether routes for every scheme serve a URL.
  func servesGlobally(_ url: PluginURL, _ schemeIsTaken: Bool) -> Bool {
    schemeFallbacks.contains(url.scheme) || !schemeIsTaken && !hasScheme(url.scheme)
  }

  /// Whether there is a route with this scheme.
  func hasScheme(_ scheme: String) -> Bool {
    RouteKey.hasAny(of: scheme) { key in levels.contains { $0.hasKey(key) } }
  }

  private func firstFound(_ url: PluginURL, _ lookup: RouteLookup, exactly: Bool) -> RouteMatch<Value>? {
    if let match = firstInLevels(url, lookup) { return match }
    return counts.fallbacks > 0 && !exactly ? firstInLevels(url, lookup.fallback) : nil
  }

  /// The match of the first slot that is found, or of another route of its owner that has its turn before.
  private func firstInLevels(_ url: PluginURL, _ lookup: RouteLookup) -> RouteMatch<Value>? {
    for level in levels {
      guard let slot = level.first(lookup), let entry = entries[Int(slot.entry)] else { continue }
      guard counts.hasOwnPriorities(entry.owner) else { return made(of: entry, at: slot, url, lookup) }
      return matchesInTurn(url, lookup, in: level).first
    }
    return nil
  }

  /// All matches of a level, each route once, in the order in which they are asked.
  private func matchesInTurn(_ url: PluginURL, _ lookup: RouteLookup, in level: RouteLevel) -> [RouteMatch<Value>] {
    var slots = level.all(lookup)
    if slots.count > 1 {
      var seen: Set<Int32> = []
      slots = slots.filter { seen.insert($0.entry).inserted }
    }
    let matches = slots.compactMap { slot in entries[Int(slot.entry)].map { made(of: $0, at: slot, url, lookup) } }
    return counts.inTurn(matches, hasFragmentPath: lookup.fragmentParts != nil)
  }

  private func made(
    of entry: Entry, at slot: RouteSlot, _ url: PluginURL, _ lookup: RouteLookup
  ) -> RouteMatch<Value> {
    RouteMatch(
      entry, slot.shape, url, isFallback: lookup.isFallback,
      fragmentParts: slot.shape.hasFragment ? lookup.fragmentParts : nil)
  }
}
