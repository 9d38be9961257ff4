public import PluginKit

/// The calls of the class JLRoutes, for one owner: a module or the host.
///
/// ```swift
/// let jlRoutes = JLRouter(context)
/// try jlRoutes.global().addRoute("/user/view/:userID") { parameters in true }
/// await jlRoutes.routeURL("myapp://user/view/joeldev")
/// ```
///
/// Make one for each owner. What is set here is for this owner's calls alone, and takes effect from the next call on.
public final class JLRouter: Sendable {
  let owner: JLOwner
  let settings = JLSettings()

  init(_ owner: JLOwner) { self.owner = owner }

  /// Makes the calls of a module. It can add the routes that its description declares: `*://user/view/:userID` for a
  /// route for every scheme, `thing://foo` for one of a scheme.
  public convenience init(_ context: ModuleContext) { self.init(.module(context)) }

  /// Makes the calls of a host.
  public convenience init(_ switchboard: Switchboard) { self.init(.host(switchboard.router)) }

  /// Makes the calls of a host that has only a router.
  public convenience init(_ router: Router) { self.init(.host(router)) }

  /// Makes calls on a router that nothing else uses.
  public convenience init() { self.init(Router()) }

  /// The routes for every scheme: for schemes that have no routes of their own, and for those that fall back.
  public func global() -> JLRoutes { routes(forScheme: JLRoutesGlobalRoutesScheme) }

  /// The routes of a scheme. Upper and lower case are the same.
  public func routes(forScheme scheme: String) -> JLRoutes { JLRoutes(scheme, self) }

  /// The owner's routes in all schemes, by the scheme. Schemes without routes are left out.
  public var allRoutes: [String: [JLRRouteDefinition]] {
    Set(owner.definitions.compactMap(\.definition.scheme)).reduce(into: [:]) { all, scheme in
      all[scheme] = routes(forScheme: scheme).routes
    }
  }

  /// Removes the owner's routes of a scheme, its fallback and its handler for unmatched URLs.
  public func unregisterRouteScheme(_ scheme: String) {
    let routes = routes(forScheme: scheme)
    routes.removeAllRoutes()
    routes.unmatchedURLHandler = nil
    if !routes.isGlobal { try? owner.setFallsBack(false, scheme: scheme) }
  }

  /// Removes all routes that the owner has added with this face, and all of its fallbacks and handlers for unmatched URLs.
  public func unregisterAllRouteSchemes() {
    for (registration, _) in owner.definitions { owner.remove(registration) }
    owner.endFallbacks()
    settings.set(\.unmatched, [:])
  }

  /// Whether a route matches a URL. Its handler may still decline.
  public func canRouteURL(_ url: String?) -> Bool { canRoute(url, nil) }

  /// Routes a URL: among the routes of its scheme, or among those for every scheme.
  ///
  /// - Parameters:
  ///   - url: the URL; for nil, nothing happens.
  ///   - parameters: parameters for the handler. They replace those of the URL.
  /// - Returns: whether a handler has handled it. It has not if the URL belongs to a refused module, is not valid, or its
  ///   handler failed: ``onFailure`` hears why.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func routeURL(
    _ url: String?, withParameters parameters: [String: any Sendable] = [:]
  ) -> Bool { route(url, nil, parameters) }

  /// Routes a URL. The task keeps no thread while it waits.
  ///
  /// - Returns: whether a handler has handled it.
  @discardableResult public func routeURL(
    _ url: String?, withParameters parameters: [String: any Sendable] = [:]
  ) async -> Bool { await route(url, nil, parameters) }

  /// Routes a URL on the main actor. Handlers on the main actor run at once.
  ///
  /// - Parameters:
  ///   - url: the URL; for nil, nothing happens.
  ///   - parameters: parameters for the handler. They replace those of the URL.
  ///   - mainParameters: further parameters, which need not be `Sendable`. Only handlers on the main actor get them.
  /// - Returns: whether a handler has handled it.
  @available(*, noasync, message: "use routeURL")
  @MainActor @discardableResult public func routeURLOnMain(
    _ url: String?, withParameters parameters: [String: any Sendable] = [:], mainParameters: [String: Any] = [:]
  ) -> Bool { routeOnMain(url, in: nil, parameters: parameters, mainParameters: mainParameters) }
}

extension JLRouter {
  /// Whether a `+` is a space in values of URLs. It is by default, and `%2B` is a plus.
  public var shouldDecodePlusSymbols: Bool {
    get { plusDecoding != .never }
    set { plusDecoding = newValue ? .everywhere : .never }
  }

  /// What a `+` means in values of URLs. With `evenEncoded`, `%2B` is a space, too, as it was in JLRoutes.
  public var plusDecoding: PlusDecoding {
    get { settings.read { $0.plusDecoding } }
    set { settings.set(\.plusDecoding, newValue) }
  }

  /// Whether a host is always a part of the path. By default it is not if it has a dot or is `localhost`.
  public var alwaysTreatsHostAsPathComponent: Bool {
    get { settings.read { $0.countsDomains } }
    set { settings.set(\.countsDomains, newValue) }
  }

  /// The class of definitions that adding a pattern makes.
  public var defaultRouteDefinitionClass: JLRRouteDefinition.Type {
    get { settings.read { $0.definitionClass } }
    set { settings.set(\.definitionClass, newValue) }
  }

  /// Gets a line for each step of routing; nil by default. The lines contain the values of URLs.
  public var verboseLog: (@Sendable (String) -> Void)? {
    get { settings.read { $0.verboseLog } }
    set { settings.set(\.verboseLog, newValue) }
  }

  /// Gets the errors behind a false result, and those of calls that cannot throw. `route.not-found` is not among them: for
  /// that there is ``JLRoutes/unmatchedURLHandler``. What fails within 64 of these calls is only logged.
  public var onFailure: (@Sendable (PluginError) -> Void)? {
    get { settings.read { $0.onFailure } }
    set { settings.set(\.onFailure, newValue) }
  }
}

extension JLRouter {
  private func url(_ text: String, _ routes: JLRoutes?) -> JLURL {
    let scheme = routes.map { $0.isGlobal ? "" : $0.scheme }
    return JLURL(text: text, reading: PathReading(countsDomains: alwaysTreatsHostAsPathComponent, scheme: scheme))
  }

  func canRoute(_ text: String?, _ routes: JLRoutes?) -> Bool {
    guard let text else { return false }
    return (try? owner.match(url(text, routes), [:])) != nil
  }

  func route(_ text: String?, _ routes: JLRoutes?, _ parameters: [String: any Sendable]) -> Bool {
    guard let text else { return false }
    settings.log("trying to route \(text)")
    do throws(PluginError) { try owner.open(url(text, routes), parameters) } catch {
      return notRouted(text, in: routes, parameters: parameters, error: error)
    }
    return true
  }

  func route(_ text: String?, _ routes: JLRoutes?, _ parameters: [String: any Sendable]) async -> Bool {
    guard let text else { return false }
    settings.log("trying to route \(text)")
    do throws(PluginError) { try await owner.open(url(text, routes), parameters) } catch {
      return notRouted(text, in: routes, parameters: parameters, error: error)
    }
    return true
  }

  @MainActor func routeOnMain(
    _ text: String?, in routes: JLRoutes?, parameters: [String: any Sendable], mainParameters: [String: Any]
  ) -> Bool {
    guard let text else { return false }
    settings.log("trying to route \(text)")
    do throws(PluginError) { try owner.openOnMain(url(text, routes), parameters, mainParameters) } catch {
      return notRouted(text, in: routes, parameters: parameters, error: error)
    }
    return true
  }

  /// Tells of a URL that was not routed.
  private func notRouted(
    _ text: String, in routes: JLRoutes?, parameters: [String: any Sendable], error: PluginError
  ) -> Bool {
    guard error.code == .routeNotFound else {
      failed(error)
      return false
    }
    settings.log("no route for \(text)")
    let searched = routes ?? self.routes(for: text)
    // As in the original, the routes for every scheme were searched by a call of their own.
    let all = searched.shouldFallbackToGlobalRoutes ? [global(), searched] : [searched]
    do throws(PluginError) {
      // There has to be room for telling that there was none.
      try Router.nest(text, leaving: 1) {
        for routes in all { routes.unmatchedURLHandler?(routes, text, parameters) }
      }
    } catch { failed(error) }
    return false
  }

  func failed(_ error: PluginError) {
    settings.log("\(error)")
    guard let handler = settings.read({ $0.onFailure }) else { return }
    // What fails in too many of these calls within each other is only logged.
    try? Router.nest(error.object) { handler(error) }
  }

  /// The routes of a URL's scheme, if the owner has something there; those for every scheme otherwise.
  private func routes(for text: String) -> JLRoutes {
    guard let scheme = try? PluginURL(text, reading: PathReading()).scheme, !scheme.isEmpty else { return global() }
    let routes = routes(forScheme: scheme)
    return routes.unmatchedURLHandler == nil && routes.routes.isEmpty ? global() : routes
  }
}
