import PluginKit
import TestSupport

/// One set of routes, in a tree, in a router and in a slow matcher, and what must hold for all three.
final class RouteTrial {
  private var random: SeededRandom
  private var slow = SlowMatcher()
  private var tree = RouteTree<Int>()
  /// The same routes, each optional part written out.
  private var writtenOut = RouteTree<Int>()
  private let router = Router()
  /// The numbers of routes that decline.
  private let declining = Heard()
  private var places: [Int: (tree: Int, registration: Router.Registration, writtenOut: [Int])] = [:]
  private var nextNumber = 0

  init(seed: UInt64) { random = SeededRandom(seed) }

  func run(urls: Int) throws {
    for _ in 0...random.below(12) { try add() }
    for number in 0..<urls {
      if number == urls / 3 || number == urls * 2 / 3 {
        try removeSome()
        for _ in 0..<random.below(6) { try add() }
        try compareWithFreshTree()
      }
      try look()
    }
  }

  private func add() throws {
    let made = RandomPattern(&random)
    let pattern: RoutePattern
    do { pattern = try RoutePattern(made.text) } catch {
      let reasons: [PluginError.Code] =
        made.shapes.count > 32
        ? [.patternTooLong]
        : (made.hasTwins ? [.patternMalformed] : []) + (made.hasNameTwice ? [.patternDuplicateName] : [])
      return try hold(reasons.contains(error.code), "\(made.text) is refused: \(error)")
    }
    try hold(
      made.shapes.count <= 32 && !made.hasTwins && !made.hasNameTwice, "\(made.text) should have been refused")
    try hold(pattern.expansions.count == made.shapes.count, "\(made.text) is read as \(pattern.expansions)")
    var names: [String] = []
    for name in made.shapes.flatMap(\.names) where !names.contains(name) { names.append(name) }
    try hold(pattern.parameterNames == names, "\(made.text) has the names \(pattern.parameterNames)")
    let entry = SlowEntry(
      number: nextNumber, owner: random.one(of: ["m.a", "m.b", "m.c"]),
      priority: random.one(of: [0, 0, 0, 0, 7, -3]), ownPriority: random.one(of: [0, 0, 0, 1, 20, -1]),
      allowsFallback: random.once(in: 3), equals: random.one(of: [.refused, .refused, .inOrder, .replaced]),
      shapes: made.shapes, text: made.text)
    nextNumber += 1
    try add(entry, pattern)
  }

  private func add(_ entry: SlowEntry, _ pattern: RoutePattern) throws {
    let owner = ModuleOwner.module(entry.owner)
    let others = slow.conflicts(entry)
    let before = tree.count
    let replaced = entry.equals == .replaced && others.isEmpty ? slow.equals(entry) : []
    if !replaced.isEmpty, slow.boundary(entry) != nil {
      // What the router does not take replaces nothing.
      try hold(register(entry, pattern) == nil, "\(entry.text) is registered")
      return
    }
    do {
      let id = try tree.insert(
        pattern, owner: owner, priority: entry.priority, ownPriority: entry.ownPriority,
        allowsFallback: entry.allowsFallback, equals: entry.equals, value: entry.number)
      try hold(others.isEmpty, "\(entry.text) takes URLs of \(others.map(\.text))")
      guard let registration = try register(entry, pattern) else {
        tree.remove(id)
        return
      }
      for other in replaced { try forget(other) }
      let parts = try pattern.expansions.map { text in
        try writtenOut.insert(
          RoutePattern(text), owner: owner, priority: entry.priority, ownPriority: entry.ownPriority,
          allowsFallback: entry.allowsFallback, equals: entry.equals, value: entry.number)
      }
      places[entry.number] = (id, registration, parts)
      slow.entries.append(entry)
    } catch let error as PluginError {
      try hold(error.code == .routeConflict, "\(entry.text): \(error)")
      let named = slow.equals(entry).contains { error.found == "\($0.text) of \($0.owner)" }
      try hold(
        named && error.expected?.contains(entry.owner) == true, "\(entry.text), \(others.map(\.text)): \(error)")
      try hold(tree.count == before, "\(entry.text) was added and refused")
    }
  }

  /// The router takes what the tree takes, unless it is a module's way before others.
  private func register(_ entry: SlowEntry, _ pattern: RoutePattern) throws -> Router.Registration? {
    let boundary = slow.boundary(entry)
    let registration: Router.Registration
    do throws(PluginError) {
      registration = try router.register(
        pattern, owner: .module(entry.owner),
        options: RouteOptions(
          priority: entry.priority, ownPriority: entry.ownPriority, allowsFallback: entry.allowsFallback,
          equals: entry.equals)
      ) { [declining] _ in
        guard !declining.all.contains("\(entry.number)") else { throw RouteDeclined() }
        return entry.number
      }
    } catch {
      try hold(error.code == boundary, "\(entry.text): \(error)")
      return nil
    }
    try hold(boundary == nil, "\(entry.text) of \(entry.owner) is registered")
    return registration
  }

  /// What was replaced is gone.
  private func forget(_ entry: SlowEntry) throws {
    guard let place = places.removeValue(forKey: entry.number) else { return }
    try hold(tree.remove(place.tree) == nil, "\(entry.text) is still in the tree")
    try hold(!router.remove(place.registration), "\(entry.text) is still in the router")
    for part in place.writtenOut { writtenOut.remove(part) }
    slow.entries.removeAll { $0.number == entry.number }
  }

  /// What is within the pattern of an entry goes, whatever its priority.
  private func removeByPattern(_ entry: SlowEntry) throws {
    let gone = slow.within(entry.places, of: entry.owner)
    let count = try router.remove(RoutePattern(entry.text), ownedBy: .module(entry.owner))
    try hold(count == gone.count, "\(entry.text) removes \(count) routes instead of \(gone.map(\.text))")
    for other in gone {
      guard let place = places[other.number] else { continue }
      try hold(tree.remove(place.tree) != nil, "\(other.text) was not there")
      try forget(other)
    }
  }

  /// A module's routes at once, or some of them one by one.
  private func removeSome() throws {
    if let entry = slow.entries.randomElement(using: &random), random.once(in: 3) {
      return try removeByPattern(entry)
    }
    if random.once(in: 3) {
      let owner = random.one(of: ["m.a", "m.b", "m.c"])
      tree.removeAll(ownedBy: .module(owner))
      writtenOut.removeAll(ownedBy: .module(owner))
      router.removeAll(ownedBy: .module(owner))
      slow.entries.removeAll { $0.owner == owner }
      return
    }
    for entry in slow.entries where random.once(in: 3) {
      guard let place = places[entry.number] else { continue }
      try hold(tree.remove(place.tree) != nil && tree.remove(place.tree) == nil, "\(entry.text) was not there once")
      try hold(router.remove(place.registration), "\(entry.text) was not there")
      for part in place.writtenOut { writtenOut.remove(part) }
      slow.entries.removeAll { $0.number == entry.number }
    }
  }

  /// Nothing of what was removed stays behind: a tree that never had it is the same.
  private func compareWithFreshTree() throws {
    var fresh = RouteTree<Int>()
    for entry in slow.entries {
      try fresh.insert(
        RoutePattern(entry.text), owner: .module(entry.owner), priority: entry.priority,
        ownPriority: entry.ownPriority, allowsFallback: entry.allowsFallback, equals: .inOrder, value: entry.number)
    }
    try hold(tree.routes.map(\.value) == fresh.routes.map(\.value), "\(tree.routes) are left of \(fresh.routes)")
    try hold(router.routes.map(\.pattern) == fresh.routes.map(\.pattern), "the router has \(router.routes)")
    for _ in 0..<4 {
      let url = try PluginURL(RandomURL(near: slow.entries, &random).text)
      try hold(
        tree.match(url)?.value == fresh.match(url)?.value, "\(url) is matched by what was removed: \(described)")
    }
  }

  private func look() throws {
    let made = RandomURL(near: slow.entries, &random)
    let url = try PluginURL(made.text)
    let parts = made.url.parts.map { String(decoding: $0, as: UTF8.self) }
    try hold(
      url.scheme == made.url.scheme && same([url.host] + url.segments, parts.isEmpty ? [""] : parts),
      "\(made.text) is read as \(url.scheme), \(url.host), \(url.segments) instead of \(parts)")
    let exact = slow.exactMatch(made.url)
    let best = exact ?? slow.match(made.url)
    try compare(tree.match(url, exactly: true), exact, url)
    try compare(tree.match(url), best, url)
    let (all, allExact) = (
      slow.matches(made.url).map(\.entry.number), slow.exactMatches(made.url).map(\.entry.number)
    )
    try hold(tree.matches(url).map(\.value) == all, "\(url) has other matches than \(all): \(described)")
    try hold(
      tree.matches(url, exactly: true).map(\.value) == allExact,
      "\(url) has other exact matches than \(allExact): \(described)")
    try hold(router.canOpen(url) == (best != nil), "\(url) can be opened or not: \(described)")
    if random.once(in: 4) { try open(url, exact, best) }
    if !all.isEmpty, random.once(in: 4) { try decline(url, all) }
  }

  /// Some of the first handlers decline.
  private func decline(_ url: PluginURL, _ all: [Int]) throws {
    let count = random.below(all.count + 1)
    for number in all.prefix(count) { declining.add("\(number)") }
    defer { declining.clear() }
    let answer: Int?
    do throws(PluginError) { answer = try router.open(url) as? Int } catch {
      let isNone = error.code == .routeNotFound && error.message.contains("declined")
      return try hold(isNone && count == all.count, "\(url): \(count) of \(all) decline, \(error)")
    }
    try hold(
      count < all.count && answer == all[count], "\(url): \(count) of \(all) decline, \(answer ?? -1) answers")
  }

  /// What takes longer.
  private func open(_ url: PluginURL, _ exact: SlowMatch?, _ best: SlowMatch?) throws {
    let object = router.object(for: url) as? Int
    try hold(object == best?.entry.number, "\(url) opens \(object ?? -1): \(described)")
    try hold(
      router.canOpen(url, exactly: true) == (exact != nil), "\(url) can be opened exactly or not: \(described)")
    let flat = writtenOut.match(url)
    try hold(
      flat?.value == best?.entry.number && flat?.parameters == best?.parameters,
      "\(url) is matched by \(flat?.pattern.text ?? "nothing") where optional parts are written out: \(described)")
  }

  private func compare(_ match: RouteMatch<Int>?, _ expected: SlowMatch?, _ url: PluginURL) throws {
    try hold(
      match?.value == expected?.entry.number,
      "\(url) is matched by \(match?.pattern.text ?? "nothing") instead of \(expected?.entry.text ?? "nothing"): "
        + described)
    guard let match, let expected else { return }
    try hold(
      same(match.parameters, expected.parameters) && same(match.tail, expected.tail)
        && match.isFallback == expected.isFallback && match.owner == .module(expected.entry.owner),
      "\(url) has \(match.parameters), \(match.tail), \(match.isFallback) for \(match.pattern) instead of "
        + "\(expected.parameters), \(expected.tail), \(expected.isFallback)")
  }

  private var described: String {
    slow.entries.map {
      "\($0.text) [\($0.priority)/\($0.ownPriority) of \($0.owner)\($0.allowsFallback ? ", fallback" : "")]"
    }.joined(separator: "; ")
  }
}

/// Whether texts are the same byte by byte; `==` takes some for the same that are not.
func same(_ one: [String], _ other: [String]) -> Bool {
  one.count == other.count && zip(one, other).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
}

/// Whether names and values are the same byte by byte.
func same(_ one: [String: String], _ other: [String: String]) -> Bool {
  one.count == other.count && one.allSatisfy { name, text in other[name]?.utf8.elementsEqual(text.utf8) == true }
}
