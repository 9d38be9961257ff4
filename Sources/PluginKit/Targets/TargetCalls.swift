extension Targets {
  /// Calls an action with values by name: `perform("play", on: "Player", with: ["track": 7])`.
  ///
  /// The action runs on this thread, except an action in C, which runs on another. In tasks, use the async form.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - target: the target's name.
  ///   - input: the values.
  ///   - keepsTarget: whether to keep the target's instance for later calls. An instance that was kept is always used.
  ///   - limit: the longest time to wait for an action in C. One in Swift has no limit, because it runs on this thread.
  /// - Returns: the action's result.
  /// - Throws: `target.name`, `target.not-found`, `target.module-refused`, `target.failed`, `action.not-found`,
  ///   `action.type`, `action.failed`, `action.too-deep`, any ``PluginError`` that the action throws, and for an
  ///   action in C `route.timeout`, `route.no-answer`, `route.busy`, `plugin.failed`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try perform(ActionCall(target, action, input, keepsTarget, limit))
  }

  /// Calls an action that takes one value of a type.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - target: the target's name.
  ///   - value: the value.
  ///   - keepsTarget: whether to keep the target's instance for later calls.
  ///   - limit: the longest time to wait for an action in C.
  /// - Throws: `action.type` if the action takes another type; `target.…`, `action.…`; for an action in C also
  ///   `route.timeout`, `route.no-answer`, `route.busy` and `plugin.failed`; and any ``PluginError`` that the action
  ///   throws.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try perform(ActionCall(target, action, value, keepsTarget, limit))
  }

  /// Calls an action and casts its result to a type.
  ///
  /// - Throws: `action.type` if the result is missing or has another type; `target.…`, `action.…`; for an action
  ///   in C also `route.timeout`, `route.no-answer`, `route.busy` and `plugin.failed`; and any ``PluginError`` that
  ///   the action throws.
  @available(*, noasync, message: "use the async form")
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit, as type: Output.Type
  ) throws(PluginError) -> Output {
    let call = ActionCall(target, action, input, keepsTarget, limit)
    return try call.result(perform(call))
  }

  /// Calls an action, on this thread.
  func perform(_ call: ActionCall) throws(PluginError) -> (any Sendable)? {
    let entry = try entry(for: call)
    if let (input, body) = try entry.replying(call.action, call.input) {
      return try PendingAnswer.wait(call.limit, call.timeout) { (pending) throws(PluginError) in
        let running = try Call(.actionTooDeep, call.object, until: pending)
        pending.run(call.object, of: entry.owner, running) { body(input, $0) }
      }
    }
    return try Call(.actionTooDeep, call.object).run { () throws(PluginError) in
      let instance = try instance(of: entry, keeps: call.keepsTarget)
      do throws(PluginError) { return try entry.call(call.action, instance, call.input) } catch {
        if !entry.serves(call.action) { tellMissing(call) }
        throw error
      }
    }
  }

  /// The target of a call.
  ///
  /// - Throws: `target.name`, `target.not-found`, `target.module-refused`, `action.local`.
  func entry(for call: ActionCall) throws(PluginError) -> TargetEntry {
    try Self.checkName(call.target)
    try Self.checkName(call.action)
    let (entry, refused) = state.read { ($0.entries[call.target], $0.refused[call.target]) }
    if let url = call.url, entry?.isLocal(call.action) == true { throw Self.local(url) }
    if let entry { return entry }
    if let refused {
      throw PluginError(
        .targetModuleRefused, call.target, "belongs to \(refused.owner), which is refused", found: refused.reason,
        hint: "ask the module's publisher for a release that is accepted")
    }
    try Call(.actionTooDeep, call.object).run { tellMissing(call) }
    throw PluginError(
      .targetNotFound, call.target, "is not a target", hint: "load the module that has it")
  }

  private func instance(of entry: TargetEntry, keeps: Bool) throws(PluginError) -> any Sendable {
    if let cached = entry.cached { return cached }
    let instance = try entry.instance()
    guard keeps else { return instance }
    return state.write { state in
      // Another thread may have been first, and another target may have replaced this one.
      guard let current = state.entries[entry.name], current.id == entry.id else { return instance }
      if let cached = current.cached { return cached }
      state.entries[entry.name]?.cached = instance
      return instance
    }
  }

  private func tellMissing(_ call: ActionCall) {
    let handler = state.read { $0.onMissing }
    handler?(Missing(target: call.target, action: call.action, input: call.input))
  }
}

extension Targets {
  /// Prefixes of parameters' names that mean something to the systems whose URLs arrive here. A URL may not use them.
  private static let reserved = ["kCTMediator", "signet."]
  /// Actions with this prefix were never meant for URLs.
  private static let localPrefix = "native"

  /// Calls the action that a URL names: `app://Player/play?track=7`.
  ///
  /// The host is the target, the only segment is the action, and the parameters are the values. The decoded name is
  /// checked, so that no encoding gets around the check.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - keepsTarget: whether to keep the target's instance for later calls.
  ///   - limit: the longest time to wait for an action in C.
  /// - Returns: the action's result.
  /// - Throws: `action.url`, `action.local`, `action.reserved-key`, `url.…`; `target.…`, `action.…`; for an action in
  ///   C also `route.timeout`, `route.no-answer`, `route.busy` and `plugin.failed`; and any ``PluginError`` that the
  ///   action throws.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ url: some RoutableURL, keepsTarget: Bool = false, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try perform(call(of: url, keepsTarget, limit))
  }

  /// The call that a URL stands for.
  func call(
    of url: some RoutableURL, _ keepsTarget: Bool, _ limit: Duration
  ) throws(PluginError) -> ActionCall {
    let url = try url.pluginURL(defaultScheme: nil)
    let shown = PluginURL.shown(url.text)
    guard url.parts.count == 2, !url.host.isEmpty else {
      throw PluginError(
        .actionURL, shown, "does not name one action of a target", expected: "scheme://target/action",
        found: "\(max(url.parts.count - 1, 0)) segments")
    }
    let (target, action) = (url.parts[0], url.parts[1])
    if let key = url.query.items.first(where: { item in
      Self.reserved.contains { item.name.utf8.starts(with: $0.utf8) }
    }) {
      throw PluginError(
        .actionReservedKey, shown, "has a parameter that no URL may have", found: PluginURL.shown(key.name))
    }
    guard !action.lowercased().hasPrefix(Self.localPrefix) else { throw Self.local(url) }
    return ActionCall(target, action, ActionInput(url), keepsTarget, limit, calledBy: url)
  }

  private static func local(_ url: PluginURL) -> PluginError {
    PluginError(.actionLocal, PluginURL.shown(url.text), "names an action that URLs cannot call")
  }

  /// Calls the action that a URL names. The completion receives the answer exactly once, before this returns.
  @available(*, noasync, message: "use the async form")
  public func perform(_ url: some RoutableURL, keepsTarget: Bool = false, completion: (RouteAnswer) -> Void) {
    do { completion(.success(try perform(url, keepsTarget: keepsTarget))) } catch { completion(.failure(error)) }
  }
}
