public import PluginKit

/// MGJRouter's calls on PluginKit's router.
///
/// A host has one for its switchboard, and each module has one for its own context. Each registration belongs to
/// that host or module. A module registers only what its signed description declares.
///
/// ```swift
/// let router = MGJRouter(switchboard)
/// try router.registerURLPattern("mgj://search/:query") { parameters in
///   print(parameters["query"] ?? "nothing")
/// }
/// router.openURL("mgj://search/bicycle?color=red")
/// ```
///
/// It holds nothing else: PluginKit has the routes, and decides which one serves a URL.
public struct MGJRouter: Sendable {
  enum Side {
    case host(Router)
    case module(ModuleContext)
  }

  let side: Side

  /// Makes the router of a host.
  public init(_ switchboard: Switchboard) { side = .host(switchboard.router) }

  /// Makes the router of a module.
  public init(_ context: ModuleContext) { side = .module(context) }

  /// Registers a handler. It replaces whatever this owner has registered for the same URLs.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves, such as `mgj://beauty/:id`. A pattern without a scheme needs a switchboard
  ///     with a default scheme. `~` at the end stands for everything below. A query has no meaning.
  ///   - allowsFallback: whether the handler also serves URLs below the pattern that no other pattern matches. A module
  ///     has to declare these, by the pattern followed by `/*`.
  ///   - handler: runs on the caller's thread.
  /// - Throws: `pattern.…`, `route.conflict` if another owner has the pattern, `route.undeclared`, `module.removed`.
  public func registerURLPattern(
    _ pattern: String, allowsFallback: Bool = true, toHandler handler: @escaping MGJRouterHandler
  ) throws(PluginError) {
    try register(MGJPattern(pattern), for: .open, allowsFallback: allowsFallback) { parameters in
      try handler(parameters)
      return nil
    }
  }

  /// Registers a handler that returns an object, which only `object(forURL:)` and `objectOnMain(forURL:)` call. It
  /// replaces whatever this owner has registered for the same URLs. The closure needs its label: one without is a
  /// handler without an object.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - allowsFallback: whether the handler also serves URLs below the pattern that no other pattern matches.
  ///   - handler: runs on the caller's thread. Its value is the object.
  /// - Throws: as for a handler without an object.
  @_disfavoredOverload
  public func registerURLPattern(
    _ pattern: String, allowsFallback: Bool = true, toObjectHandler handler: @escaping MGJRouterObjectHandler
  ) throws(PluginError) {
    try register(MGJPattern(pattern), for: .object, allowsFallback: allowsFallback, handler)
  }

  /// Registers a handler that runs on the main actor.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - allowsFallback: whether the handler also serves URLs below the pattern that no other pattern matches.
  ///   - handler: runs on the main actor.
  /// - Throws: as for a handler on the caller's thread.
  public func registerURLPatternOnMain(
    _ pattern: String, allowsFallback: Bool = true, toHandler handler: @escaping MGJRouterMainHandler
  ) throws(PluginError) {
    try registerOnMain(MGJPattern(pattern), for: .open, allowsFallback: allowsFallback) { parameters in
      try handler(parameters)
      return nil
    }
  }

  /// Registers a handler on the main actor that returns an object, which need not be `Sendable`.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - allowsFallback: whether the handler also serves URLs below the pattern that no other pattern matches.
  ///   - handler: runs on the main actor. Its value is the object.
  /// - Throws: as for a handler on the caller's thread.
  @_disfavoredOverload
  public func registerURLPatternOnMain(
    _ pattern: String, allowsFallback: Bool = true, toObjectHandler handler: @escaping MGJRouterMainObjectHandler
  ) throws(PluginError) {
    try registerOnMain(MGJPattern(pattern), for: .object, allowsFallback: allowsFallback, handler)
  }

  /// Removes the handler of a pattern. Handlers of longer patterns stay.
  ///
  /// - Returns: whether this owner had one.
  @discardableResult public func deregisterURLPattern(_ pattern: String) -> Bool {
    let text = MGJPattern(pattern).text
    // What is no pattern was never registered.
    let count =
      switch side {
      case .host(let router): (try? router.pattern(text)).map { router.remove($0, ownedBy: .host) }
      case .module(let context): try? context.remove(route: text)
      }
    return (count ?? 0) > 0
  }

  private func options(_ pattern: MGJPattern, _ uses: RouteUses, _ allowsFallback: Bool) -> RouteOptions {
    var options = RouteOptions(allowsFallback: allowsFallback && !pattern.isWildcard, equals: .replaced)
    options.uses = uses
    return options
  }

  private func register(
    _ pattern: MGJPattern, for uses: RouteUses, allowsFallback: Bool, _ handler: @escaping MGJRouterObjectHandler
  ) throws(PluginError) {
    let options = options(pattern, uses, allowsFallback)
    let body: @Sendable (RouteRequest) throws -> (any Sendable)? = { request in
      try handler(MGJRouterParameters(request, pattern))
    }
    switch side {
    case .host(let router):
      try router.register(router.pattern(pattern.text), owner: .host, options: options, handler: body)
    case .module(let context): try context.register(route: pattern.text, options: options, handler: body)
    }
  }

  private func registerOnMain(
    _ pattern: MGJPattern, for uses: RouteUses, allowsFallback: Bool, _ handler: @escaping MGJRouterMainObjectHandler
  ) throws(PluginError) {
    let options = options(pattern, uses, allowsFallback)
    let body: @MainActor @Sendable (RouteRequest) throws -> Any? = { request in
      try handler(MGJRouterMainParameters(MGJRouterParameters(request, pattern)))
    }
    switch side {
    case .host(let router):
      try router.register(router.pattern(pattern.text), owner: .host, options: options, onMain: body)
    case .module(let context): try context.register(route: pattern.text, options: options, onMain: body)
    }
  }

  /// Whether opening a URL would run a handler.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - exactly: whether to leave out handlers of patterns above the URL.
  public func canOpenURL(_ url: some RoutableURL, matchExactly exactly: Bool = false) -> Bool {
    switch side {
    case .host(let router): router.canOpen(url, exactly: exactly)
    case .module(let context): context.canOpen(url, exactly: exactly)
    }
  }

  // MARK: Generating

  /// Makes a URL of a pattern and values, each of which is encoded.
  ///
  /// - Parameters:
  ///   - pattern: the pattern, with or without a scheme. Its query may have parameters, too: `mgj://list?page=:page`.
  ///   - parameters: a value for each parameter, in their order.
  /// - Returns: a URL that the pattern matches with exactly these values. It has a scheme if the pattern has one.
  /// - Throws: `pattern.values` if there are more or fewer values than parameters, or no URL can have these values;
  ///   `pattern.…`.
  public static func generateURL(
    withPattern pattern: String, parameters: [any LosslessStringConvertible]
  ) throws(PluginError) -> String {
    try MGJPattern(pattern).url(parameters.map { "\($0)" })
  }

  /// Makes a URL of a pattern and values, as the static form does.
  ///
  /// - Parameters:
  ///   - pattern: the pattern, with or without a scheme.
  ///   - parameters: a value for each parameter, in their order.
  /// - Throws: `pattern.…`.
  public func generateURL(
    withPattern pattern: String, parameters: [any LosslessStringConvertible]
  ) throws(PluginError) -> String {
    try Self.generateURL(withPattern: pattern, parameters: parameters)
  }
}
