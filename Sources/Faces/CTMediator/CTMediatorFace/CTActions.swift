public import PluginKit

/// The actions of a target, under the names of its methods. `Target_A` is a class of yours with these methods:
///
/// ```swift
/// try CT(context).register("A", make: Target_A.init) { actions in
///   actions.add("Action_show:", Target_A.show)
///   actions.add("Action_nativePage:", Target_A.nativePage)
///   actions.notFound(Target_A.notFound)
/// }
/// ```
///
/// A method takes the parameters and gives a result, or nothing.
public struct CTActions<Target: Sendable>: Sendable {
  private(set) var actions = TargetActions<Target>()
  /// The first name that is not a method's.
  private(set) var misnamed: String?

  init() {}

  /// Adds an action that answers at once, as a method of the target.
  ///
  /// - Parameters:
  ///   - method: `Action_` with the action's name and a colon.
  ///   - isLocal: whether only code may call it, not URLs. Names that begin with `native` are always local.
  ///   - body: a method, such as `Target_A.show`. It runs on the caller's thread.
  public mutating func add(
    _ method: String, isLocal: Bool = false,
    _ body: @escaping @Sendable (Target) -> (CTParams) throws -> (any Sendable)?
  ) {
    add(method, isLocal: isLocal) { target, params in try body(target)(params) }
  }

  /// Adds an action that answers at once.
  ///
  /// - Parameters:
  ///   - method: `Action_` with the action's name and a colon.
  ///   - isLocal: whether only code may call it, not URLs. Names that begin with `native` are always local.
  ///   - body: receives the target and the parameters, on the caller's thread.
  public mutating func add(
    _ method: String, isLocal: Bool = false,
    _ body: @escaping @Sendable (Target, CTParams) throws -> (any Sendable)?
  ) {
    guard let name = name(method) else { return }
    actions.add(name, isLocal: isLocal || CTName.isNative(name)) { target, input in
      Self.result(try body(target, input.values))
    }
  }

  /// Adds an action that runs in a task.
  ///
  /// - Parameters:
  ///   - method: `Action_` with the action's name and a colon.
  ///   - isLocal: whether only code may call it, not URLs. Names that begin with `native` are always local.
  ///   - task: receives the target and the parameters, on a thread of the target's owner. The caller's limit applies.
  public mutating func add(
    _ method: String, isLocal: Bool = false,
    task: @escaping @Sendable (Target, CTParams) async throws -> (any Sendable)?
  ) {
    guard let name = name(method) else { return }
    actions.add(
      name, isLocal: isLocal || CTName.isNative(name),
      task: { target, input in Self.result(try await task(target, input.values)) })
  }

  /// Adds an action that runs on the main actor, wherever it is called from.
  ///
  /// - Parameters:
  ///   - method: `Action_` with the action's name and a colon.
  ///   - isLocal: whether only code may call it, not URLs. Names that begin with `native` are always local.
  ///   - body: receives the target and the parameters. The caller's limit applies if the caller is elsewhere.
  public mutating func addOnMain(
    _ method: String, isLocal: Bool = false,
    _ body: @escaping @MainActor @Sendable (Target, CTParams) throws -> (any Sendable)?
  ) {
    guard let name = name(method) else { return }
    actions.addOnMain(name, isLocal: isLocal || CTName.isNative(name)) { target, input in
      Self.result(try body(target, input.values))
    }
  }

  /// Adds an action that only the main actor calls, by
  /// `CTMediator.performTargetOnMain(_:action:params:shouldCacheTarget:)`. URLs cannot call it.
  ///
  /// - Parameters:
  ///   - method: `Action_` with the action's name and a colon.
  ///   - body: receives the target and the parameters, which can be of any type.
  public mutating func addMainOnly(
    _ method: String, _ body: @escaping @MainActor @Sendable (Target, [String: Any]) throws -> Any?
  ) {
    guard let name = name(method) else { return }
    actions.addMainOnly(name) { target, input in
      let result = try body(target, input.values)
      return result is Void ? nil : result
    }
  }

  /// Sets the method `notFound:`, which answers for actions that the target does not have.
  ///
  /// A URL reaches it only by an action that the module's description declares.
  ///
  /// - Parameter body: a method, such as `Target_A.notFound`. It receives the parameters on the caller's thread.
  public mutating func notFound(_ body: @escaping @Sendable (Target) -> (CTParams) throws -> (any Sendable)?) {
    actions.notFound { target, _, input in Self.result(try body(target)(input.values)) }
  }

  private mutating func name(_ method: String) -> String? {
    guard let name = CTName.action(method: method) else {
      misnamed = misnamed ?? method
      return nil
    }
    return name
  }

  /// What a method gives: a method without a result gives none.
  private static func result(_ value: (any Sendable)?) -> (any Sendable)? { value is Void ? nil : value }
}

extension CTMediator {
  /// Registers a target. A module registers only what its signed description declares: the target `A` as `"A"`, or
  /// `"Player.Target_A"` for one of the Swift module `Player`, with the names of its actions.
  ///
  /// - Parameters:
  ///   - target: the name of the target, without `Target_`.
  ///   - moduleName: its Swift module; nil if callers name none.
  ///   - make: makes the instance that the actions receive: one for each call, unless a caller caches it.
  ///   - actions: adds the actions.
  /// - Throws: `target.name`, `target.undeclared`, `target.conflict`, `module.removed`; `target.not-found` for a
  ///   mediator without a host.
  public func register<Target: Sendable>(
    _ target: String, in moduleName: String? = nil, make: @escaping @Sendable () throws -> Target,
    actions: (inout CTActions<Target>) -> Void
  ) throws(PluginError) {
    let added = try Self.added(actions)
    try caller().register(CTName.target(target, in: moduleName), make: make, actions: added)
  }

  /// Registers a target whose instance is made on the main actor.
  ///
  /// - Parameters:
  ///   - target: the name of the target, without `Target_`.
  ///   - moduleName: its Swift module; nil if callers name none.
  ///   - make: makes the instance. A call from elsewhere waits for it up to its limit.
  ///   - actions: adds the actions.
  /// - Throws: `target.name`, `target.undeclared`, `target.conflict`, `module.removed`; `target.not-found` for a
  ///   mediator without a host.
  public func register<Target: Sendable>(
    _ target: String, in moduleName: String? = nil,
    makeOnMain make: @escaping @MainActor @Sendable () throws -> Target,
    actions: (inout CTActions<Target>) -> Void
  ) throws(PluginError) {
    let added = try Self.added(actions)
    try caller().register(CTName.target(target, in: moduleName), makeOnMain: make, actions: added)
  }

  /// - Throws: `target.name` for a method that is not named as an action's.
  private static func added<Target: Sendable>(
    _ actions: (inout CTActions<Target>) -> Void
  ) throws(PluginError) -> TargetActions<Target> {
    var added = CTActions<Target>()
    actions(&added)
    if let method = added.misnamed {
      throw PluginError(
        .targetName, PluginURL.shown(method), "is not the name of an action's method", expected: "Action_NAME:")
    }
    return added.actions
  }
}
