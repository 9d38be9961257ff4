extension Targets {
  /// Calls an action with values by name: `perform("play", on: "Player", with: ["track": 7])`.
  ///
  /// An action that answers at once runs on this thread, or on the main actor if it is one of its own. Any other runs on
  /// a thread of its owner. In tasks, use the async form.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - target: the target's name.
  ///   - input: the values.
  ///   - keepsTarget: whether to keep the target's instance for later calls. An instance that was kept is always used.
  ///   - limit: the longest time to wait for an action that runs on another thread. One on this thread has no limit.
  /// - Returns: the action's result, or the answer of a fallback for missing targets and actions.
  /// - Throws: `target.name`, `target.not-found`, `target.module-refused`, `target.failed`, `action.not-found`,
  ///   `action.type`, `action.main-actor`, `action.failed`, `action.too-deep`, any ``PluginError`` that the action
  ///   throws, and for an action that runs on another thread `route.timeout`, `route.no-answer`, `route.busy`; in C
  ///   also `plugin.failed`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try perform(ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit))
  }

  /// Calls an action that takes one value of a type.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - target: the target's name.
  ///   - value: the value.
  ///   - keepsTarget: whether to keep the target's instance for later calls.
  ///   - limit: the longest time to wait for an action that runs on another thread.
  /// - Throws: `action.type` if the action takes another type; `target.…`, `action.…`; for an action that runs on
  ///   another thread also `route.timeout`, `route.no-answer`, `route.busy`; and any ``PluginError`` that the action
  ///   throws.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try perform(ActionCall(action, on: target, input: value, keepsTarget: keepsTarget, limit: limit))
  }

  /// Calls an action and casts its result to a type.
  ///
  /// - Throws: `action.type` if the result is missing or has another type; `target.…`, `action.…`; for an action
  ///   that runs on another thread also `route.timeout`, `route.no-answer`, `route.busy`; and any ``PluginError``
  ///   that the action throws.
  @available(*, noasync, message: "use the async form")
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit, as type: Output.Type
  ) throws(PluginError) -> Output {
    let call = ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit)
    return try call.result(perform(call))
  }

  /// Calls an action, and waits for its answer.
  func perform(_ call: ActionCall) throws(PluginError) -> (any Sendable)? {
    let entry: TargetEntry
    let body: ActionBody
    switch try find(call) {
    case .missing(let error): return try answer(call, missing: error)
    case .action(let found): (entry, body) = found
    }
    switch body {
    case .value(let run):
      return try Call(.actionTooDeep, call.object).run { () throws(PluginError) in
        let instance = try instance(of: entry, call)
        return try call.attempt { try run(instance, call.input) }
      }
    case .main(let run):
      return try Call(.actionTooDeep, call.object).run { () throws(PluginError) in
        let instance = try instance(of: entry, call)
        return try MainThread.run(call.limit, call.timeout) { () throws(PluginError) in
          try self.checkPresent(entry.owner, call)
          return try call.attempt { try run(instance, call.input) }
        }
      }
    case .mainOnly:
      throw call.wrongForm("is for the main actor alone", "call it by performOnMain, on the main actor")
    case .task, .reply:
      let instance = try instance(of: entry, call)
      do throws(PluginError) {
        return try PendingAnswer.wait(call.limit, call.timeout) { (pending) throws(PluginError) in
          let running = try Call(.actionTooDeep, call.object, until: pending)
          body.start(call, on: instance, of: entry, in: self, as: running, answering: pending)
        }
      } catch { throw call.own(error) }
    }
  }

  /// Calls an action with values by name. The completion receives the answer once, on any thread.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - target: the target's name.
  ///   - input: the values.
  ///   - keepsTarget: whether to keep the target's instance for later calls.
  ///   - limit: the longest time to wait for an action that does not answer at once.
  ///   - completion: receives the action's result, or an error. It was called before this returns if the action
  ///     answers at once.
  public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit, completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    perform(
      ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit), completion: completion)
  }

  /// Calls an action, without waiting for one that answers later.
  func perform(_ call: ActionCall, completion: @escaping @Sendable (RouteAnswer) -> Void) {
    let pending = PendingAnswer { answer in completion(answer.mapError { call.own($0) }) }
    do throws(PluginError) {
      guard case .action((let entry, let body)) = try find(call), body.answersLater else {
        pending.finish(.success(try perform(call)))
        return
      }
      let instance = try instance(of: entry, call)
      pending.end(after: call.limit, with: call.timeout)
      let running = try Call(.actionTooDeep, call.object, until: pending)
      body.start(call, on: instance, of: entry, in: self, as: running, answering: pending)
    } catch { pending.finish(.failure(error)) }
  }

  /// What a call runs, or the error if that is missing.
  enum Found {
    case action((TargetEntry, ActionBody))
    case missing(PluginError)
  }

  /// Finds the target and action of a call.
  ///
  /// - Throws: `target.name`, `target.module-refused`, `action.local`.
  func find(_ call: ActionCall) throws(PluginError) -> Found {
    try Self.checkName(call.target)
    try Self.checkName(call.action)
    let (entry, refused) = state.read { ($0.entries[call.target], $0.refused[call.target]) }
    if let url = call.url, entry?.isLocal(call.action) == true { throw Self.local(url) }
    if let entry {
      guard let body = entry.body(for: call) else { return .missing(call.notFound) }
      return .action((entry, body))
    }
    if let refused {
      throw PluginError(
        .targetModuleRefused, call.target, "belongs to \(refused.owner), which is refused", found: refused.reason,
        hint: "ask the module's publisher for a release that is accepted")
    }
    return .missing(call.targetNotFound)
  }

  /// Makes sure that the owner of a target is still there, when its action can begin at last.
  ///
  /// - Throws: `target.not-found`.
  func checkPresent(_ owner: ModuleOwner, _ call: ActionCall) throws(PluginError) {
    if state.read({ $0.removed.contains(owner) }) { throw call.targetNotFound }
  }

  /// The instance that a call uses: the one that is kept, or a new one.
  func instance(of entry: TargetEntry, _ call: ActionCall) throws(PluginError) -> any Sendable {
    let kept = entry.kept[call.cache]
    if let kept, !call.keepsTarget || kept.keepers.contains(call.sender) { return kept.instance }
    let instance = if let kept { kept.instance } else { try entry.instance(call.limit) }
    guard call.keepsTarget else { return instance }
    return state.write { state in
      // Another thread may have been first, and another target may have replaced this one.
      guard let current = state.entries[entry.name], current.id == entry.id,
        !state.removed.contains(call.sender)
      else { return instance }
      let kept = current.kept[call.cache]?.instance ?? instance
      state.entries[entry.name]?.kept[call.cache, default: KeptInstance(kept)].keepers.insert(call.sender)
      return kept
    }
  }
}

extension ActionBody {
  /// Whether the answer comes from another thread: for the main actor's, unless this is its thread.
  var answersLater: Bool {
    switch self {
    case .value, .mainOnly: false
    case .main: !MainThread.isMainActor
    case .task, .reply: true
    }
  }

  /// Starts an action that answers later, on a thread of its owner or on the main actor. It does not begin if the owner
  /// is removed before.
  func start(
    _ call: ActionCall, on instance: any Sendable, of entry: TargetEntry, in targets: Targets, as running: Call,
    answering pending: PendingAnswer
  ) {
    let owner = entry.owner
    switch self {
    case .task(let body):
      let threads = HandlerThreads.of(owner)
      guard threads.hasRoom else { return running.run { pending.finish(.failure(.busy(call.object))) } }
      running.run {
        let task = Task(executorPreference: threads) {
          // By the time that there is a thread, the caller may no longer wait.
          guard pending.isPending else { return }
          do {
            try targets.checkPresent(owner, call)
            pending.finish(.success(try await body(instance, call.input)))
          } catch { pending.finish(.failure(call.failure(error))) }
        }
        pending.onFinish { task.cancel() }
      }
    case .reply(let body):
      pending.run(call.object, of: owner, running) { reply in
        do throws(PluginError) { try targets.checkPresent(owner, call) } catch {
          reply.fail(error)
          return
        }
        body(instance, call.input, reply)
      }
    case .main(let body):
      running.run {
        MainThread.start(answering: pending) { () throws(PluginError) in
          try targets.checkPresent(owner, call)
          return try call.attempt { try body(instance, call.input) }
        }
      }
    case .value, .mainOnly: running.run { _ = pending.finish(.failure(call.notFound)) }
    }
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
  ///   - limit: the longest time to wait for an action that runs on another thread.
  /// - Returns: the action's result.
  /// - Throws: `action.url`, `action.local`, `action.reserved-key`, `url.…`; `target.…`, `action.…`; for an action that
  ///   runs on another thread also `route.timeout`, `route.no-answer`, `route.busy`; and any ``PluginError`` that the
  ///   action throws.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ url: some RoutableURL, keepsTarget: Bool = false, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try perform(call(of: url, keepsTarget, limit))
  }

  /// The call that a URL stands for.
  func call(
    of url: some RoutableURL, _ keepsTarget: Bool, _ limit: Duration, sender: ModuleOwner = .host,
    cache: TargetCache = .shared
  ) throws(PluginError) -> ActionCall {
    let url = try url.pluginURL(defaultScheme: nil)
    var shown: String { PluginURL.shown(url.text) }
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
    return ActionCall(
      action, on: target, input: ActionInput(url), keepsTarget: keepsTarget, limit: limit, calledBy: url,
      sender: sender, cache: cache)
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
