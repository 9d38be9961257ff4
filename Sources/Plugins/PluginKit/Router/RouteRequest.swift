/// The input of a route's handler: the URL, its parameters, and the caller's values.
///
/// The kinds of parameters are kept apart, so that none can pass for another. ``subscript(_:)`` looks into all of
/// them.
public struct RouteRequest: Sendable {
  /// The URL that was opened.
  public let url: PluginURL
  /// The pattern of the route.
  public let pattern: RoutePattern
  /// The parameters of the path, by their names in the pattern.
  public let parameters: [String: String]
  /// The parts of the path that a wildcard matched, or that are below the pattern.
  public let tail: [String]
  /// The caller's values. They come from code, never from a URL.
  public let userInfo: [String: any Sendable]
  /// The values that the route's own matcher found.
  public let computed: [String: any Sendable]
  /// The values of parameters that are missing.
  public let defaults: [String: any Sendable]
  /// Whether the route serves the URL as a fallback: the URL is below its pattern, and no other route serves it.
  public let isFallback: Bool
  /// The owner of the code that opened the URL: the host, or a module.
  ///
  /// A module opens URLs through its own ``ModuleContext``, which says whose it is. So no module can pass for another
  /// one, or for the host.
  public let sender: ModuleOwner

  /// The parameters after the `?`.
  public var query: URLQuery { url.query }

  /// The reading of the pattern that matched.
  private let shape: PatternShape
  /// Values that only the main actor may see.
  let mainInfo: MainActorValue?

  package init<Value>(
    _ match: RouteMatch<Value>, _ userInfo: [String: any Sendable], computed: [String: any Sendable] = [:],
    defaults: [String: any Sendable] = [:], mainInfo: MainActorValue? = nil
  ) {
    url = match.url
    pattern = match.pattern
    parameters = match.parameters
    tail = match.tail
    var userInfo = userInfo
    sender = CallSender.take(from: &userInfo)
    self.userInfo = userInfo
    self.computed = computed
    self.defaults = defaults
    isFallback = match.isFallback
    shape = match.shape
    self.mainInfo = mainInfo
  }

  /// A value by its name: of the caller's values, else of ``computed``, else of the path, else of the query, else of
  /// ``defaults``.
  public subscript(name: String) -> (any Sendable)? {
    userInfo[name] ?? computed[name] ?? parameters[name] ?? query[name] ?? defaults[name]
  }

  /// A text by its name, as ``subscript(_:)`` finds it; nil also if the value is not a text.
  public func text(_ name: String) -> String? { self[name] as? String }

  /// The parameters of the path as they are written, still encoded.
  public var rawParameters: [String: String] {
    values(shape.rawParts(of: url)) { String(decoding: $0, as: UTF8.self) }
  }

  /// The parts of ``tail`` as they are written, still encoded.
  public var rawTail: [String] { Array(shape.rawParts(of: url).dropFirst(shape.headCount)) }

  /// The parameters of the path, read with another meaning of `+`.
  public func parameters(plus: PlusDecoding) -> [String: String] {
    values(shape.rawParts(of: url)) { plus.decode($0, isQuery: false) }
  }

  /// The parts of ``tail``, read with another meaning of `+`.
  public func tail(plus: PlusDecoding) -> [String] {
    rawTail.map { plus.decode(Array($0.utf8)[...], isQuery: false) }
  }

  /// The values of the path's parameters, each read from what is written.
  private func values(_ parts: [String], _ read: (ArraySlice<UInt8>) -> String) -> [String: String] {
    var result: [String: String] = [:]
    for (part, text) in zip(shape.parts, parts) {
      guard let (name, suffix) = part.parameter else { continue }
      result[name] = read(PercentCoding.dropLast(suffix.utf8.count, of: Array(text.utf8)[...]))
    }
    if let name = shape.tailName {
      result[name] = parts.dropFirst(shape.headCount).map { part in
        PatternShape.joinable(read(Array(part.utf8)[...]))
      }.joined(separator: "/")
    }
    return result
  }
}

extension RouteRequest {
  /// The values that the caller on the main actor passed beside ``userInfo``. They need not be `Sendable`. The
  /// dictionary is empty if the URL was opened in another way.
  @MainActor public var mainValues: [String: Any] { mainInfo?.value as? [String: Any] ?? [:] }
}
