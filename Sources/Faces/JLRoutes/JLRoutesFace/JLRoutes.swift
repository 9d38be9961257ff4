public import PluginKit

/// The routes of a scheme, or those for every scheme, of one owner: a module or the host.
///
/// ```swift
/// let routes = JLRouter(context).global()
/// try routes.addRoute("/user/view/:userID") { parameters in
///   show(parameters["userID"] as? String)
///   return true
/// }
/// ```
///
/// A ``JLRouter`` makes them. All routes are in the host's router. This type keeps none.
public struct JLRoutes: Sendable {
  /// What gets a URL that no route has handled: the routes that were searched, the URL, and the caller's parameters.
  public typealias UnmatchedURLHandler = @Sendable (JLRoutes, String, [String: any Sendable]) -> Void

  /// The scheme; `JLRoutesGlobalRoutesScheme` for the routes for every scheme.
  public let scheme: String
  /// The router that made this.
  public let router: JLRouter

  init(_ scheme: String, _ router: JLRouter) {
    self.scheme = scheme
    self.router = router
  }

  /// Makes routes of their own, in a router that nothing else uses.
  public init() { self = JLRouter().global() }

  /// Whether these are the routes for every scheme.
  var isGlobal: Bool { scheme == JLRoutesGlobalRoutesScheme }

  /// The scheme to compare by.
  var key: String { isGlobal ? scheme : scheme.lowercased() }

  /// The scheme in patterns of the router.
  private var patternScheme: String { isGlobal ? "*" : scheme }

  /// Whether URLs of this scheme that none of its routes handles go to the routes for every scheme.
  ///
  /// A module can allow that for a scheme of a route that its description declares; ``JLRouter/onFailure`` hears if it
  /// may not. It ends with the module. What others allow stays allowed. It means nothing for the routes for every
  /// scheme.
  public var shouldFallbackToGlobalRoutes: Bool {
    get { !isGlobal && router.owner.fallsBack(scheme: scheme) }
    nonmutating set {
      guard !isGlobal else { return }
      do throws(PluginError) { try router.owner.setFallsBack(newValue, scheme: scheme) } catch {
        router.failed(error)
      }
    }
  }

  /// Gets each URL that no route has handled. It is not called for a URL that is not valid or belongs to a refused
  /// module, and not by `canRouteURL`. If it routes URLs that no route handles either, it is called at most 63 times
  /// within itself. Then ``JLRouter/onFailure`` hears `route.too-deep`.
  public var unmatchedURLHandler: UnmatchedURLHandler? {
    get { router.settings.read { $0.unmatched[key] } }
    nonmutating set { router.settings.setUnmatched(newValue, key) }
  }

  /// The owner's routes, in the order in which they are asked.
  public var routes: [JLRRouteDefinition] { entries.map(\.definition) }

  private var entries: [(registration: Router.Registration, definition: JLRRouteDefinition)] {
    let entries = router.owner.definitions.filter { JLRoutes($0.definition.scheme ?? "", router).key == key }
    return entries.enumerated().sorted { one, other in
      let (priority, otherPriority) = (one.element.definition.priority, other.element.definition.priority)
      return priority != otherPriority ? priority > otherPriority : one.offset < other.offset
    }.map(\.element)
  }

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - routePattern: the pattern; one with optional parts adds a route for each way to read it.
  ///   - priority: routes of this owner with a higher priority are asked first, others in the order of registration.
  ///   - handler: gets the parameters, and returns false to have the next route asked.
  /// - Throws: `route.undeclared` if the module's description does not declare the pattern, `route.conflict` if it is
  ///   another owner's, `module.removed`, `pattern.…`.
  public func addRoute(
    _ routePattern: String, priority: UInt = 0,
    handler: @escaping @Sendable (JLRRouteHandlerBlock.Parameters) -> Bool
  ) throws(PluginError) {
    try addRoute(routePattern, priority: priority, handler: JLRRouteHandlerBlock(handler))
  }

  /// Adds a route with a handler of ``JLRRouteHandler``, or without any. A route without a handler handles every URL that
  /// it matches.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `module.removed`, `pattern.…`.
  public func addRoute(
    _ routePattern: String, priority: UInt = 0, handler: JLRRouteHandlerBlock? = nil
  ) throws(PluginError) {
    let definitionClass = router.settings.read { $0.definitionClass }
    let patterns = try JLPattern.expansions(of: routePattern)
    let origin = patterns == [routePattern] ? nil : JLRRouteDefinition.Origin(routePattern)
    try add(patterns.map { definitionClass.init(pattern: $0, priority: priority, handlerBlock: handler) }, origin)
  }

  /// Adds a route whose handler runs on the main actor.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `module.removed`, `pattern.…`.
  public func addRoute(
    _ routePattern: String, priority: UInt = 0, onMain: @escaping @MainActor @Sendable ([String: Any]) -> Bool
  ) throws(PluginError) {
    try addRoute(routePattern, priority: priority, handler: JLRRouteHandlerBlock(onMain: onMain))
  }

  /// Adds routes with one handler.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `module.removed`, `pattern.…`. The routes before the one that failed
  ///   stay.
  public func addRoutes(
    _ routePatterns: [String], handler: @escaping @Sendable (JLRRouteHandlerBlock.Parameters) -> Bool
  ) throws(PluginError) {
    for pattern in routePatterns { try addRoute(pattern, handler: handler) }
  }

  /// Adds a route as it is defined. Parentheses in its pattern are not optional parts.
  ///
  /// - Throws: `route.conflict` if it is one of another scheme already; `route.undeclared`, `module.removed`,
  ///   `pattern.…`.
  public func addRoute(_ routeDefinition: JLRRouteDefinition) throws(PluginError) { try add([routeDefinition], nil) }

  /// Adds all routes or none.
  private func add(_ definitions: [JLRRouteDefinition], _ origin: JLRRouteDefinition.Origin?) throws(PluginError) {
    guard isGlobal || !scheme.hasPrefix("*") else {
      throw PluginError(
        .patternMalformed, PluginURL.shown(scheme), "is not a valid scheme",
        hint: "add routes for every scheme to global()")
    }
    var added: [Router.Registration] = []
    do throws(PluginError) {
      for definition in definitions {
        guard definition.begin(scheme, origin) else {
          throw PluginError(
            .routeConflict, PluginURL.shown(definition.pattern), "is already registered for another scheme",
            expected: PluginURL.shown(scheme), found: definition.scheme.map(PluginURL.shown), hint: "add a copy")
        }
        added.append(try register(definition))
      }
    } catch {
      for registration in added { router.owner.remove(registration) }
      throw error
    }
  }

  private func register(_ definition: JLRRouteDefinition) throws(PluginError) -> Router.Registration {
    let pattern = try JLPattern(definition.reach, scheme: patternScheme)
    var options = RouteOptions(ownPriority: Int(clamping: definition.priority), equals: .inOrder)
    options.ownOrder = .byRegistration
    options.ignoresFragmentPaths = false
    options.definition = definition
    options.isAlive = definition.handlerBlock?.isAlive
    let settings = router.settings
    let isPlain = type(of: definition) == JLRRouteDefinition.self
    if !isPlain {
      options.matcher = { request in
        let response = definition.routeResponse(for: JLRRouteRequest(request, settings.read { $0.plusDecoding }))
        return response.isMatch ? response.parameters : nil
      }
    }
    let parameters = { @Sendable (request: RouteRequest) -> [String: any Sendable] in
      guard isPlain else { return request.computed }
      let own = JLRRouteRequest(request, settings.read { $0.plusDecoding })
      return definition.parameters(for: own, pattern)
    }
    // A handler can run as soon as the route is there.
    let before = definition.scheme
    definition.didBecomeRegistered(forScheme: scheme)
    do throws(PluginError) {
      guard case .onMain(let body)? = definition.handlerBlock?.body else {
        return try router.owner.register(pattern.text, options) { request in
          let parameters = parameters(request)
          settings.log("\(definition) matches with \(parameters)")
          guard definition.callHandlerBlock(withParameters: parameters) else { throw RouteDeclined() }
          return true
        }
      }
      return try router.owner.register(
        pattern.text, options,
        onMain: { request in
          var values: [String: Any] = parameters(request)
          values.merge(request.mainValues) { $1 }
          let own = JLRRouteRequest(request, settings.read { $0.plusDecoding })
          values.merge(definition.defaultMatchParameters(for: own)) { $1 }
          guard body(values) else { throw RouteDeclined() }
          return true
        })
    } catch {
      if before == nil { definition.end() }
      throw error
    }
  }
}

extension JLRoutes {
  /// Removes the owner's routes that are equal to a definition.
  public func removeRoute(_ routeDefinition: JLRRouteDefinition) {
    for entry in entries where entry.definition == routeDefinition { router.owner.remove(entry.registration) }
  }

  /// Removes the first route of the owner with a pattern. For a pattern with optional parts, all routes that were added
  /// with it in one call are removed.
  public func removeRoute(withPattern routePattern: String) {
    let entries = entries
    guard
      let first = entries.first(where: {
        $0.definition.hasPattern(routePattern) || $0.definition.wasAdded(with: routePattern)
      })
    else { return }
    guard !first.definition.hasPattern(routePattern) else {
      router.owner.remove(first.registration)
      return
    }
    for entry in entries where entry.definition.origin === first.definition.origin {
      router.owner.remove(entry.registration)
    }
  }

  /// Removes all routes that the owner has here.
  public func removeAllRoutes() { for entry in entries { router.owner.remove(entry.registration) } }

  /// The handler of the first route of the owner with a pattern. Setting one adds a route, and setting nil removes one.
  ///
  /// A subscript cannot throw: ``JLRouter/onFailure`` hears of a route that cannot be added.
  public subscript(routePattern: String) -> JLRRouteHandlerBlock? {
    get { routes.first { $0.hasPattern(routePattern) || $0.wasAdded(with: routePattern) }?.handlerBlock }
    nonmutating set {
      guard let newValue else { return removeRoute(withPattern: routePattern) }
      do throws(PluginError) { try addRoute(routePattern, handler: newValue) } catch { router.failed(error) }
    }
  }

  /// Whether a route of this scheme matches a URL, whatever the URL's own scheme. Its handler may still decline.
  public func canRouteURL(_ url: String?) -> Bool { router.canRoute(url, self) }

  /// Routes a URL among the routes of this scheme, whatever the URL's own scheme.
  ///
  /// - Parameters:
  ///   - url: the URL; for nil, nothing happens.
  ///   - parameters: parameters for the handler. They replace those of the URL.
  /// - Returns: whether a handler has handled it.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func routeURL(
    _ url: String?, withParameters parameters: [String: any Sendable] = [:]
  ) -> Bool { router.route(url, self, parameters) }

  /// Routes a URL among the routes of this scheme. The task keeps no thread while it waits.
  ///
  /// - Returns: whether a handler has handled it.
  @discardableResult public func routeURL(
    _ url: String?, withParameters parameters: [String: any Sendable] = [:]
  ) async -> Bool { await router.route(url, self, parameters) }

  /// Routes a URL on the main actor among the routes of this scheme, as ``JLRouter`` does.
  ///
  /// - Returns: whether a handler has handled it.
  @available(*, noasync, message: "use routeURL")
  @MainActor @discardableResult public func routeURLOnMain(
    _ url: String?, withParameters parameters: [String: any Sendable] = [:], mainParameters: [String: Any] = [:]
  ) -> Bool { router.routeOnMain(url, in: self, parameters: parameters, mainParameters: mainParameters) }
}
