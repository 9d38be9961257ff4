import PluginKit

/// Routes as their documentation has them, looked through one after the other: slow, and easy to see through.
///
/// It knows nothing of how the router takes texts apart: patterns and URLs are made as lists of parts, and only then written
/// down for the router to read.
struct SlowMatcher {
  var entries: [SlowEntry] = []

  /// The best of all that match.
  func exactMatch(_ url: SlowURL) -> SlowMatch? {
    entries.flatMap { $0.matches(url) }.min { $0.isBetter(than: $1) }
  }

  /// The best of all that match; where none does, the best of those that serve what is below them.
  func match(_ url: SlowURL) -> SlowMatch? {
    exactMatch(url)
      ?? entries.flatMap { $0.fallbacks(url) }.min { one, other in
        guard one.entry.priority == other.entry.priority else { return one.entry.priority > other.entry.priority }
        guard one.rank.count == other.rank.count else { return one.rank.count > other.rank.count }
        return one.isBetter(than: other)
      }
  }

  /// Those with whose patterns, or ways to read them, and priority another pattern would match the same URLs.
  func conflicts(_ entry: SlowEntry) -> [SlowEntry] {
    entries.filter { other in
      other.priority == entry.priority && other.hasPlace(of: entry)
    }
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
}

/// A part of a pattern.
enum SlowPart: Hashable {
  case text([UInt8])
  case value(name: String, suffix: [UInt8])
  case rest(name: String?)

  var name: String? {
    switch self {
    case .text: nil
    case .value(let name, _): name
    case .rest(let name): name
    }
  }

  var isRest: Bool { if case .rest = self { true } else { false } }

  /// Smaller ones come first: literals, then parameters with longer suffixes, then wildcards.
  var rank: Int {
    switch self {
    case .text: 0
    case .value(_, let suffix): 1000 - suffix.count
    case .rest: 2000
    }
  }

  var withoutName: SlowPart {
    switch self {
    case .text: self
    case .value(_, let suffix): .value(name: "", suffix: suffix)
    case .rest: .rest(name: nil)
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

  struct Place: Hashable {
    let scheme: String
    let parts: [SlowPart]
  }

  /// Whether the parts before the tail are the first ones of the URL.
  func begins(_ url: SlowURL) -> Bool {
    scheme == url.scheme && head.count <= url.parts.count && zip(head, url.parts).allSatisfy { $0.fits($1) }
  }

  func parameters(_ url: SlowURL) -> [String: String] {
    var result: [String: String] = [:]
    for (part, text) in zip(head, url.parts) {
      guard case .value(let name, let suffix) = part else { continue }
      result[name] = String(decoding: text.dropLast(suffix.count), as: UTF8.self)
    }
    if case .rest(let name?) = parts.last {
      result[name] = url.parts.dropFirst(head.count).map { part in
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
  let allowsFallback: Bool
  let shapes: [SlowShape]
  /// The pattern, as the router gets it.
  let text: String

  func hasPlace(of other: SlowEntry) -> Bool {
    !Set(shapes.map(\.place)).isDisjoint(with: other.shapes.map(\.place))
  }

  func matches(_ url: SlowURL) -> [SlowMatch] {
    shapes.filter { $0.begins(url) && ($0.hasTail || $0.parts.count == url.parts.count) }
      .map { SlowMatch(self, $0, url, isFallback: false) }
  }

  func fallbacks(_ url: SlowURL) -> [SlowMatch] {
    guard allowsFallback else { return [] }
    return shapes.filter { !$0.hasTail && $0.begins(url) && $0.parts.count < url.parts.count }
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

  init(_ entry: SlowEntry, _ shape: SlowShape, _ url: SlowURL, isFallback: Bool) {
    self.entry = entry
    rank = shape.parts.map(\.rank)
    parameters = shape.parameters(url)
    tail = url.parts.dropFirst(shape.head.count).map { String(decoding: $0, as: UTF8.self) }
    self.isFallback = isFallback
  }

  /// The higher priority first, then part by part.
  func isBetter(than other: SlowMatch) -> Bool {
    entry.priority == other.entry.priority
      ? rank.lexicographicallyPrecedes(other.rank) : entry.priority > other.entry.priority
  }
}
