/// A tree of routes by their patterns, which finds the route for a URL.
///
/// Of all routes that match a URL, the one with the highest priority serves it. Among routes with one priority, their
/// parts decide, from the first to the last. A literal comes before a parameter. A parameter with a longer suffix comes
/// before one with a shorter suffix or none. A parameter comes before a wildcard. If no route matches, one above the
/// URL that `allowsFallback` serves it: of those with the highest priority the nearest, which is the one with the most
/// parts.
///
/// A URL is looked up part by part in one tree for each priority. Its parameters are read by the pattern that matched
/// in the end, so nothing is left of abandoned branches.
public struct RouteTree<Value: Sendable>: Sendable {
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
  private var fallbackCount = 0

  /// Bits of a route's ID that hold its index. The bits above count the routes that there have been.
  private static var placeBits: Int { 32 }

  /// A route in a tree.
  public struct Entry: Sendable {
    /// The ID of the route in its tree; later routes have greater IDs.
    public let id: Int
    /// The owner of the route.
    public let owner: ModuleOwner
    /// The pattern of the URLs that the route serves.
    public let pattern: RoutePattern
    /// The priority of the route; routes with a higher one come first.
    public let priority: Int
    /// Whether the route also serves URLs below its pattern that no other route serves.
    public let allowsFallback: Bool
    /// The value that belongs to the route.
    public let value: Value
  }

  /// Makes a tree without routes.
  public init() {}

  /// The number of routes.
  public var count: Int { entries.count - freePlaces.count }

  /// All routes, in the order of registration.
  public var routes: [Entry] { entries.compactMap { $0 }.sorted { $0.id < $1.id } }

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
  ///   - allowsFallback: whether the route also serves URLs below its pattern that no other route serves.
  ///   - value: the value that belongs to the route.
  /// - Returns: the ID by which it can be removed.
  /// - Throws: `route.conflict` if another route has a pattern that matches the same URLs with the same priority;
  ///   `route.priorities` for more than 64 different priorities besides 0, or more than 4 of a module.
  @discardableResult public mutating func insert(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false, value: Value
  ) throws(PluginError) -> Int {
    let level = try level(of: priority, for: owner)
    for shape in pattern.shapes {
      guard let other = levels[level].slot(of: shape).flatMap({ entries[Int($0.entry)] }) else { continue }
      throw PluginError(
        .routeConflict, PluginURL.shown(pattern.text), "matches the same URLs as a route of \(other.owner)",
        expected: "a pattern that only \(owner) has with priority \(priority)",
        found: "\(PluginURL.shown(other.pattern.text)) of \(other.owner)",
        hint: "change one of the patterns, or the priority of one")
    }
    let place = freePlaces.popLast() ?? entries.count
    let id = nextNumber << Self.placeBits | place
    nextNumber += 1
    let entry = Entry(
      id: id, owner: owner, pattern: pattern, priority: priority, allowsFallback: allowsFallback, value: value)
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    for shape in pattern.shapes {
      levels[level].insert(
        RouteSlot(shape: shape, entry: Int32(truncatingIfNeeded: place), allowsFallback: allowsFallback))
    }
    owned.add(id, of: owner)
    if allowsFallback { fallbackCount += 1 }
    return id
  }

  /// A route that matches the same URLs as one reading of a pattern, whatever its priority.
  func route(at pattern: RoutePattern, where isWanted: (Entry) -> Bool) -> Entry? {
    for shape in pattern.shapes {
      for level in levels {
        if let entry = level.slot(of: shape).flatMap({ entries[Int($0.entry)] }), isWanted(entry) { return entry }
      }
    }
    return nil
  }

  private mutating func level(of priority: Int, for owner: ModuleOwner) throws(PluginError) -> Int {
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
    return level(at: priority)
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
    if entry.allowsFallback { fallbackCount -= 1 }
    guard let index = levels.firstIndex(where: { $0.priority == entry.priority }) else { return entry }
    for shape in entry.pattern.shapes { levels[index].remove(shape) }
    if levels[index].isEmpty { levels.remove(at: index) }
    return entry
  }

  /// Removes all routes of an owner.
  ///
  /// - Returns: the removed routes.
  @discardableResult public mutating func removeAll(ownedBy owner: ModuleOwner) -> [Entry] {
    owned.removeAll(of: owner).compactMap { take($0) }
  }

  /// The route for a URL; nil if there is none.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  public func match(_ url: PluginURL, exactly: Bool = false) -> RouteMatch<Value>? {
    for level in levels {
      if let slot = level.find(url.scheme, url.parts) { return match(slot, url, isFallback: false) }
    }
    guard fallbackCount > 0, !exactly else { return nil }
    for level in levels {
      if let slot = level.findFallback(url.scheme, url.parts) { return match(slot, url, isFallback: true) }
    }
    return nil
  }

  private func match(_ slot: RouteSlot, _ url: PluginURL, isFallback: Bool) -> RouteMatch<Value>? {
    entries[Int(slot.entry)].map { RouteMatch($0, slot.shape, url, isFallback: isFallback) }
  }
}
