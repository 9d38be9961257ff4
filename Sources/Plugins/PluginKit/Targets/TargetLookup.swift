extension Targets {
  /// Whether a call from code of an action would reach one: the target's own, or its fallback for actions that it does
  /// not have. The answer is no for a target of a refused module.
  public func hasAction(_ action: String, on target: String) -> Bool {
    state.read { state in
      guard let entry = state.entries[target] else { return false }
      return entry.actions[action] != nil || entry.fallback != nil
    }
  }
}

extension ModuleContext {
  /// Whether a call of an action would reach one, as ``Targets/hasAction(_:on:)`` says.
  public func hasAction(_ action: String, on target: String) -> Bool {
    switchboard.targets.hasAction(action, on: target)
  }
}
