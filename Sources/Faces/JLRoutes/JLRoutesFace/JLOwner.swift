internal import PluginKit

/// Whose routes a ``JLRouter`` adds: a module's by its context, or the host's by its router.
enum JLOwner: Sendable {
  case host(Router)
  case module(ModuleContext)

  /// - Throws: `route.undeclared`, `route.conflict`, `module.removed`, `pattern.…`.
  func register(
    _ pattern: String, _ options: RouteOptions,
    _ handler: @escaping @Sendable (RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Router.Registration {
    switch self {
    case .host(let router):
      try router.register(router.pattern(pattern), owner: .host, options: options, handler: handler)
    case .module(let context): try context.register(route: pattern, options: options, handler: handler)
    }
  }

  /// - Throws: `route.undeclared`, `route.conflict`, `module.removed`, `pattern.…`.
  func register(
    _ pattern: String, _ options: RouteOptions, onMain: @escaping @MainActor @Sendable (RouteRequest) throws -> Any?
  ) throws(PluginError) -> Router.Registration {
    switch self {
    case .host(let router):
      try router.register(router.pattern(pattern), owner: .host, options: options, onMain: onMain)
    case .module(let context): try context.register(route: pattern, options: options, onMain: onMain)
    }
  }

  /// The routes that this face has registered for the owner, in the order of registration.
  var definitions: [(registration: Router.Registration, definition: JLRRouteDefinition)] {
    let all =
      switch self {
      case .host(let router): router.definitions(ownedBy: .host)
      case .module(let context): context.definitions
      }
    return all.compactMap { entry in
      (entry.definition as? JLRRouteDefinition).map { (entry.registration, $0) }
    }
  }

  @discardableResult func remove(_ registration: Router.Registration) -> Bool {
    switch self {
    case .host(let router): router.remove(registration)
    case .module(let context): context.remove(registration)
    }
  }

  /// - Throws: `route.undeclared`, `module.removed`.
  func setFallsBack(_ fallsBack: Bool, scheme: String) throws(PluginError) {
    switch self {
    case .host(let router): router.setFallsBack(fallsBack, scheme: scheme)
    case .module(let context): try context.setFallsBack(fallsBack, scheme: scheme)
    }
  }

  func fallsBack(scheme: String) -> Bool {
    switch self {
    case .host(let router): router.fallsBack(scheme: scheme)
    case .module(let context): context.fallsBack(scheme: scheme)
    }
  }

  /// Ends every fallback that the owner has allowed.
  func endFallbacks() {
    switch self {
    case .host(let router): router.endFallbacks(of: .host)
    case .module(let context): context.endFallbacks()
    }
  }

  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  func match(_ url: JLURL, _ parameters: [String: any Sendable]) throws(PluginError) -> RouteMatch<Void> {
    switch self {
    case .host(let router): try router.match(url, userInfo: parameters)
    case .module(let context): try context.match(url, userInfo: parameters)
    }
  }

  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the async form")
  func open(_ url: JLURL, _ parameters: [String: any Sendable]) throws(PluginError) {
    switch self {
    case .host(let router): try router.open(url, userInfo: parameters)
    case .module(let context): try context.open(url, userInfo: parameters)
    }
  }

  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  func open(_ url: JLURL, _ parameters: [String: any Sendable]) async throws(PluginError) {
    switch self {
    case .host(let router): try await router.open(url, userInfo: parameters)
    case .module(let context): try await context.open(url, userInfo: parameters)
    }
  }

  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the async form")
  @MainActor func openOnMain(
    _ url: JLURL, _ parameters: [String: any Sendable], _ mainParameters: [String: Any]
  ) throws(PluginError) {
    switch self {
    case .host(let router): try router.openOnMain(url, userInfo: parameters, mainInfo: mainParameters)
    case .module(let context): try context.openOnMain(url, userInfo: parameters, mainInfo: mainParameters)
    }
  }
}

/// A URL as JLRoutes reads it: by its path.
struct JLURL: RoutableURL, Sendable, CustomStringConvertible {
  let text: String
  let reading: PathReading

  var description: String { text }

  func pluginURL(defaultScheme: String?, accepting forms: PluginURL.Forms) throws(PluginError) -> PluginURL {
    try PluginURL(text, reading: reading, defaultScheme: defaultScheme)
  }
}
