/// The actions of a target, as they are registered. Each action receives the target's instance, here `player`.
///
/// ```swift
/// try context.register(target: "Player", make: { Player() }) { actions in
///   actions.add("play") { player, input in player.play(input.text("track")) }
///   actions.add("load", task: { player, input in try await player.load(input.text("track")) })
///   actions.add("reset", isLocal: true) { player, _ in player.reset() }
///   actions.notFound { player, name, input in "no \(name)" }
/// }
/// ```
public struct TargetActions<Instance: Sendable>: Sendable {
  private(set) var bodies: [String: ActionBody] = [:]
  private(set) var local: Set<String> = []
  private(set) var names: [String] = []
  private(set) var fallback: (@Sendable (String) -> ActionBody)?

  package init() {}

  /// Adds an action that takes values by name, from code or from a URL. If two have one name, the last one counts.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - isLocal: whether only code may call it, not URLs. Names that begin with `native` are always local.
  ///   - body: runs on the caller's thread; its value is the result.
  public mutating func add(
    _ name: String, isLocal: Bool = false,
    _ body: @escaping @Sendable (Instance, ActionInput) throws -> (any Sendable)?
  ) {
    note(name, isLocal, .value(Self.receiving(name, body)))
  }

  /// Adds an action that runs in a task, which is cancelled when nothing waits for it any longer.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - isLocal: whether only code may call it, not URLs.
  ///   - task: runs on a thread of the target's owner; its value is the result. The caller's limit applies.
  public mutating func add(
    _ name: String, isLocal: Bool = false,
    task: @escaping @Sendable (Instance, ActionInput) async throws -> (any Sendable)?
  ) {
    note(name, isLocal, .task(Self.awaiting(name, task)))
  }

  /// Adds an action that answers at any time, on any thread.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - isLocal: whether only code may call it, not URLs.
  ///   - replying: runs on a thread of the target's owner, and receives the reply to answer with. The caller's limit
  ///     applies to the answer.
  public mutating func add(
    _ name: String, isLocal: Bool = false,
    replying: @escaping @Sendable (Instance, ActionInput, RouteReply) -> Void
  ) {
    note(name, isLocal, .reply(Self.replying(name, replying)))
  }

  /// Adds an action that runs on the main actor, wherever it is called from.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - isLocal: whether only code may call it, not URLs.
  ///   - body: its value is the result. The caller's limit applies if the caller is elsewhere.
  public mutating func addOnMain(
    _ name: String, isLocal: Bool = false,
    _ body: @escaping @MainActor @Sendable (Instance, ActionInput) throws -> (any Sendable)?
  ) {
    note(
      name, isLocal,
      .main { instance, input in
        let (instance, input) = try Self.cast(name, instance, input, as: ActionInput.self)
        return try body(instance, input)
      })
  }

  /// Adds an action that only the main actor calls, by `Targets.performOnMain(_:on:with:keepsTarget:)`. Its values
  /// and its result can be of any type. URLs cannot call it.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - body: its value is the result.
  public mutating func addMainOnly(
    _ name: String, _ body: @escaping @MainActor @Sendable (Instance, MainInput) throws -> Any?
  ) {
    note(
      name, true,
      .mainOnly { instance, input in
        guard let instance = instance as? Instance else { throw Self.foreign(name) }
        return try body(instance, input)
      })
  }

  /// Adds an action that takes one value of a type. URLs cannot call it.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - type: the type of the value. A call with a value of another type fails with `action.type`.
  ///   - body: runs on the caller's thread; its value is the result.
  public mutating func add<Input: Sendable>(
    _ name: String, taking type: Input.Type, _ body: @escaping @Sendable (Instance, Input) throws -> (any Sendable)?
  ) {
    note(name, true, .value(Self.receiving(name, body)))
  }

  /// Adds an action that takes one value of a type, and runs in a task. URLs cannot call it.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - type: the type of the value. A call with a value of another type fails with `action.type`.
  ///   - task: runs on a thread of the target's owner; its value is the result. The caller's limit applies.
  public mutating func add<Input: Sendable>(
    _ name: String, taking type: Input.Type,
    task: @escaping @Sendable (Instance, Input) async throws -> (any Sendable)?
  ) {
    note(name, true, .task(Self.awaiting(name, task)))
  }

  /// Sets the fallback for actions that the target does not have.
  ///
  /// For a module's target, a URL reaches it only by an action that the module's description declares. Code reaches it
  /// by any action.
  ///
  /// - Parameter body: receives the instance, the name of the action and the values; its value is the result.
  public mutating func notFound(
    _ body: @escaping @Sendable (Instance, String, ActionInput) throws -> (any Sendable)?
  ) {
    fallback = { name in
      .value { instance, input in
        guard let instance = instance as? Instance else { throw Self.foreign(name) }
        return try body(instance, name, ActionBody.named(input))
      }
    }
  }

  /// Sets the fallback for actions that the target does not have, as a task.
  ///
  /// - Parameter task: runs on a thread of the target's owner. It receives the instance, the name of the action and the
  ///   values; its value is the result. The caller's limit applies.
  public mutating func notFound(
    task: @escaping @Sendable (Instance, String, ActionInput) async throws -> (any Sendable)?
  ) {
    fallback = { name in
      .task { instance, input in
        guard let instance = instance as? Instance else { throw Self.foreign(name) }
        return try await task(instance, name, ActionBody.named(input))
      }
    }
  }

  private mutating func note(_ name: String, _ isLocal: Bool, _ body: ActionBody) {
    if !names.contains(name) { names.append(name) }
    if isLocal { local.insert(name) } else { local.remove(name) }
    bodies[name] = body
  }
}

/// The casts from what a table holds to what an action takes.
extension TargetActions {
  fileprivate static func receiving<Input: Sendable>(
    _ name: String, _ body: @escaping @Sendable (Instance, Input) throws -> (any Sendable)?
  ) -> @Sendable (any Sendable, any Sendable) throws -> (any Sendable)? {
    { instance, input in
      let (instance, input) = try cast(name, instance, input, as: Input.self)
      return try body(instance, input)
    }
  }

  fileprivate static func awaiting<Input: Sendable>(
    _ name: String, _ body: @escaping @Sendable (Instance, Input) async throws -> (any Sendable)?
  ) -> @Sendable (any Sendable, any Sendable) async throws -> (any Sendable)? {
    { instance, input in
      let (instance, input) = try cast(name, instance, input, as: Input.self)
      return try await body(instance, input)
    }
  }

  fileprivate static func replying(
    _ name: String, _ body: @escaping @Sendable (Instance, ActionInput, RouteReply) -> Void
  ) -> @Sendable (any Sendable, any Sendable, RouteReply) -> Void {
    { instance, input, reply in
      do throws(PluginError) {
        let (instance, input) = try cast(name, instance, input, as: ActionInput.self)
        body(instance, input, reply)
      } catch { reply.fail(error) }
    }
  }

  fileprivate static func cast<Input>(
    _ name: String, _ instance: any Sendable, _ input: any Sendable, as type: Input.Type
  ) throws(PluginError) -> (Instance, Input) {
    guard let instance = instance as? Instance else { throw foreign(name) }
    return (instance, try ActionBody.cast(name, input, as: type))
  }

  fileprivate static func foreign(_ name: String) -> PluginError {
    PluginError(.actionType, name, "belongs to another target")
  }
}

/// The body of an action. It receives an instance of its target, and the input.
enum ActionBody: Sendable {
  /// Answers at once, on the caller's thread.
  case value(@Sendable (any Sendable, any Sendable) throws -> (any Sendable)?)
  /// Runs in a task.
  case task(@Sendable (any Sendable, any Sendable) async throws -> (any Sendable)?)
  /// Answers at any time. Every action in C is one of these.
  case reply(@Sendable (any Sendable, any Sendable, RouteReply) -> Void)
  /// Answers at once, on the main actor.
  case main(@MainActor @Sendable (any Sendable, any Sendable) throws -> (any Sendable)?)
  /// Answers at once, and only the main actor calls it.
  case mainOnly(@MainActor @Sendable (any Sendable, MainInput) throws -> Any?)

  /// - Throws: `action.type` for an input of another type.
  static func cast<Input>(_ name: String, _ input: any Sendable, as type: Input.Type) throws(PluginError) -> Input {
    let unnamed = input as? UnnamedValue
    if let input = (unnamed?.value ?? input) as? Input ?? unnamed?.named as? Input { return input }
    throw PluginError(
      .actionType, PluginURL.shown(name), "was called with a value of another type", expected: "\(Input.self)",
      found: "\(Swift.type(of: unnamed?.value ?? input))")
  }

  /// The input as values by name. One value without a name is `value`.
  static func named(_ input: any Sendable) -> ActionInput {
    input as? ActionInput ?? (input as? UnnamedValue)?.named ?? ActionInput(["value": input])
  }
}
