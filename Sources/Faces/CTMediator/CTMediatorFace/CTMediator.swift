public import PluginKit

/// The key of the parameters that names the Swift module of a target. A URL cannot have it.
public let kCTMediatorParamsKeySwiftTargetModuleName = "kCTMediatorParamsKeySwiftTargetModuleName"

/// The parameters of an action, and what a completion receives.
public typealias CTParams = [String: any Sendable]

/// Calls of targets and their actions by name, as CTMediator makes them.
///
/// It only translates: targets are those of the host's `Switchboard`, and a module registers only what its signed
/// description declares. The calls that give an optional value never fail: nil says that there is no answer, and
/// `outcome` says why.
///
/// ```swift
/// let page = CT(context).performTarget("BusinessC", action: "page", params: ["name": "BJHL"])
/// ```
public final class CTMediator: Sendable {
  private let place: ReadWriteLock<TargetCaller?>

  /// Makes a mediator of a host that keeps instances of targets for itself.
  public convenience init(_ switchboard: Switchboard) { self.init(TargetCaller(switchboard, keeping: .apart)) }

  /// Makes a mediator of a module that keeps instances of targets for itself. Its calls are the module's.
  public convenience init(_ context: ModuleContext) { self.init(TargetCaller(context, keeping: .apart)) }

  package init(_ caller: TargetCaller?) { place = ReadWriteLock(caller) }

  /// Sets whose targets the mediator calls.
  package func use(_ caller: TargetCaller?) {
    // The last one is released outside of the lock.
    let last = place.write { place in
      defer { place = caller }
      return place
    }
    withExtendedLifetime(last) {}
  }

  func caller() throws(PluginError) -> TargetCaller {
    guard let caller = place.read({ $0 }) else {
      throw PluginError(
        .targetNotFound, "CT()", "has no targets: it does not know the host",
        hint: "call CTMediator.use(host.switchboard) at the start of the host")
    }
    return caller
  }

  // MARK: Local calls

  /// Calls an action of a target.
  ///
  /// - Parameters:
  ///   - target: the name of the target, without `Target_`. ``kCTMediatorParamsKeySwiftTargetModuleName`` in the
  ///     parameters names its Swift module.
  ///   - action: the name of the action, without `Action_` and colon.
  ///   - params: the parameters.
  ///   - shouldCacheTarget: whether to keep the target's instance for later calls. An instance that was kept is always
  ///     used.
  /// - Returns: the action's result; nil if it has none, or there is no answer.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func performTarget(
    _ target: String?, action: String?, params: CTParams? = nil, shouldCacheTarget: Bool = false
  ) -> (any Sendable)? {
    let answer = outcome(target: target, action: action, params: params, shouldCacheTarget: shouldCacheTarget)
    return (try? answer.get()) ?? nil
  }

  /// Calls an action of a target. The task keeps no thread meanwhile.
  ///
  /// - Returns: the action's result; nil if it has none, or there is no answer.
  @discardableResult public func performTarget(
    _ target: String?, action: String?, params: CTParams? = nil, shouldCacheTarget: Bool = false
  ) async -> (any Sendable)? {
    let answer = await outcome(target: target, action: action, params: params, shouldCacheTarget: shouldCacheTarget)
    return (try? answer.get()) ?? nil
  }

  /// Calls an action with values of any type, which never leave the main actor. The action has to be one for the main
  /// actor alone (``CTActions/addMainOnly(_:_:)``).
  ///
  /// - Returns: the action's result; nil if it has none, or there is no answer.
  @MainActor @discardableResult public func performTargetOnMain(
    _ target: String?, action: String?, params: [String: Any]? = nil, shouldCacheTarget: Bool = false
  ) -> Any? {
    let module = params?[kCTMediatorParamsKeySwiftTargetModuleName] as? String
    guard let target, let action, let caller = try? caller() else { return nil }
    let result = try? caller.performOnMain(
      action, on: CTName.target(target, in: module), with: MainInput(params ?? [:]), keepsTarget: shouldCacheTarget)
    return result ?? nil
  }

  /// Calls an action of a target, and says why there is no answer.
  ///
  /// - Parameters:
  ///   - target: the name of the target, without `Target_`.
  ///   - action: the name of the action, without `Action_` and colon.
  ///   - params: the parameters.
  ///   - shouldCacheTarget: whether to keep the target's instance for later calls.
  ///   - limit: the longest time to wait for an action that does not answer at once.
  /// - Returns: the action's result, or `target.name`, `target.not-found`, `target.module-refused`, `target.failed`,
  ///   `action.…`; for an action that runs on another thread also `route.timeout`, `route.no-answer`, `route.busy`;
  ///   or any `PluginError` that the action throws.
  @available(*, noasync, message: "use the async form")
  public func outcome(
    target: String?, action: String?, params: CTParams? = nil, shouldCacheTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) -> RouteAnswer {
    RouteAnswer { () throws(PluginError) in
      let (target, action) = try Self.names(target, action, params)
      return try caller().perform(
        action, on: target, input: ActionInput(params ?? [:]), keepsTarget: shouldCacheTarget, limit: limit)
    }
  }

  /// Calls an action of a target, and says why there is no answer. The task keeps no thread meanwhile.
  ///
  /// - Returns: the action's result, or `target.…`, `action.…`, `route.busy`; for an action that does not answer at
  ///   once also `route.timeout`, `route.no-answer`, `route.cancelled`; or any `PluginError` that the action throws.
  public func outcome(
    target: String?, action: String?, params: CTParams? = nil, shouldCacheTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) async -> RouteAnswer {
    do throws(PluginError) {
      let (target, action) = try Self.names(target, action, params)
      return .success(
        try await caller().perform(
          action, on: target, input: ActionInput(params ?? [:]), keepsTarget: shouldCacheTarget, limit: limit))
    } catch { return .failure(error) }
  }

  /// The core's names of a target and an action.
  private static func names(
    _ target: String?, _ action: String?, _ params: CTParams?
  ) throws(PluginError) -> (target: String, action: String) {
    guard let target else { throw CTName.missing("the target") }
    guard let action else { throw CTName.missing("the action") }
    let module = params?[kCTMediatorParamsKeySwiftTargetModuleName] as? String
    return (CTName.target(target, in: module), action)
  }

  // MARK: Targets

  /// Releases the instance of a target that this mediator keeps. The next call makes a new one.
  ///
  /// - Parameter fullTargetName: the name of the class, `Target_A` or `Module.Target_A`. Any other text does nothing.
  public func releaseCachedTarget(withFullTargetName fullTargetName: String?) {
    guard let fullTargetName, let target = CTName.target(fullName: fullTargetName) else { return }
    _ = try? caller().release(target)
  }

  /// Whether there is a target. The answer is no for one of a module that is refused, not loaded or removed.
  ///
  /// - Parameters:
  ///   - target: the name of the target, without `Target_`.
  ///   - moduleName: its Swift module; nil if it has none.
  public func check(_ target: String?, moduleName: String? = nil) -> Bool {
    guard let target, let caller = try? caller() else { return false }
    return caller.hasTarget(CTName.target(target, in: moduleName))
  }

  /// Sets what `Target_NoTargetAction` was: it hears of each call that found no target or no action. nil removes it.
  ///
  /// On a host's mediator it hears of all calls, on a module's of those that the module makes. Its own calls of what is
  /// missing are told to it, too.
  ///
  /// - Parameter handler: receives `originParams`, `targetString` such as `Target_A`, and `selectorString` such as
  ///   `Action_show:`. It runs on the caller's thread.
  /// - Throws: `module.removed`; `target.not-found` for a mediator without a host.
  public func onNoTarget(_ handler: (@Sendable (CTParams) -> Void)?) throws(PluginError) {
    guard let handler else { return try caller().onMissing(nil) }
    try caller().onMissing { missing in
      handler([
        "originParams": missing.values, "targetString": CTName.fullName(target: missing.target),
        "selectorString": CTName.method(action: missing.action),
      ])
    }
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The mediator of a host, with the instances of targets that host and modules share.
public func CT(_ switchboard: Switchboard) -> CTMediator {
  CTMediator(TargetCaller(switchboard, keeping: .shared))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The mediator of a module, with the instances of targets that host and modules share. Its calls are the module's.
public func CT(_ context: ModuleContext) -> CTMediator {
  CTMediator(TargetCaller(context, keeping: .shared))
}
