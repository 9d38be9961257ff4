/// A registered target.
struct TargetEntry: Sendable {
  /// Distinguishes the target from another one that had its name before.
  let id: Int
  let owner: ModuleOwner
  let name: String
  let make: @Sendable () throws -> any Sendable
  var actions: [String: ActionBody] = [:]
  var actionNames: [String] = []
  var local: Set<String> = []
  /// The actions that the module's description declares; true for an action that only code may call. nil for a target
  /// of the host, or of a plugin in C.
  var declared: [String: Bool]?
  var fallback: (@Sendable (any Sendable, String, ActionInput) throws -> (any Sendable)?)?
  var cached: (any Sendable)?

  init(id: Int, owner: ModuleOwner, name: String, make: @escaping @Sendable () throws -> any Sendable) {
    self.id = id
    self.owner = owner
    self.name = name
    self.make = make
  }

  /// Whether only code may call an action, not URLs.
  func isLocal(_ action: String) -> Bool { local.contains(action) || declared?[action] == true }

  /// The fallback for an action that the target does not have; nil for an action that is not declared.
  private func fallback(for action: String) -> (
    @Sendable (any Sendable, String, ActionInput) throws -> (any Sendable)?
  )? {
    if let declared, declared[action] == nil { return nil }
    return fallback
  }

  /// Whether a call of an action runs anything.
  func serves(_ action: String) -> Bool { actions[action] != nil || fallback(for: action) != nil }

  /// Makes a new instance.
  func instance() throws(PluginError) -> any Sendable {
    do { return try Call(.actionTooDeep, name).run(make) } catch {
      throw error as? PluginError
        ?? PluginError(.targetFailed, PluginURL.shown(name), "could not be created", cause: error)
    }
  }

  /// The input and the body of an action in C, which answers at any time; nil for any other action.
  ///
  /// - Throws: `action.type`.
  func replying(
    _ action: String, _ input: any Sendable
  ) throws(PluginError) -> (ActionInput, @Sendable (ActionInput, RouteReply) -> Void)? {
    guard case .reply(let body)? = actions[action] else { return nil }
    return (try values(action, input), body)
  }

  private func values(_ action: String, _ input: any Sendable) throws(PluginError) -> ActionInput {
    guard let values = input as? ActionInput else {
      throw PluginError(
        .actionType, "\(name).\(action)", "was called with a value of another type", expected: "ActionInput",
        found: "\(type(of: input))")
    }
    return values
  }

  /// Calls an action of an instance, on this thread.
  func call(_ action: String, _ instance: any Sendable, _ input: any Sendable) throws(PluginError) -> (any Sendable)?
  {
    do {
      switch actions[action] {
      case .value(let body): return try body(instance, input)
      case .values(let body): return try body(instance, values(action, input))
      case .reply, nil: break
      }
      if let fallback = fallback(for: action) {
        return try fallback(instance, action, input as? ActionInput ?? ActionInput(["value": input]))
      }
    } catch {
      throw error as? PluginError
        ?? PluginError(.actionFailed, PluginURL.shown("\(name).\(action)"), "failed", cause: error)
    }
    throw PluginError(.actionNotFound, PluginURL.shown("\(name).\(action)"), "is not an action of the target")
  }
}
