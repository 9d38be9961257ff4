/// Calls of actions in the name of the host or of a module, for the faces of other systems.
///
/// It has what the host's ``Targets`` and a module's ``ModuleContext`` have in common, and nothing more: a module still
/// registers only what its description declares.
package struct TargetCaller: Sendable {
  /// Where kept instances are.
  package enum Keeping: Sendable {
    /// In the cache that the host and all modules share.
    case shared
    /// In a cache of this value and its copies.
    case apart
    /// Nowhere: each call makes an instance.
    case never
  }

  private enum Party: Sendable {
    case host(Switchboard)
    case module(ModuleContext)
  }

  private let party: Party
  private let cache: TargetCache
  /// Keeps the cache alive.
  private let own: OwnTargetCache?

  package init(_ switchboard: Switchboard, keeping: Keeping) { self.init(.host(switchboard), switchboard, keeping) }

  package init(_ context: ModuleContext, keeping: Keeping) {
    self.init(.module(context), context.switchboard, keeping)
  }

  private init(_ party: Party, _ switchboard: Switchboard, _ keeping: Keeping) {
    self.party = party
    own = keeping == .apart ? OwnTargetCache(switchboard.targets) : nil
    cache = own?.cache ?? (keeping == .never ? .none : .shared)
  }

  private var switchboard: Switchboard {
    switch party {
    case .host(let switchboard): switchboard
    case .module(let context): context.switchboard
    }
  }

  /// The owner of what is registered, and the sender of the calls.
  package var owner: ModuleOwner {
    switch party {
    case .host: .host
    case .module(let context): context.owner
    }
  }

  // MARK: Calling

  @available(*, noasync, message: "use the async form")
  package func perform(
    _ action: String, on target: String, input: any Sendable, keepsTarget: Bool, limit: Duration
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(call(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit))
  }

  package func perform(
    _ action: String, on target: String, input: any Sendable, keepsTarget: Bool, limit: Duration
  ) async throws(PluginError) -> (any Sendable)? {
    try await switchboard.targets.run(call(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit))
  }

  @available(*, noasync, message: "use the async form")
  package func perform(_ url: some RoutableURL, limit: Duration) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(call(of: url, limit))
  }

  package func perform(_ url: some RoutableURL, limit: Duration) async throws(PluginError) -> (any Sendable)? {
    try await switchboard.targets.run(call(of: url, limit))
  }

  @MainActor package func performOnMain(
    _ action: String, on target: String, with values: MainInput, keepsTarget: Bool
  ) throws(PluginError) -> Any? {
    try switchboard.targets.performOnMain(
      call(action, on: target, input: ActionInput(), keepsTarget: keepsTarget), with: values)
  }

  private func call(
    _ action: String, on target: String, input: any Sendable, keepsTarget: Bool,
    limit: Duration = Router.defaultLimit
  ) -> ActionCall {
    ActionCall(
      action, on: target, input: input, keepsTarget: keepsTarget && cache != .none, limit: limit, sender: owner,
      cache: cache)
  }

  private func call(of url: some RoutableURL, _ limit: Duration) throws(PluginError) -> ActionCall {
    try switchboard.targets.call(of: url, false, limit, sender: owner, cache: cache)
  }

  // MARK: The table

  package func hasTarget(_ target: String) -> Bool { switchboard.targets.hasTarget(target) }

  /// Releases a kept instance, as far as the caller may.
  package func release(_ target: String) -> Bool { switchboard.targets.release(target, from: cache, by: owner) }

  package func register<Instance: Sendable>(
    _ target: String, make: @escaping @Sendable () throws -> Instance, actions: TargetActions<Instance>
  ) throws(PluginError) {
    try register(target, .anywhere(make), actions)
  }

  package func register<Instance: Sendable>(
    _ target: String, makeOnMain make: @escaping @MainActor @Sendable () throws -> Instance,
    actions: TargetActions<Instance>
  ) throws(PluginError) {
    try register(target, .onMain(make), actions)
  }

  private func register<Instance: Sendable>(
    _ target: String, _ make: TargetMaker, _ actions: TargetActions<Instance>
  ) throws(PluginError) {
    switch party {
    case .host(let switchboard): try switchboard.targets.register(target, of: .host, by: make, actions)
    case .module(let context): try context.register(target: target, make) { $0 = actions }
    }
  }

  /// Sets what hears of missing targets and actions, before any fallback answers: for the host, of all calls; for a
  /// module, of its own.
  package func onMissing(_ handler: (@Sendable (Targets.Missing) -> Void)?) throws(PluginError) {
    try switchboard.targets.onMissing(of: owner, handler)
  }

  // MARK: The screen

  package var presenterState: Presenter.State { switchboard.presenter.state }

  package func push(_ page: Page) -> Bool { switchboard.presenter.push(page, by: owner, nil) }

  package func present(_ page: Page) -> Bool { switchboard.presenter.present(page, by: owner, nil) }
}
