import PluginKit

/// MGJRouter with its faults mended, as its documentation has it: slow, and easy to see through.
///
/// It knows nothing of how texts are taken apart: patterns and URLs are lists of parts, and are only then written down
/// for the router to read.
struct SlowMGJRouter {
  /// A part of a pattern.
  enum Part: Hashable {
    case text([UInt8])
    case value(name: String, suffix: [UInt8])
    /// `~` at the end.
    case rest

    /// Smaller ones come first: texts, then values with longer suffixes, then everything below.
    var rank: Int {
      switch self {
      case .text: 0
      case .value(_, let suffix): 1000 - suffix.count
      case .rest: 2000
      }
    }

    /// The same without names, which say nothing about URLs.
    var place: Part { if case .value(_, let suffix) = self { .value(name: "", suffix: suffix) } else { self } }

    func matches(_ text: [UInt8]) -> Bool {
      switch self {
      case .text(let own): own == text
      case .value(_, let suffix): text.count > suffix.count && Array(text.suffix(suffix.count)) == suffix
      case .rest: true
      }
    }
  }

  struct Route {
    let number: Int
    let owner: Int
    let scheme: String
    let parts: [Part]
    let allowsFallback: Bool
    let isObject: Bool

    var place: [Part] { [.text(Array(scheme.utf8))] + parts.map(\.place) }
    var names: [String] { parts.compactMap { if case .value(let name, _) = $0 { name } else { nil } } }
    private var hasRest: Bool { parts.last == .rest }

    func matches(_ url: URL) -> Bool {
      let count = hasRest ? parts.count - 1 : parts.count
      return scheme == url.scheme && (hasRest ? url.parts.count > count : url.parts.count == count)
        && zip(parts, url.parts).allSatisfy { $0.matches($1) }
    }

    func isAbove(_ url: URL) -> Bool {
      allowsFallback && !hasRest && scheme == url.scheme && parts.count < url.parts.count
        && zip(parts, url.parts).allSatisfy { $0.matches($1) }
    }

    func values(_ url: URL) -> [String: [UInt8]] {
      var values: [String: [UInt8]] = [:]
      for (part, text) in zip(parts, url.parts) {
        if case .value(let name, let suffix) = part { values[name] = Array(text.dropLast(suffix.count)) }
      }
      return values
    }

    /// The first part of another rank decides.
    func comesBefore(_ other: Route) -> Bool {
      for (part, otherPart) in zip(parts, other.parts) where part.rank != otherPart.rank {
        return part.rank < otherPart.rank
      }
      return parts.count < other.parts.count
    }
  }

  /// A URL, taken apart already.
  struct URL {
    let scheme: String
    let parts: [[UInt8]]
    let query: [(name: [UInt8], value: [UInt8]?)]
  }

  private(set) var routes: [Route] = []

  /// Takes the place of the owner's route for the same URLs.
  ///
  /// - Returns: false if it is another owner's place.
  mutating func register(_ route: Route) -> Bool {
    let others = routes.filter { $0.place == route.place }
    guard others.allSatisfy({ $0.owner == route.owner }) else { return false }
    routes.removeAll { $0.place == route.place }
    routes.append(route)
    return true
  }

  mutating func deregister(_ place: [Part], of owner: Int) -> Bool {
    let count = routes.count
    routes.removeAll { $0.place == place && $0.owner == owner }
    return routes.count < count
  }

  mutating func removeAll(of owner: Int) { routes.removeAll { $0.owner == owner } }

  /// The route that serves a URL, and whether it does so as one above.
  func match(_ url: URL, object: Bool, exactly: Bool = false) -> (route: Route, isFallback: Bool)? {
    let routes = routes.filter { $0.isObject == object }
    if let best = routes.filter({ $0.matches(url) }).min(by: { $0.comesBefore($1) }) { return (best, false) }
    guard !exactly else { return nil }
    let above = routes.filter { $0.isAbove(url) }
    let nearest = above.map(\.parts.count).max()
    return above.filter { $0.parts.count == nearest }.min { $0.comesBefore($1) }.map { ($0, true) }
  }
}
