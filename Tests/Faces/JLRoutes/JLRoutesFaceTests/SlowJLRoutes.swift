import JLRoutesFace

/// What JLRoutes does, as slowly and obviously as it can be written, with its defects mended: values are decoded once,
/// `%2B` is a plus, a parameter needs a part, a `#` in a pattern is one in the URL, and a pattern with optional parts
/// is removed whole.
struct SlowJLRoutes {
  /// A route that is there.
  struct Route {
    let id: Int
    let pattern: String
    let priority: UInt
    let handles: Bool
    /// The call that added it, and its pattern.
    let call: Int
    let added: String
  }

  /// What happens to a URL.
  struct Outcome: Equatable {
    /// The routes that were asked, in their order.
    var asked: [Int] = []
    /// What the last of them got; nil if it has declined, or none was asked.
    var values: [String: String]?
    var pattern: String?
    var scheme: String?
  }

  /// The routes of each scheme, in the order in which they are asked.
  private(set) var routes: [String: [Route]] = [:]
  var fallingBack: Set<String> = []
  var countsHost = false
  var plusIsSpace = true
  private var calls = 0

  static let global = JLRoutesGlobalRoutesScheme
  private static let reserved: Set = [
    JLRoutePatternKey, JLRouteURLKey, JLRouteSchemeKey, JLRouteWildcardComponentsKey,
  ]

  /// - Parameter expansions: what the pattern stands for, the longest first.
  mutating func add(
    _ pattern: String, _ expansions: [String], _ scheme: String, priority: UInt, handles: Bool, ids: [Int]
  ) {
    calls += 1
    for (expansion, id) in zip(expansions, ids) {
      let route = Route(
        id: id, pattern: expansion, priority: priority, handles: handles, call: calls, added: pattern)
      var all = routes[scheme] ?? []
      all.insert(route, at: all.firstIndex { $0.priority < priority } ?? all.count)
      routes[scheme] = all
    }
  }

  mutating func remove(_ pattern: String, _ scheme: String) {
    guard let all = routes[scheme], let first = all.first(where: { $0.pattern == pattern || $0.added == pattern })
    else { return }
    let left = all.filter { first.pattern == pattern ? $0.id != first.id : $0.call != first.call }
    routes[scheme] = left.isEmpty ? nil : left
  }

  mutating func removeAll(_ scheme: String) { routes[scheme] = nil }

  /// All that match a URL, in the order in which they are asked.
  func matches(_ text: String, in asked: String? = nil) -> [(
    scheme: String, route: Route, values: [String: [String]]
  )] {
    let url = URLParts(text, countsHost)
    let own = asked ?? url.scheme.lowercased()
    var schemes = routes[own] == nil && asked != Self.global ? [Self.global] : [own]
    // A scheme without routes has those for every scheme.
    if schemes == [own], own != Self.global, fallingBack.contains(own) { schemes.append(Self.global) }
    return schemes.flatMap { scheme in
      (routes[scheme] ?? []).compactMap { route in
        values(route.pattern, url.parts).map { (scheme, route, $0) }
      }
    }
  }

  func open(_ text: String, _ given: [String: String], in asked: String? = nil) -> Outcome {
    let url = URLParts(text, countsHost)
    var outcome = Outcome()
    for (scheme, route, values) in matches(text, in: asked) {
      outcome.asked.append(route.id)
      guard route.handles else { continue }
      var all: [String: [String]] = [:]
      for (name, value) in url.query {
        let name = decoded(name, plus: plusIsSpace)
        if !Self.reserved.contains(name) { all[name, default: []].append(decoded(value, plus: plusIsSpace)) }
      }
      var shown = all.mapValues { $0.count == 1 ? $0[0] : "[\($0.joined(separator: "|"))]" }
      for (name, value) in values {
        shown[name] = name == JLRouteWildcardComponentsKey ? "[\(value.joined(separator: "|"))]" : value[0]
      }
      shown.merge(given) { $1 }
      // What JLRoutes itself says has the last word, and is compared apart.
      for name in [JLRoutePatternKey, JLRouteURLKey, JLRouteSchemeKey] { shown[name] = nil }
      (outcome.values, outcome.pattern, outcome.scheme) = (shown, route.pattern, scheme)
      break
    }
    return outcome
  }

  /// The values of a pattern; nil if it does not match.
  private func values(_ pattern: String, _ parts: [String]) -> [String: [String]]? {
    let wanted = URLParts.split(pattern)
    var values: [String: [String]] = [:]
    for (index, part) in wanted.enumerated() {
      if part == "*" {
        guard parts.count >= index else { return nil }
        values[JLRouteWildcardComponentsKey] = parts[index...].map { decoded($0, plus: plusIsSpace) }
        return parts[index...].contains("#") ? nil : values
      }
      guard index < parts.count else { return nil }
      if part.hasPrefix(":") {
        guard parts[index] != "#" else { return nil }
        let name = part == ":" ? ":" : String(part.dropFirst())
        values[name] = [decoded(parts[index], plus: plusIsSpace)]
      } else if decoded(part, plus: false) != decoded(parts[index], plus: false) {
        return nil
      }
    }
    return wanted.count == parts.count ? values : nil
  }

  /// Decodes once. The texts of the trial have only valid sequences of ASCII.
  private func decoded(_ text: String, plus: Bool) -> String {
    var result = ""
    var rest = text[...]
    while let first = rest.popFirst() {
      if first == "%" {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(rest.prefix(2), radix: 16) ?? 0))
        rest = rest.dropFirst(2)
      } else {
        result.append(first == "+" && plus ? " " : first)
      }
    }
    return result
  }
}

/// A URL in parts, as they are written.
private struct URLParts {
  var scheme = ""
  /// The host, if it counts, and the path; then a `#` and the path in the fragment, if there is one.
  var parts: [String] = []
  var query: [(name: String, value: String)] = []

  init(_ text: String, _ countsHost: Bool) {
    let (front, fragment) = Self.cut(text, at: "#")
    var (path, query) = Self.cut(front, at: "?")
    if let colon = path.firstIndex(of: ":") {
      scheme = String(path[..<colon])
      path = String(path[path.index(after: colon)...])
    }
    if path.hasPrefix("//") {
      let (host, rest) = Self.cut(String(path.dropFirst(2)), at: "/")
      let isDomain = host.contains(".") || host == "localhost"
      path = (host.isEmpty || isDomain && !countsHost ? "" : host + "/") + (rest ?? "")
    }
    parts = Self.split(path)
    var pieces = [query].compactMap { $0 }
    if let fragment {
      let (route, more) = Self.cut(fragment, at: "?")
      if route.isEmpty || route.hasPrefix("/") {
        parts += ["#"] + Self.split(route)
        query = more
      } else {
        query = fragment
      }
      pieces += [query].compactMap { $0 }
    }
    for piece in pieces.flatMap({ $0.split(separator: "&") }) {
      let (name, value) = Self.cut(String(piece), at: "=")
      if let value { self.query.append((name, value)) }
    }
  }

  /// The parts of a path or of a pattern, without one slash at each end.
  static func split(_ path: String) -> [String] {
    let (front, fragment) = cut(path, at: "#")
    var path = front[...]
    if path.hasPrefix("/") { path = path.dropFirst() }
    if path.hasSuffix("/") { path = path.dropLast() }
    let parts = path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts + (fragment.map { ["#"] + split($0) } ?? [])
  }

  /// What is before and behind the first of a character.
  private static func cut(_ text: String, at mark: Character) -> (String, String?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (String(text[..<index]), String(text[text.index(after: index)...]))
  }
}
