/// What a module may do with targets, besides calling them.
///
/// - It may ask whether a target exists: every module may.
/// - It may have instances kept for it, and release what it keeps. An instance that others keep, too, stays for them.
/// - It may release the instance of its own target for all.
/// - It may hear of the calls of missing targets that it makes itself, and answer them, and no others.
extension ModuleContext {
  /// Whether there is a target with this name. The answer is no for a target of a refused or removed module.
  public func hasTarget(_ target: String) -> Bool { switchboard.targets.hasTarget(target) }

  /// Whether a call of an action would reach one, as ``Targets/hasAction(_:on:)`` says.
  public func hasAction(_ action: String, on target: String) -> Bool {
    switchboard.targets.hasAction(action, on: target)
  }

  /// Releases the instance of a target that is kept: of the module's own target for all, and of another one as far as
  /// this module keeps it. The next call makes a new one, if nobody else keeps it.
  ///
  /// - Parameter target: the whole name; any other text does nothing.
  /// - Returns: whether the instance was released.
  @discardableResult public func release(_ target: String) -> Bool {
    switchboard.targets.release(target, by: owner)
  }

  /// Calls a handler when this module calls a missing target or action, before it gets an answer or the error. nil
  /// removes the handler.
  ///
  /// - Parameter handler: runs on the caller's thread.
  /// - Throws: `module.removed`.
  public func onMissing(_ handler: (@Sendable (Targets.Missing) -> Void)?) throws(PluginError) {
    try switchboard.targets.onMissing(of: owner, handler)
  }

  /// Sets what answers this module's calls of missing targets and actions, instead of the host's fallback. nil removes
  /// it.
  ///
  /// - Parameter answer: runs on the caller's thread; its value is the result of the call. To give no answer, it throws
  ///   ``Targets/Missing/error``.
  /// - Throws: `module.removed`.
  public func answerMissing(
    _ answer: (@Sendable (Targets.Missing) throws -> (any Sendable)?)?
  ) throws(PluginError) {
    try switchboard.targets.answerMissing(of: owner, answer)
  }

  /// Calls an action of a target with values by name. The completion receives the answer once, on any thread.
  public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit, completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    switchboard.targets.perform(
      ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit, sender: owner),
      completion: completion)
  }

  /// Calls an action with values of any type, which never leave the main actor.
  ///
  /// - Throws: `action.main-actor` for an action that is not for the main actor alone; `target.…`, `action.…`, and any
  ///   ``PluginError`` that the action throws.
  @MainActor @discardableResult public func performOnMain(
    _ action: String, on target: String, with values: MainInput, keepsTarget: Bool = false
  ) throws(PluginError) -> Any? {
    try switchboard.targets.performOnMain(
      action, on: target, with: values, keepsTarget: keepsTarget, sender: owner)
  }

  /// Calls an action that answers at once, whether or not it is for the main actor alone.
  ///
  /// - Throws: `action.main-actor` for an action that answers later; `target.…`, `action.…`, and any ``PluginError``
  ///   that the action throws.
  @MainActor @discardableResult public func performOnMain(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false
  ) throws(PluginError) -> Any? {
    try switchboard.targets.performOnMain(action, on: target, with: input, keepsTarget: keepsTarget, sender: owner)
  }

  /// Adds a target whose instance is made on the main actor, with actions that the module's description declares.
  ///
  /// - Parameters:
  ///   - target: the target's name.
  ///   - make: makes the instance that the actions receive. A call from elsewhere waits for it up to its limit.
  ///   - actions: adds the actions.
  /// - Throws: `target.undeclared`, `target.conflict`, `target.name`, `module.removed`.
  public func register<Instance: Sendable>(
    target: String, makeOnMain make: @escaping @MainActor @Sendable () throws -> Instance,
    actions: (inout TargetActions<Instance>) -> Void
  ) throws(PluginError) {
    try register(target: target, .onMain(make), actions)
  }

  func register<Instance: Sendable>(
    target: String, _ make: TargetMaker, _ actions: (inout TargetActions<Instance>) -> Void
  ) throws(PluginError) {
    var added = TargetActions<Instance>()
    actions(&added)
    try checkDeclared(target, nil, isLocal: true)
    for action in added.names { try checkDeclared(target, action, isLocal: added.local.contains(action)) }
    try switchboard.targets.register(target, of: owner, by: make, added, declared: declaration.targets[target])
  }
}
