extension ModuleContext {
  /// Adds a route that answers at once.
  ///
  /// - Parameters:
  ///   - route: a pattern that the module's description declares.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - allowsFallback: whether the route also serves paths below its pattern that match no other route. The
  ///     description has to declare them, by the pattern followed by `/*`.
  ///   - handler: runs on the caller's thread; its value is the answer.
  /// - Returns: a registration, by which the route can be removed before its module.
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register(
    route: String, priority: Int = 0, allowsFallback: Bool = false,
    handler: @escaping @Sendable (RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Router.Registration {
    try add(route, RouteOptions(priority: priority, allowsFallback: allowsFallback), .value(handler))
  }

  /// Adds a route whose handler runs in a task, which is cancelled when nothing waits for it any longer.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register(
    route: String, priority: Int = 0, allowsFallback: Bool = false,
    task: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) throws(PluginError) -> Router.Registration {
    try add(route, RouteOptions(priority: priority, allowsFallback: allowsFallback), .task(task))
  }

  /// Adds a route whose handler answers at any time, on any thread.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register(
    route: String, priority: Int = 0, allowsFallback: Bool = false,
    replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws(PluginError) -> Router.Registration {
    try add(route, RouteOptions(priority: priority, allowsFallback: allowsFallback), .reply(replying))
  }

  /// Removes a route before its module. A handler that was already called goes on.
  ///
  /// - Returns: whether it was registered.
  @discardableResult public func remove(_ registration: Router.Registration) -> Bool {
    switchboard.router.remove(registration)
  }

  /// Adds a target with actions that the module's description declares.
  ///
  /// An action that the description declares as local has to be local here, too.
  ///
  /// - Parameters:
  ///   - target: the target's name.
  ///   - make: makes the instance that the actions receive.
  ///   - actions: adds the actions.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func register<Instance: Sendable>(
    target: String, make: @escaping @Sendable () throws -> Instance,
    actions: (inout TargetActions<Instance>) -> Void
  ) throws(PluginError) {
    try register(target: target, .anywhere(make), actions)
  }

  /// Provides a service that the module's description declares by the name of its protocol.
  ///
  /// - Throws: `service.undeclared`, `service.conflict`, `module.removed`.
  public func provide<Service: Sendable>(
    _ service: Service.Type, lifetime: Services.Lifetime = .shared,
    make: @escaping @Sendable () throws -> Service
  ) throws(PluginError) {
    try checkDeclared(service: Services.name(of: service))
    try switchboard.services.provide(service, owner: owner, lifetime: lifetime, make: make)
  }

  /// Calls a handler for an event of the application's life.
  ///
  /// - Returns: a token that ends the observation before the module is removed.
  /// - Throws: `module.removed`.
  @discardableResult public func observe(
    _ event: AppEvent, handler: @escaping @Sendable ([String: any Sendable]) -> Void
  ) throws(PluginError) -> ObservationToken {
    try switchboard.events.observe(event, owner: owner, handler: handler)
  }

  /// Calls a handler for notifications.
  ///
  /// - Returns: a token that ends the observation before the module is removed.
  /// - Throws: `module.removed`.
  @discardableResult public func observe(
    notification name: String?, object: (any AnyObject & Sendable)? = nil,
    handler: @escaping @Sendable (PluginNotification) -> Void
  ) throws(PluginError) -> ObservationToken {
    try switchboard.notifications.observe(name, object: object, owner: owner, handler: handler)
  }
}
