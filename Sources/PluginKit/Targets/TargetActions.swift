/// The actions of a target, as they are registered. Each action receives the target's instance, here `player`.
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

  /// Adds an action that takes values by name, from code or from a URL. If two have one name, the last one counts.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - isLocal: whether only code may call it, not URLs. Names that begin with `native` are always local.
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

  /// Adds an action that takes one value of a type. URLs cannot call it.
  ///
  /// - Parameters:
  ///   - name: letters, digits, `_`, `.` and `-`.
  ///   - type: the type of the value. A call with a value of another type fails with `action.type`.
  ///   - body: its value is the result.
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

  /// Sets the fallback for actions that the target does not have, called by code or by URL.
  ///
  /// - Parameter body: receives the instance, the name of the action and the values; its value is the result.
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

/// The body of an action, which receives an instance of its target.
enum ActionBody: Sendable {
  /// Takes values by name.
  case values(@Sendable (any Sendable, ActionInput) throws -> (any Sendable)?)
  /// Takes one value.
  case value(@Sendable (any Sendable, any Sendable) throws -> (any Sendable)?)
  /// Takes values by name, in C. It answers at any time, and has no instance.
  case reply(@Sendable (ActionInput, RouteReply) -> Void)
}

/// The values of a call of an action, by name.
public struct ActionInput: Sendable, ExpressibleByDictionaryLiteral {
  /// All values of the call, by their names.
  public let values: [String: any Sendable]
  /// The URL that made the call, if any. Then all values are texts.
  public let url: PluginURL?

  /// Makes values for a call from code.
  public init(_ values: [String: any Sendable] = [:]) {
    self.values = values
    url = nil
  }

  /// Makes values for a call from code.
  public init(dictionaryLiteral elements: (String, any Sendable)...) {
    self.init(Dictionary(elements) { _, last in last })
  }

  init(_ url: PluginURL) {
    values = url.query.dictionary
    self.url = url
  }

  /// A value of the call by its name.
  public subscript(name: String) -> (any Sendable)? { values[name] }

  /// A value of the call by its name, if it is of this type.
  public func value<Value>(_ name: String, as type: Value.Type = Value.self) -> Value? { values[name] as? Value }

  /// A text of the call by its name; nil also if the value is not a text.
  public func text(_ name: String) -> String? { values[name] as? String }
}

/// A call of an action: the target, the action, the input and the limit.
struct ActionCall: Sendable {
  let target: String
  let action: String
  let input: any Sendable
  let keepsTarget: Bool
  let limit: Duration
  /// The URL that made the call, if any. A URL may not call a local action.
  let url: PluginURL?

  init(
    _ target: String, _ action: String, _ input: any Sendable, _ keepsTarget: Bool, _ limit: Duration,
    calledBy url: PluginURL? = nil
  ) {
    self.target = target
    self.action = action
    self.input = input
    self.keepsTarget = keepsTarget
    self.limit = limit
    self.url = url
  }

  /// The called action, for messages.
  var object: String { PluginURL.shown("\(target).\(action)") }

  var timeout: PluginError {
    PluginError(
      .routeTimeout, object, "was called, and there was no answer in time", expected: "an answer within \(limit)")
  }

  /// Casts the result to a type.
  ///
  /// - Throws: `action.type` if the result is missing or has another type.
  func result<Output>(_ result: (any Sendable)?) throws(PluginError) -> Output {
    guard let output = result as? Output else {
      throw PluginError(
        .actionType, "\(target).\(action)", "gave a result of another type", expected: "\(Output.self)",
        found: result.map { "\(Swift.type(of: $0))" } ?? "none")
    }
    return output
  }
}
