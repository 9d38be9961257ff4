import PluginKit

/// Routes as their documentation has them, looked through one after the other: slow, and easy to see through.
///
/// It knows nothing of how the router takes texts apart: patterns and URLs are made as lists of parts, and only then written
/// down for the router to read.
struct SlowMatcher {
  var entries: [SlowEntry] = []

  /// The first of all that match.
  func exactMatch(_ url: SlowURL) -> SlowMatch? { exactMatches(url).first }

  /// The first of all that match; where none does, the first of those that serve what is below them.
  func match(_ url: SlowURL) -> SlowMatch? { matches(url).first }

  /// All that match, in the order in which they have their turns, each once.
  func exactMatches(_ url: SlowURL) -> [SlowMatch] {
    inTurn(entries.flatMap { $0.matches(url) }.sorted { $0.isBetter(than: $1) })
  }

  /// The same, and behind them those that serve what is below them.
  func matches(_ url: SlowURL) -> [SlowMatch] {
    let fallbacks = entries.flatMap { $0.fallbacks(url) }.sorted { one, other in
      guard one.entry.priority == other.entry.priority else { return one.entry.priority > other.entry.priority }
      guard one.hasFragment == other.hasFragment else { return one.hasFragment }
      guard one.rank.count == other.rank.count else { return one.rank.count > other.rank.count }
      return one.isBetter(than: other)
    }
    return once(exactMatches(url) + inTurn(fallbacks))
  }

  private func once(_ matches: [SlowMatch]) -> [SlowMatch] {
    var seen: Set<Int> = []
    return matches.filter { seen.insert($0.entry.number).inserted }
  }

  /// Each owner keeps the turns that its patterns give it, and fills them by its own priorities.
  private func inTurn(_ matches: [SlowMatch]) -> [SlowMatch] {
    var left = once(matches)
    var result: [SlowMatch] = []
    for turn in once(matches) {
      let own = left.filter { $0.entry.owner == turn.entry.owner && $0.entry.priority == turn.entry.priority }
      let best = own.map(\.entry.ownPriority).max()
      guard let next = own.first(where: { $0.entry.ownPriority == best }) else { continue }
      result.append(next)
      left.removeAll { $0.entry.number == next.entry.number }
    }
    return result
  }

  /// Those with whose patterns, or ways to read them, and priority another pattern would match the same URLs.
  func equals(_ entry: SlowEntry) -> [SlowEntry] {
    entries.filter { other in
      other.priority == entry.priority && other.hasPlace(of: entry)
    }
  }

  /// Those among them that stand in its way.
  func conflicts(_ entry: SlowEntry) -> [SlowEntry] {
    equals(entry).filter { other in
      switch entry.equals {
      case .refused: true
      case .inOrder: other.owner != entry.owner
      case .replaced: other.owner != entry.owner || other.places != entry.places
      }
    }
  }

  /// What goes with a pattern of an owner: routes all of whose ways are ways to read it.
  func within(_ places: Set<SlowShape.Place>, of owner: String) -> [SlowEntry] {
    entries.filter { $0.owner == owner && $0.places.isSubset(of: places) }
  }

  /// Why a module may not register a route: it would come before all of a scheme, or stand where another's does.
  func boundary(_ entry: SlowEntry) -> PluginError.Code? {
    if entry.priority > 0, entry.shapes.contains(where: { $0.parts.first.map { $0.rank > 0 } ?? true }) {
      return .routePriorities
    }
    return entries.contains { $0.owner != entry.owner && $0.hasPlace(of: entry) } ? .routeConflict : nil
  }
}

/// A URL that is already taken apart.
struct SlowURL {
  let scheme: String
  /// Host and segments, decoded.
  let parts: [[UInt8]]
  /// The parts of the fragment, if that is a path.
  var fragment: [[UInt8]]?

  /// What stands between the two in patterns.
  static let mark: [UInt8] = [0, 0x23]

  /// A URL of parts among which there may be a mark.
  init(scheme: String, parts: [[UInt8]]) {
    self.scheme = scheme
    let mark = parts.firstIndex(of: Self.mark)
    let path = Array(parts[..<(mark ?? parts.endIndex)])
    self.parts = path == [[]] ? [] : path
    fragment = mark.map { Array(parts[($0 + 1)...]) }
  }

  /// The parts with which a way to read a pattern is compared; nil if there are none.
  func parts(for shape: SlowShape) -> [[UInt8]]? {
    shape.hasFragment ? fragment.map { parts + [Self.mark] + $0 } : parts
  }
}

/// A part of a pattern.
enum SlowPart: Hashable {
  case text([UInt8])
  case value(name: String, suffix: [UInt8])
  case rest(name: String?, needsPart: Bool)

  var name: String? {
    switch self {
    case .text: nil
    case .value(let name, _): name
    case .rest(let name, _): name
    }
  }

  var isRest: Bool { if case .rest = self { true } else { false } }

  /// Smaller ones come first: literals, then parameters with longer suffixes, then wildcards.
  var rank: Int {
    switch self {
    case .text: 0
    case .value(_, let suffix): 1000 - suffix.count
    case .rest(_, let needsPart): needsPart ? 2000 : 2001
    }
  }

  var withoutName: SlowPart {
    switch self {
    case .text: self
    case .value(_, let suffix): .value(name: "", suffix: suffix)
    case .rest(_, let needsPart): .rest(name: nil, needsPart: needsPart)
    }
  }

  func fits(_ part: [UInt8]) -> Bool {
    switch self {
    case .text(let text): part == text
    case .value(_, let suffix): part.count > suffix.count && Array(part.suffix(suffix.count)) == suffix
    case .rest: true
    }
  }
}

/// One way to read a pattern.
struct SlowShape {
  let scheme: String
  let parts: [SlowPart]
  /// The parts in front of the tail.
  let head: [SlowPart]

  init(scheme: String, parts: [SlowPart]) {
    self.scheme = scheme
    self.parts = parts
    head = parts.filter { !$0.isRest }
  }

  var names: [String] { parts.compactMap(\.name) }
  var place: Place { Place(scheme: scheme, parts: parts.map(\.withoutName)) }
  var hasTail: Bool { head.count < parts.count }
  var hasFragment: Bool { parts.contains(.text(SlowURL.mark)) }
  var leastTail: Int { if case .rest(_, needsPart: true) = parts.last { 1 } else { 0 } }

  struct Place: Hashable {
    let scheme: String
    let parts: [SlowPart]
  }

  /// Whether the parts before the tail are the first ones of the URL.
  func begins(_ url: SlowURL) -> Bool {
    guard scheme == url.scheme, let parts = url.parts(for: self) else { return false }
    return head.count <= parts.count && zip(head, parts).allSatisfy { $0.fits($1) }
  }

  func parameters(_ url: SlowURL) -> [String: String] {
    var result: [String: String] = [:]
    for (part, text) in zip(head, url.parts(for: self) ?? []) {
      guard case .value(let name, let suffix) = part else { continue }
      result[name] = String(decoding: text.dropLast(suffix.count), as: UTF8.self)
    }
    if case .rest(let name?, _) = parts.last {
      result[name] = (url.parts(for: self) ?? []).dropFirst(head.count).map { part in
        String(decoding: part.flatMap { $0 == 0x2f ? Array("%2F".utf8) : [$0] }, as: UTF8.self)
      }.joined(separator: "/")
    }
    return result
  }
}

/// A route.
struct SlowEntry {
  let number: Int
  let owner: String
  let priority: Int
  var ownPriority = 0
  let allowsFallback: Bool
  var equals = EqualRoutes.refused
  let shapes: [SlowShape]
  /// The pattern, as the router gets it.
  let text: String

  var places: Set<SlowShape.Place> { Set(shapes.map(\.place)) }

  func hasPlace(of other: SlowEntry) -> Bool { !places.isDisjoint(with: other.places) }

  func matches(_ url: SlowURL) -> [SlowMatch] {
    shapes.filter { shape in
      let count = url.parts(for: shape)?.count ?? 0
      return shape.begins(url)
        && (shape.hasTail ? count >= shape.head.count + shape.leastTail : shape.parts.count == count)
    }.map { SlowMatch(self, $0, url, isFallback: false) }
  }

  func fallbacks(_ url: SlowURL) -> [SlowMatch] {
    guard allowsFallback else { return [] }
    return shapes.filter { !$0.hasTail && $0.begins(url) && $0.parts.count < url.parts(for: $0)?.count ?? 0 }
      .map { SlowMatch(self, $0, url, isFallback: true) }
  }
}

/// What was found.
struct SlowMatch {
  let entry: SlowEntry
  let rank: [Int]
  let parameters: [String: String]
  let tail: [String]
  let isFallback: Bool
  let hasFragment: Bool

  init(_ entry: SlowEntry, _ shape: SlowShape, _ url: SlowURL, isFallback: Bool) {
    self.entry = entry
    rank = shape.parts.map(\.rank)
    parameters = shape.parameters(url)
    tail = (url.parts(for: shape) ?? []).dropFirst(shape.head.count).map { String(decoding: $0, as: UTF8.self) }
    hasFragment = shape.hasFragment
    self.isFallback = isFallback
  }

  /// The higher priority first, then fragments, then part by part, then the earlier one.
  func isBetter(than other: SlowMatch) -> Bool {
    guard entry.priority == other.entry.priority else { return entry.priority > other.entry.priority }
    guard hasFragment == other.hasFragment else { return hasFragment }
    guard rank == other.rank else { return rank.lexicographicallyPrecedes(other.rank) }
    return entry.number < other.entry.number
  }
}
