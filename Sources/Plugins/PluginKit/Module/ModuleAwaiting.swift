/// The async calls of a module. None of them keeps a thread of the task while it waits.
extension ModuleContext {
  /// Opens a URL and waits for the answer, as ``Router`` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @discardableResult public func open(
    _ url: some RoutableURL & Sendable, userInfo: [String: any Sendable] = [:],
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await switchboard.router.open(url, userInfo: sent(userInfo), limit: limit)
  }

  /// The object that a URL stands for; nil if no object is found within the limit.
  public func object(
    for url: some RoutableURL & Sendable, userInfo: [String: any Sendable] = [:],
    limit: Duration = Router.defaultLimit
  ) async -> (any Sendable)? {
    await switchboard.router.object(for: url, userInfo: sent(userInfo), limit: limit)
  }

  /// Calls an action of a target with values by name.
  ///
  /// - Throws: `target.…`, `action.…`, `route.busy`; for an action in C also `route.timeout`, `route.no-answer` and
  ///   `plugin.failed`; and any ``PluginError`` that the action throws.
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await switchboard.targets.run(
      ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit, sender: owner))
  }

  /// Calls an action of a target that takes one value of a type.
  ///
  /// - Throws: `target.…`, `action.…`, `route.busy`; for an action in C also `route.timeout`, `route.no-answer` and
  ///   `plugin.failed`; and any ``PluginError`` that the action throws.
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await switchboard.targets.run(
      ActionCall(action, on: target, input: value, keepsTarget: keepsTarget, limit: limit, sender: owner))
  }

  /// Calls the action that a URL names, such as `app://Player/play?track=7`, if URLs may call it.
  ///
  /// - Throws: `target.…`, `action.…`, `url.…`, `route.busy`; for an action in C also `route.timeout`,
  ///   `route.no-answer` and `plugin.failed`; and any ``PluginError`` that the action throws.
  @discardableResult public func perform(
    _ url: some RoutableURL, keepsTarget: Bool = false, limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    let call = try switchboard.targets.call(of: url, keepsTarget, limit, sender: owner)
    return try await switchboard.targets.run(call)
  }

  /// Calls an action and casts its result to a type.
  ///
  /// - Throws: `action.type` if the result is missing or has another type; `target.…`, `action.…`, `route.busy`;
  ///   for an action in C also `route.timeout`, `route.no-answer` and `plugin.failed`; and any ``PluginError`` that
  ///   the action throws.
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit, as type: Output.Type
  ) async throws(PluginError) -> Output {
    let call = ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit, sender: owner)
    return try call.result(await switchboard.targets.run(call))
  }

  /// A service by its protocol, if there is a provider.
  ///
  /// - Returns: nil if there is no provider, or the provided object is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`, `route.busy`, and any ``PluginError`` that the
  ///   provider throws.
  public func instance<Service: Sendable>(of service: Service.Type) async throws(PluginError) -> Service? {
    try await switchboard.services.instance(of: service)
  }

  /// A service by its protocol; nil if no module provides it, or creating it fails.
  public func resolve<Service: Sendable>(_ service: Service.Type) async -> Service? {
    await switchboard.services.resolve(service)
  }

  /// Posts a notification, and returns when all observers have been called.
  ///
  /// - Throws: `notification.too-deep`, `route.busy`.
  public func post(
    _ notification: String, object: (any AnyObject & Sendable)? = nil, userInfo: [String: any Sendable] = [:]
  ) async throws(PluginError) {
    try await switchboard.notifications.post(notification, object: object, userInfo: userInfo)
  }
}
