/// The values of a call of an action, by name.
public struct ActionInput: Sendable, ExpressibleByDictionaryLiteral {
  /// All values of the call, by their names.
  public let values: [String: any Sendable]
  /// The URL that made the call, if any. Then all values are texts.
  public let url: PluginURL?
  /// The owner of the code that made the call: the host, or a module.
  ///
  /// A module calls through its own ``ModuleContext``, which says whose it is. So no module can pass for another one, or
  /// for the host.
  public internal(set) var sender = ModuleOwner.host

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

/// The values of a call from the main actor, by name. They can be of any type, because they stay there.
public struct MainInput: ExpressibleByDictionaryLiteral {
  /// All values of the call, by their names.
  public let values: [String: Any]
  /// The owner of the code that made the call: the host, or a module.
  public internal(set) var sender = ModuleOwner.host

  /// Makes values for a call.
  public init(_ values: [String: Any] = [:]) { self.values = values }

  /// Makes values for a call.
  public init(dictionaryLiteral elements: (String, Any)...) {
    self.init(Dictionary(elements) { _, last in last })
  }

  /// A value of the call by its name.
  public subscript(name: String) -> Any? { values[name] }

  /// A value of the call by its name, if it is of this type.
  public func value<Value>(_ name: String, as type: Value.Type = Value.self) -> Value? { values[name] as? Value }
}

/// One value without a name, for an action of either kind: one that takes a value of this type, or one that takes
/// values by name, which gets it as `value`.
package struct UnnamedValue: Sendable {
  let value: any Sendable
  fileprivate(set) var sender = ModuleOwner.host

  package init(_ value: any Sendable) { self.value = value }

  /// The value as values by name.
  var named: ActionInput {
    var input = ActionInput(["value": value])
    input.sender = sender
    return input
  }
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
  /// The owner of the code that made the call.
  let sender: ModuleOwner
  /// Where a kept instance is looked for, and kept.
  let cache: TargetCache

  init(
    _ action: String, on target: String, input: any Sendable, keepsTarget: Bool, limit: Duration,
    calledBy url: PluginURL? = nil, sender: ModuleOwner = .host, cache: TargetCache = .shared
  ) {
    self.target = target
    self.action = action
    // The value without a name may be an input that says that another one sent it.
    if var named = (input as? UnnamedValue)?.value as? ActionInput ?? input as? ActionInput {
      named.sender = sender
      self.input = named
    } else if var unnamed = input as? UnnamedValue {
      unnamed.sender = sender
      self.input = unnamed
    } else {
      self.input = input
    }
    self.keepsTarget = keepsTarget
    self.limit = limit
    self.url = url
    self.sender = sender
    self.cache = cache
  }

  /// The called action, for messages.
  var object: String { PluginURL.shown("\(target).\(action)") }

  var timeout: PluginError {
    PluginError(
      .routeTimeout, object, "was called, and there was no answer in time", expected: "an answer within \(limit)")
  }

  var notFound: PluginError { PluginError(.actionNotFound, object, "is not an action of the target") }

  var targetNotFound: PluginError {
    PluginError(.targetNotFound, target, "is not a target", hint: "load the module that has it")
  }

  /// The error for an action that answers in another way than the caller waits.
  func wrongForm(_ message: String, _ hint: String) -> PluginError {
    PluginError(.actionMainActor, object, message, hint: hint)
  }

  /// Runs a body of the action.
  func attempt<Value>(_ body: () throws -> Value) throws(PluginError) -> Value {
    do { return try body() } catch { throw failure(error) }
  }

  /// The error that the caller gets for one that the action threw.
  func failure(_ error: any Error) -> PluginError {
    error as? PluginError ?? PluginError(.actionFailed, object, "failed", cause: error)
  }

  /// The error that the caller gets for one that the action answered with. A reply does not know that it is an action's.
  func own(_ error: PluginError) -> PluginError {
    guard error.code == .routeFailed, error.object == object, let cause = error.cause else { return error }
    return failure(cause)
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
