/// What the handler of a route gets: the URL, what the pattern found in it, and what the caller gave along.
///
/// The three kinds of parameters are apart, so that none can stand for another. ``subscript(_:)`` looks into all of them.
public struct RouteRequest: Sendable {
  /// The URL that was opened.
  public let url: PluginURL
  /// The pattern of the route.
  public let pattern: RoutePattern
  /// The parameters of the path, by their names in the pattern.
  public let parameters: [String: String]
  /// The parts of the path that a wildcard took, or that are below the pattern.
  public let tail: [String]
  /// Values that the caller gave along. They come from code, never from a URL.
  public let userInfo: [String: any Sendable]
  /// Whether the URL is below the pattern of a route that allows it, and nobody else serves it.
  public let isFallback: Bool

  /// The parameters behind the `?`.
  public var query: URLQuery { url.query }

  init<Value>(_ match: RouteMatch<Value>, _ userInfo: [String: any Sendable]) {
    url = match.url
    pattern = match.pattern
    parameters = match.parameters
    tail = match.tail
    self.userInfo = userInfo
    isFallback = match.isFallback
  }

  /// A value by its name: of those that the caller gave along; else of the path; else of the query.
  public subscript(name: String) -> (any Sendable)? { userInfo[name] ?? parameters[name] ?? query[name] }

  /// A text by its name, as ``subscript(_:)`` finds it; nil also when it is no text.
  public func text(_ name: String) -> String? { self[name] as? String }
}
