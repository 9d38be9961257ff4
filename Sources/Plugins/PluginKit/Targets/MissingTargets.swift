/// The fallbacks for calls of targets and actions that are missing.
struct MissingTargets: Sendable {
  typealias Answer = @Sendable (Targets.Missing) throws -> (any Sendable)?
  typealias Handler = @Sendable (Targets.Missing) -> Void

  /// What hears of the calls: the host's handler of all of them, a module's of its own.
  var handlers: [ModuleOwner: Handler] = [:]
  /// What answers the calls of each owner.
  var answers: [ModuleOwner: Answer] = [:]

  /// What answers a call: the fallback of its sender, else the host's.
  func answer(for sender: ModuleOwner) -> Answer? { answers[sender] ?? answers[.host] }

  /// What hears of a call of an owner.
  func handlers(for sender: ModuleOwner) -> [Handler] {
    (sender == .host ? [.host] : [sender, .host]).compactMap { handlers[$0] }
  }

  /// Removes what an owner has.
  mutating func remove(_ owner: ModuleOwner) -> [Any] {
    [handlers.removeValue(forKey: owner) as Any, answers.removeValue(forKey: owner) as Any]
  }
}

extension Targets {
  /// A call of a missing target or action, as a fallback receives it.
  public struct Missing: Sendable {
    /// The target that was called.
    public let target: String
    /// The action that was called.
    public let action: String
    /// The input of the call.
    public let input: any Sendable
    /// The owner of the code that made the call.
    public let sender: ModuleOwner
    /// What the caller gets if no fallback answers. A fallback that does not answer throws it.
    public let error: PluginError

    /// The input as values by name. One value without a name is `value`.
    public var values: [String: any Sendable] { ActionBody.named(input).values }
  }

  /// Calls a handler when a target or action is missing, before the caller gets an answer or the error. nil removes the
  /// handler.
  ///
  /// - Parameter handler: runs on the caller's thread.
  public func onMissing(_ handler: (@Sendable (Missing) -> Void)?) {
    // What the last handler holds is released outside of the lock.
    let last = state.write { state in
      defer { state.missing.handlers[.host] = handler }
      return state.missing.handlers[.host]
    }
    withExtendedLifetime(last) {}
  }

  /// - Throws: `module.removed`.
  func onMissing(of owner: ModuleOwner, _ handler: (@Sendable (Missing) -> Void)?) throws(PluginError) {
    let last = try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      defer { state.missing.handlers[owner] = handler }
      return state.missing.handlers[owner]
    }
    withExtendedLifetime(last) {}
  }

  /// Sets what answers calls of missing targets and actions. nil removes it: then such a call fails.
  ///
  /// Calls of a module for which the module has a fallback of its own, ``ModuleContext/answerMissing(_:)``, do not come
  /// here. Nor does a call of a target that belongs to a refused module.
  ///
  /// - Parameter answer: runs on the caller's thread; its value is the result of the call. To give no answer, it throws
  ///   ``Missing/error``.
  public func answerMissing(_ answer: (@Sendable (Missing) throws -> (any Sendable)?)?) {
    let last = state.write { state in
      defer { state.missing.answers[.host] = answer }
      return state.missing.answers[.host]
    }
    withExtendedLifetime(last) {}
  }

  /// - Throws: `module.removed`.
  func answerMissing(
    of owner: ModuleOwner, _ answer: (@Sendable (Missing) throws -> (any Sendable)?)?
  ) throws(PluginError) {
    let last = try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      defer { state.missing.answers[owner] = answer }
      return state.missing.answers[owner]
    }
    withExtendedLifetime(last) {}
  }

  /// Answers a call of a missing target or action, on this thread.
  ///
  /// - Throws: the error that the call has without a fallback, or what the fallback throws.
  func answer(_ call: ActionCall, missing error: PluginError) throws(PluginError) -> (any Sendable)? {
    let missing = Missing(
      target: call.target, action: call.action, input: (call.input as? UnnamedValue)?.value ?? call.input,
      sender: call.sender, error: error)
    let (handlers, answer) = state.read {
      ($0.missing.handlers(for: call.sender), $0.missing.answer(for: call.sender))
    }
    guard !handlers.isEmpty || answer != nil else { throw error }
    return try Call(.actionTooDeep, call.object).run { () throws(PluginError) in
      for handler in handlers { handler(missing) }
      guard let answer else { throw error }
      return try call.attempt { try answer(missing) }
    }
  }
}
