extension ModuleContext {
  /// Whether opening a URL would run a handler.
  public func canOpen(_ url: some RoutableURL) -> Bool { switchboard.router.canOpen(url) }

  /// Opens a URL and waits for the answer, as ``Router`` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.router.open(url, userInfo: userInfo, limit: limit)
  }

  /// Opens a URL; the answer is told once, on whatever thread it comes.
  public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit,
    completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    switchboard.router.open(url, userInfo: userInfo, limit: limit, completion: completion)
  }

  /// The object that a URL stands for; nil when there is none.
  @available(*, noasync, message: "use the form that is awaited")
  public func object(for url: some RoutableURL, userInfo: [String: any Sendable] = [:]) -> (any Sendable)? {
    switchboard.router.object(for: url, userInfo: userInfo)
  }

  /// Calls an action of a target with values by name.
  ///
  /// - Throws: `target.…`, `action.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(),
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(action, on: target, with: input, limit: limit)
  }

  /// Calls an action of a target that takes one value of a type.
  ///
  /// - Throws: `target.…`, `action.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(action, on: target, value: value, limit: limit)
  }

  /// Calls the action that a URL names, `app://Player/play?track=7`, as far as URLs may.
  ///
  /// - Throws: `target.…`, `action.…`, `url.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func perform(
    _ url: some RoutableURL, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(url, limit: limit)
  }

  /// Calls an action and takes its result for a type.
  ///
  /// - Throws: as the other form; `action.type` when the result is of another type, or there is none.
  @available(*, noasync, message: "use the form that is awaited")
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(),
    limit: Duration = Router.defaultLimit, as type: Output.Type
  ) throws(PluginError) -> Output {
    try switchboard.targets.perform(action, on: target, with: input, limit: limit, as: type)
  }

  /// A service, if somebody provides it.
  ///
  /// - Returns: nil when nobody does, or what was provided is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`.
  @available(*, noasync, message: "use the form that is awaited")
  public func instance<Service: Sendable>(of service: Service.Type) throws(PluginError) -> Service? {
    try switchboard.services.instance(of: service)
  }

  /// A service, whoever provides it; nil when nobody does.
  @available(*, noasync, message: "use the form that is awaited")
  public func resolve<Service: Sendable>(_ service: Service.Type) -> Service? {
    switchboard.services.resolve(service)
  }

  /// Makes something known, and returns when all have heard of it.
  ///
  /// - Throws: `notification.too-deep`.
  @available(*, noasync, message: "use the form that is awaited")
  public func post(
    _ notification: String, object: (any AnyObject & Sendable)? = nil, userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) {
    try switchboard.notifications.post(notification, object: object, userInfo: userInfo)
  }
}
