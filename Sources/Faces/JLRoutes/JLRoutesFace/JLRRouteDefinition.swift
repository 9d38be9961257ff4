internal import PluginKit

/// A route: its pattern, its priority and its handler. A subclass can look at URLs in its own way.
///
/// ```swift
/// final class Weekday: JLRRouteDefinition, @unchecked Sendable {
///   override func routeResponse(for request: JLRRouteRequest) -> JLRRouteResponse {
///     request.queryParams["day"] as? String == "sunday" ? .invalidMatchResponse() : super.routeResponse(for: request)
///   }
/// }
/// ```
///
/// A definition is asked only about URLs of its ``reach``, so it can narrow its pattern and never widen it.
open class JLRRouteDefinition: @unchecked Sendable {
  // Sendable: what can change is under a lock. A subclass has to see to what it adds.

  private struct State {
    var scheme: String?
    /// The pattern with optional parts from which this one was made.
    var origin: Origin?
  }

  /// One call that added routes for a pattern with optional parts.
  final class Origin: Sendable {
    let pattern: String
    init(_ pattern: String) { self.pattern = pattern }
  }

  /// The pattern.
  public let pattern: String
  /// The priority: routes with a higher one are asked first.
  public let priority: UInt
  /// The handler; without one, the route handles every URL that it matches.
  public let handlerBlock: JLRRouteHandlerBlock?
  private let state = ReadWriteLock(State())

  /// Makes a definition.
  public required init(pattern: String, priority: UInt = 0, handlerBlock: JLRRouteHandlerBlock? = nil) {
    self.pattern = pattern
    self.priority = priority
    self.handlerBlock = handlerBlock
  }

  /// The scheme in which the route is registered; nil before that.
  public var scheme: String? { state.read { $0.scheme } }

  /// The parts of the pattern.
  public var patternPathComponents: [String] {
    (pattern.hasPrefix("/") ? pattern.dropFirst() : pattern[...])
      .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  /// The pattern of all URLs that the definition wants to be asked about. It is ``pattern``, if it is not overridden.
  ///
  /// The route is registered with this one, so a module has to declare it.
  open var reach: String { pattern }

  /// Says whether the route matches a URL, and with which parameters.
  ///
  /// It is also called to find out whether a URL can be routed, so it should have no side effects.
  open func routeResponse(for request: JLRRouteRequest) -> JLRRouteResponse {
    guard let variables = routeVariables(for: request) else { return .invalidMatchResponse() }
    return .validMatchResponse(withParameters: matchParameters(for: request, routeVariables: variables))
  }

  /// The values that the pattern has in a URL; nil if it does not match the URL.
  public func routeVariables(for request: JLRRouteRequest) -> [String: any Sendable]? {
    guard let translated = try? JLPattern(pattern, scheme: "*") else { return nil }
    if reach == pattern { return request.variables(translated, request.request) }
    // The router has matched the reach, and not the pattern.
    var tree = RouteTree<Void>()
    guard let own = try? RoutePattern(translated.text), (try? tree.insert(own, owner: .host, value: ())) != nil,
      let match = tree.match(request.request.url)
    else { return nil }
    return request.variables(translated, RouteRequest(match, [:]))
  }

  /// All parameters for the handler: those of the query, then the given ones, then those of the caller, then those that
  /// every handler gets.
  open func matchParameters(
    for request: JLRRouteRequest, routeVariables: [String: any Sendable]
  ) -> [String: any Sendable] {
    var parameters = request.queryParams
    parameters.merge(routeVariables) { $1 }
    parameters.merge(request.additionalParameters) { $1 }
    parameters.merge(defaultMatchParameters(for: request)) { $1 }
    return parameters
  }

  /// What ``matchParameters(for:routeVariables:)`` gives if nothing is overridden, in one dictionary with room for all:
  /// this runs for each URL.
  final func parameters(for request: JLRRouteRequest, _ pattern: JLPattern) -> [String: any Sendable] {
    let given = request.additionalParameters
    var parameters = request.queryParams(reserving: pattern.names.count + given.count + Self.ownKeys)
    request.setVariables(pattern, request.request, in: &parameters)
    for (name, value) in given { parameters[name] = value }
    setDefaults(for: request, in: &parameters)
    return parameters
  }

  /// How many keys of JLRoutes there are.
  private static let ownKeys = 4

  private func setDefaults(for request: JLRRouteRequest, in parameters: inout [String: any Sendable]) {
    parameters[JLRouteURLKey] = request.url
    parameters[JLRoutePatternKey] = pattern
    parameters[JLRouteSchemeKey] = scheme ?? JLRoutesGlobalRoutesScheme
  }

  /// The parameters that every handler gets: the URL, the pattern and the scheme.
  open func defaultMatchParameters(for request: JLRRouteRequest) -> [String: any Sendable] {
    var parameters: [String: any Sendable] = [:]
    setDefaults(for: request, in: &parameters)
    return parameters
  }

  /// Calls the handler, if it does not belong to the main actor.
  ///
  /// - Returns: what the handler returns: false to have the next route asked. Without a handler it is true.
  open func callHandlerBlock(withParameters parameters: [String: any Sendable]) -> Bool {
    switch handlerBlock?.body {
    case nil: true
    case .anywhere(let body): body(parameters)
    case .onMain: false
    }
  }

  /// Called when the route is registered. An override has to call this one.
  open func didBecomeRegistered(forScheme scheme: String) { state.write { $0.scheme = scheme } }

  /// Notes the call by which the route is added.
  ///
  /// - Returns: false if the route is one of another scheme already.
  func begin(_ scheme: String, _ origin: Origin?) -> Bool {
    state.write { state in
      guard state.scheme == nil || state.scheme == scheme else { return false }
      state.origin = origin
      return true
    }
  }

  /// Forgets the scheme, because the route was not registered.
  func end() { state.write { $0 = State() } }

  /// The call that added the route, if its pattern had optional parts.
  var origin: Origin? { state.read { $0.origin } }

  /// Whether this is the definition's pattern. Patterns are compared byte by byte, as the router compares URLs.
  func hasPattern(_ text: String) -> Bool { pattern.utf8.elementsEqual(text.utf8) }

  /// Whether this is the pattern with optional parts with which the route was added.
  func wasAdded(with text: String) -> Bool { origin?.pattern.utf8.elementsEqual(text.utf8) ?? false }

  /// A definition with the same values, that of the scheme among them.
  public func copy() -> Self {
    let copy = Self(pattern: pattern, priority: priority, handlerBlock: handlerBlock)
    let scheme = scheme
    copy.state.write { $0.scheme = scheme }
    return copy
  }
}

extension JLRRouteDefinition: Hashable, CustomStringConvertible {
  /// Two definitions are equal if their patterns, schemes and priorities are. Handlers do not count.
  public static func == (one: JLRRouteDefinition, other: JLRRouteDefinition) -> Bool {
    one.hasPattern(other.pattern) && one.scheme == other.scheme && one.priority == other.priority
  }

  /// Hashes what stays the same when the route is registered.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(priority)
  }

  /// The pattern and the priority.
  public var description: String { "\(pattern) (priority: \(priority))" }
}
