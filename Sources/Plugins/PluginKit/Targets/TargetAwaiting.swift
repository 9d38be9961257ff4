/// Async calls of actions.
extension Targets {
  /// Calls an action with values by name. The task keeps no thread: the action runs on one of its owner's, or on the main
  /// actor.
  ///
  /// Cancelling the task ends the wait for an action that runs as a task or replies, and cancels the former.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - target: the target's name.
  ///   - input: the values.
  ///   - keepsTarget: whether to keep the target's instance for later calls. An instance that was kept is always used.
  ///   - limit: the longest time to wait for an action that does not answer at once.
  /// - Returns: the action's result.
  /// - Throws: `target.…`, `action.…`, `route.busy`; for an action that does not answer at once also `route.timeout`,
  ///   `route.no-answer` and `route.cancelled`; and any ``PluginError`` that the action throws.
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await run(ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit))
  }

  /// Calls an action that takes one value of a type. The task keeps no thread meanwhile.
  ///
  /// - Throws: `action.type` if the action takes another type; `target.…`, `action.…`, `route.busy`; for an action that
  ///   does not answer at once also `route.timeout`, `route.no-answer` and `route.cancelled`; and any ``PluginError``
  ///   that the action throws.
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await run(ActionCall(action, on: target, input: value, keepsTarget: keepsTarget, limit: limit))
  }

  /// Calls an action and casts its result to a type. The task keeps no thread meanwhile.
  ///
  /// - Throws: `action.type` if the result is missing or has another type; `target.…`, `action.…`, `route.busy`;
  ///   for an action that does not answer at once also `route.timeout`, `route.no-answer` and `route.cancelled`; and
  ///   any ``PluginError`` that the action throws.
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit, as type: Output.Type
  ) async throws(PluginError) -> Output {
    let call = ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit)
    return try call.result(await run(call))
  }

  /// Calls the action that a URL names. The task keeps no thread meanwhile.
  ///
  /// - Throws: `action.url`, `action.local`, `action.reserved-key`, `url.…`; `target.…`, `action.…`, `route.busy`;
  ///   for an action that does not answer at once also `route.timeout`, `route.no-answer` and `route.cancelled`; and
  ///   any ``PluginError`` that the action throws.
  @discardableResult public func perform(
    _ url: some RoutableURL, keepsTarget: Bool = false, limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await run(call(of: url, keepsTarget, limit))
  }

  func run(_ call: ActionCall) async throws(PluginError) -> (any Sendable)? {
    let (owner, body) = state.read { state in
      let entry = state.entries[call.target]
      return (entry?.owner ?? .host, entry?.body(for: call))
    }
    // What answers at once, and whatever is missing, keeps the thread that it runs on.
    switch body {
    case .value, .mainOnly, nil:
      return try await HandlerThreads.of(owner).run(call.object) { () throws(PluginError) in try self.perform(call) }
    case .task, .reply, .main: break
    }
    guard case .action((let entry, let body)) = try find(call) else { return try await run(call) }
    let instance = try await instance(of: entry, call)
    do throws(PluginError) {
      return try await PendingAnswer.answer(
        cancelled: PluginError(.routeCancelled, call.object, "is no longer waited for")
      ) { (pending) throws(PluginError) in
        pending.end(after: call.limit, with: call.timeout)
        let running = try Call(.actionTooDeep, call.object, until: pending)
        body.start(call, on: instance, of: entry, in: self, as: running, answering: pending)
      }
    } catch { throw call.own(error) }
  }

  private func instance(of entry: TargetEntry, _ call: ActionCall) async throws(PluginError) -> any Sendable {
    try await HandlerThreads.of(entry.owner).run(call.object) { () throws(PluginError) in
      try self.checkPresent(entry.owner, call)
      return try self.instance(of: entry, call)
    }
  }
}
