import PluginKit
import TestSupport

/// URLs made of a pattern.
enum GeneratedURLTrial {
  /// Among them some that no URL can have.
  private static let values =
    RandomTexts.parts.map { String(decoding: $0, as: UTF8.self) } + [
      "", ".", "..", "\n", "a/b/é", "a//b", "/a", "a/", "a/./b",
    ]

  static func run(_ made: RandomPattern, _ random: inout SeededRandom) throws {
    guard let pattern = try? RoutePattern(made.text) else { return }
    var tree = RouteTree<Int>()
    try tree.insert(pattern, owner: .host, value: 0)
    let slow = SlowEntry(
      number: 0, owner: "host", priority: 0, allowsFallback: false, shapes: made.shapes, text: made.text)
    for shape in made.shapes {
      var values: [String: String] = [:]
      for name in shape.names { values[name] = random.one(of: Self.values) }
      let isPossible = isPossible(slow, values)
      do {
        let query = URLQuery([URLQuery.Item(name: random.one(of: Self.values), value: random.one(of: Self.values))])
        let url = try pattern.url(values, query: query)
        let match = tree.match(url)
        try hold(
          match.map { same($0.parameters, values) } == true,
          "\(pattern) with \(values) gives \(url), which is not for it")
        try hold(match?.isFallback == false && url.query == query, "\(pattern) gives \(url) with \(query)")
        try hold(isPossible, "\(pattern) gives \(url) with \(values), which no URL of it can have")
        if made.shapes.first(where: { $0.names.count == values.count })?.names == shape.names {
          let ordered = try pattern.url(shape.names.compactMap { values[$0] }, query: query)
          try hold(ordered == url, "\(pattern) gives \(ordered) and \(url) with \(values)")
        }
      } catch let error as PluginError {
        try hold(error.code == .patternValues, "\(pattern) with \(values): \(error)")
        try hold(!isPossible, "\(pattern) gives no URL with \(values): \(error)")
      }
    }
    let name = made.shapes.flatMap(\.names).first ?? "a"
    for values in [["none": "x"], [name: "x", "none": "y"]] {
      let url = try? pattern.url(values)
      try hold(url == nil, "\(pattern) gives \(url?.text ?? "") with \(values)")
    }
  }

  /// Whether the longest way to read the pattern with these names has a URL with these values, and that URL is for no other
  /// way.
  private static func isPossible(_ entry: SlowEntry, _ values: [String: String]) -> Bool {
    guard let shape = entry.shapes.first(where: { Set($0.names) == Set(values.keys) }) else { return false }
    var parts: [[UInt8]] = []
    for part in shape.parts {
      switch part {
      case .text(let text): parts.append(text)
      case .value(let name, let suffix): parts.append(Array((values[name] ?? "").utf8) + suffix)
      case .rest(let name, _):
        let tail = name.flatMap { values[$0] } ?? ""
        if !tail.isEmpty {
          parts += tail.utf8.split(separator: 0x2f, omittingEmptySubsequences: false).map(Array.init)
        }
      }
    }
    guard !parts.dropFirst().contains([]),
      !parts.contains(where: { $0 == [0x2e] || $0 == [0x2e, 0x2e] || $0.contains(0x0a) })
    else { return false }
    var slow = SlowMatcher()
    slow.entries = [entry]
    let match = slow.exactMatch(SlowURL(scheme: shape.scheme, parts: parts))
    return match.map { same($0.parameters, values) } == true
  }
}
