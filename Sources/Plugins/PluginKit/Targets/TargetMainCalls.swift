/// Calls of actions from the main actor, which need not wait and whose values may stay there.
@MainActor extension Targets {
  /// Calls an action with values of any type, which never leave the main actor.
  ///
  /// - Parameters:
  ///   - action: the name of an action that was added by ``TargetActions/addMainOnly(_:_:)``.
  ///   - target: the target's name.
  ///   - values: the values, by their names.
  ///   - keepsTarget: whether to keep the target's instance for later calls.
  /// - Returns: the action's result, or the answer of a fallback for missing targets and actions, which gets no values.
  /// - Throws: `action.main-actor` for any other action; `target.…`, `action.…`, and any ``PluginError`` that the
  ///   action throws.
  @discardableResult public func performOnMain(
    _ action: String, on target: String, with values: MainInput, keepsTarget: Bool = false
  ) throws(PluginError) -> Any? {
    try performOnMain(action, on: target, with: values, keepsTarget: keepsTarget, sender: .host)
  }

  func performOnMain(
    _ action: String, on target: String, with values: MainInput, keepsTarget: Bool, sender: ModuleOwner
  ) throws(PluginError) -> Any? {
    try performOnMain(
      ActionCall(
        action, on: target, input: ActionInput(), keepsTarget: keepsTarget, limit: Router.defaultLimit, sender: sender
      ), with: values)
  }

  func performOnMain(_ call: ActionCall, with values: MainInput) throws(PluginError) -> Any? {
    switch try find(call) {
    case .missing(let error): return try answer(call, missing: error)
    case .action((let entry, .mainOnly(let run))):
      var values = values
      values.sender = call.sender
      return try Call(.actionTooDeep, call.object).run { () throws(PluginError) in
        let instance = try instance(of: entry, call)
        return try call.attempt { try run(instance, values) }
      }
    case .action:
      throw call.wrongForm("takes values that can leave the main actor", "pass an ActionInput")
    }
  }

  /// Calls an action that answers at once, whether or not it is for the main actor alone.
  ///
  /// - Parameters:
  ///   - action: the action's name.
  ///   - target: the target's name.
  ///   - input: the values.
  ///   - keepsTarget: whether to keep the target's instance for later calls.
  /// - Returns: the action's result, or the answer of a fallback for missing targets and actions.
  /// - Throws: `action.main-actor` for an action that answers later; `target.…`, `action.…`, and any ``PluginError``
  ///   that the action throws.
  @discardableResult public func performOnMain(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false
  ) throws(PluginError) -> Any? {
    try performOnMain(action, on: target, with: input, keepsTarget: keepsTarget, sender: .host)
  }

  func performOnMain(
    _ action: String, on target: String, with input: ActionInput, keepsTarget: Bool, sender: ModuleOwner
  ) throws(PluginError) -> Any? {
    let call = ActionCall(
      action, on: target, input: input, keepsTarget: keepsTarget, limit: Router.defaultLimit, sender: sender)
    switch try find(call) {
    case .action((_, .mainOnly)):
      return try performOnMain(
        action, on: target, with: MainInput(input.values), keepsTarget: keepsTarget, sender: sender)
    case .action((_, .task)), .action((_, .reply)):
      throw call.wrongForm("answers later, and the main actor does not wait", "await perform instead")
    case .action, .missing: return try perform(call)
    }
  }
}
