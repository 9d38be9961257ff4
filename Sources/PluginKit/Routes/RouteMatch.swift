/// A route that a URL is for, and what the URL has for its pattern.
public struct RouteMatch<Value: Sendable>: Sendable {
  /// The route.
  public let entry: RouteTree<Value>.Entry
  /// The URL.
  public let url: PluginURL
  /// Whether the URL is below the pattern, and nobody else serves it.
  public let isFallback: Bool
  /// The way to read the pattern by which it matched.
  let shape: PatternShape

  init(_ entry: RouteTree<Value>.Entry, _ shape: PatternShape, _ url: PluginURL, isFallback: Bool) {
    self.entry = entry
    self.shape = shape
    self.url = url
    self.isFallback = isFallback
  }

  /// Whose the route is.
  public var owner: ModuleOwner { entry.owner }
  /// The pattern that matched.
  public var pattern: RoutePattern { entry.pattern }
  /// What belongs to the route.
  public var value: Value { entry.value }

  /// The parameters of the path; a tail that has a name is one, its parts joined by slashes. A slash within a part stays `%2F`: it
  /// separates nothing.
  public var parameters: [String: String] {
    var values = shape.values(in: url.parts)
    if let name = shape.tailName { values[name] = tail.map(PatternShape.joinable).joined(separator: "/") }
    return values
  }

  /// The parts that a wildcard took, or those below the pattern of a fallback.
  public var tail: [String] { Array(url.parts.dropFirst(shape.headCount)) }

  /// Whether its pattern comes before another one that matches the same URL, in a tree of both.
  func comesBefore(_ other: PatternShape) -> Bool { !isFallback && shape.comesBefore(other) }

  var withoutValue: RouteMatch<Void> { RouteMatch<Void>(entry.withoutValue, shape, url, isFallback: isFallback) }
}
