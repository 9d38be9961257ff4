public import PluginKit

/// What a ``JLRRouteDefinition`` looks at: a URL, and what the caller passed beside it.
public struct JLRRouteRequest: Sendable {
  /// The URL as it was given.
  public var url: String { request.url.text }
  /// The parts of the path that patterns see: the host, if it counts, and the segments. They are decoded, and a `+` is a
  /// plus.
  public var pathComponents: [String] {
    switch request.url.partCount {
    case 0: []
    default: (request.url.form == .opaque ? [] : [request.url.host]) + request.url.segments
    }
  }
  /// The parameters after the `?` and in the fragment. A name with several values has them as a `[String]`. A name
  /// without a value is left out, and so is a key of JLRoutes.
  public var queryParams: [String: any Sendable] { queryParams(reserving: 0) }

  /// The parameters of the query, in a dictionary that has room for so many others.
  func queryParams(reserving room: Int) -> [String: any Sendable] {
    var items = request.url.query(plus: plusDecoding).items
    if request.url.fragment != nil { items += request.url.fragmentQuery(plus: plusDecoding).items }
    var values: [String: any Sendable] = [:]
    values.reserveCapacity(items.count + room)
    for item in items where !Self.isReserved(item.name) {
      guard let value = item.value else { continue }
      switch values[item.name] {
      case let known as String: values[item.name] = [known, value]
      case let known as [String]: values[item.name] = known + [value]
      default: values[item.name] = value
      }
    }
    return values
  }
  /// The parameters that the caller passed.
  public var additionalParameters: [String: any Sendable] { request.userInfo }
  /// What a `+` means.
  public let plusDecoding: PlusDecoding

  /// Whether a name is one of JLRoutes' own.
  private static func isReserved(_ name: String) -> Bool {
    name.utf8.starts(with: "JLRoute".utf8)
      && [JLRoutePatternKey, JLRouteURLKey, JLRouteSchemeKey, JLRouteWildcardComponentsKey].contains(name)
  }

  let request: RouteRequest

  init(_ request: RouteRequest, _ plusDecoding: PlusDecoding) {
    self.request = request
    self.plusDecoding = plusDecoding
  }

  /// The values of a pattern that matched.
  func variables(_ pattern: JLPattern, _ request: RouteRequest) -> [String: any Sendable] {
    var result: [String: any Sendable] = [:]
    setVariables(pattern, request, in: &result)
    return result
  }

  /// Sets the values of a pattern that matched.
  func setVariables(_ pattern: JLPattern, _ request: RouteRequest, in result: inout [String: any Sendable]) {
    // Only few URLs have what another meaning of `+` would change.
    let isPlain =
      switch plusDecoding {
      case .never, .inQuery: true
      case .everywhere: !request.url.text.utf8.contains(UInt8(ascii: "+"))
      case .evenEncoded: false
      }
    if !pattern.names.isEmpty {
      let values = isPlain ? request.parameters : request.parameters(plus: plusDecoding)
      for (name, inText) in pattern.names { result[name] = values[inText] }
    }
    if pattern.hasWildcard {
      result[JLRouteWildcardComponentsKey] = isPlain ? request.tail : request.tail(plus: plusDecoding)
    }
  }
}

/// What a ``JLRRouteDefinition`` says about a request.
public struct JLRRouteResponse: Sendable {
  /// Whether the route matches.
  public let isMatch: Bool
  /// The parameters for the handler; none if the route does not match.
  public let parameters: [String: any Sendable]

  /// The response of a route that does not match.
  public static func invalidMatchResponse() -> JLRRouteResponse {
    JLRRouteResponse(isMatch: false, parameters: [:])
  }

  /// The response of a route that matches.
  public static func validMatchResponse(withParameters parameters: [String: any Sendable]) -> JLRRouteResponse {
    JLRRouteResponse(isMatch: true, parameters: parameters)
  }
}
