/// The actions of a target, as they are registered: `player` is made once and called for each.
///
/// ```swift
/// try context.register(target: "Player", make: { Player() }) { actions in
///   actions.add("play") { player, input in player.play(input.text("track")) }
///   actions.add("reset", isLocal: true) { player, _ in player.reset() }
///   actions.notFound { player, name, input in "no \(name)" }
/// }
/// ```
public struct TargetActions<Instance: Sendable>: Sendable {
  private(set) var bodies: [String: ActionBody] = [:]
  private(set) var local: Set<String> = []
  private(set) var names: [String] = []
  private(set) var fallback: (@Sendable (any Sendable, String, ActionInput) throws -> (any Sendable)?)?

  init() {}

  /// Adds an action that takes values by name, from code or from a URL. Of two with one name the last counts.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - isLocal: whether only code may call it, and no URL. Names that begin with `native` are always local.
  ///   - body: its value is the result.
  public mutating func add(
    _ name: String, isLocal: Bool = false,
    _ body: @escaping @Sendable (Instance, ActionInput) throws -> (any Sendable)?
  ) {
    note(name, isLocal)
    bodies[name] = .values { instance, input in
      guard let instance = instance as? Instance else { throw Self.foreign(name) }
      return try body(instance, input)
    }
  }

  /// Adds an action that takes one value of a type; no URL can call it.
  public mutating func add<Input: Sendable>(
    _ name: String, taking type: Input.Type, _ body: @escaping @Sendable (Instance, Input) throws -> (any Sendable)?
  ) {
    note(name, true)
    bodies[name] = .value { instance, input in
      guard let instance = instance as? Instance else { throw Self.foreign(name) }
      guard let input = input as? Input else {
        throw PluginError(
          .actionType, name, "was called with a value of another type", expected: "\(Input.self)",
          found: "\(Swift.type(of: input))")
      }
      return try body(instance, input)
    }
  }

  /// What is done for actions that the target does not have, by code or by URL.
  public mutating func notFound(
    _ body: @escaping @Sendable (Instance, String, ActionInput) throws -> (any Sendable)?
  ) {
    fallback = { instance, name, input in
      guard let instance = instance as? Instance else { throw Self.foreign(name) }
      return try body(instance, name, input)
    }
  }

  private mutating func note(_ name: String, _ isLocal: Bool) {
    if !names.contains(name) { names.append(name) }
    if isLocal { local.insert(name) } else { local.remove(name) }
  }

  private static func foreign(_ name: String) -> PluginError {
    PluginError(.actionType, name, "belongs to another target")
  }
}

/// What an action does with an instance of its target.
enum ActionBody: Sendable {
  /// With values by name.
  case values(@Sendable (any Sendable, ActionInput) throws -> (any Sendable)?)
  /// With one value.
  case value(@Sendable (any Sendable, any Sendable) throws -> (any Sendable)?)
  /// With values by name, in C: it answers whenever it likes, and has no instance.
  case reply(@Sendable (ActionInput, RouteReply) -> Void)
}
