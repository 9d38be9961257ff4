internal import PluginKit
internal import Signet
internal import SignetCrypto

/// What a host knows of its modules, and who hears of what happens.
final class HostRecords: Sendable {
  /// Refusals that are remembered: the latest.
  private static let historyLimit = 1000
  /// Events that wait for somebody who does not take them: the latest.
  private static let eventLimit = 4096

  private struct State {
    var statuses: [ModuleIdentifier: ModuleStatus] = [:]
    var reasons: [ModuleIdentifier: SignetError] = [:]
    var loaded: [ModuleIdentifier: LoadedModule] = [:]
    /// Whose registrations were taken away, for good.
    var ended: Set<ModuleIdentifier> = []
    /// The sequences of releases that ship with the host.
    var embedded: [ModuleIdentifier: Int] = [:]
    /// What the host's manifest names for each module.
    var named: [ModuleIdentifier: [RoutePattern]] = [:]
    var history: [RefusedModule] = []
    var observers: [Int: AsyncStream<HostEvent>.Continuation] = [:]
    var nextObserver = 0
    var handler: (@Sendable (HostEvent) -> Void)?
  }

  private let state = LoaderLock(State())

  deinit { for observer in state.peek({ Array($0.observers.values) }) { observer.finish() } }

  /// What happens from now on.
  func events() -> AsyncStream<HostEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.eventLimit)) { continuation in
      var number = 0
      state.change { state in
        number = state.nextObserver
        state.nextObserver += 1
        state.observers[number] = continuation
      }
      let observer = number
      continuation.onTermination = { [weak self] _ in self?.forget(observer) }
    }
  }

  private func forget(_ number: Int) {
    // It goes outside of the lock.
    let observer = state.peek { $0.observers[number] }
    state.change { $0.observers[number] = nil }
    withExtendedLifetime(observer) {}
  }

  func onEvent(_ handler: (@Sendable (HostEvent) -> Void)?) {
    // What the last one holds is let go of outside of the lock.
    let last = state.peek { $0.handler }
    state.change { $0.handler = handler }
    withExtendedLifetime(last) {}
  }

  func tell(_ event: HostEvent) {
    let (observers, handler) = state.peek { ($0.observers.sorted { $0.key < $1.key }, $0.handler) }
    for observer in observers { observer.value.yield(event) }
    handler?(event)
  }

  func status(of module: ModuleIdentifier) -> ModuleStatus { state.peek { $0.statuses[module] ?? .none } }
  func reason(of module: ModuleIdentifier) -> SignetError? { state.peek { $0.reasons[module] } }
  func loaded(_ module: ModuleIdentifier) -> LoadedModule? { state.peek { $0.loaded[module] } }
  func hasEnded(_ module: ModuleIdentifier) -> Bool { state.peek { $0.ended.contains(module) } }
  var modules: [ModuleIdentifier: ModuleStatus] { state.peek { $0.statuses } }
  var history: [RefusedModule] { state.peek { $0.history } }

  /// Notes a status, unless it cannot follow: somebody else was quicker.
  ///
  /// - Returns: whether it was noted.
  @discardableResult func note(_ module: ModuleIdentifier, _ status: ModuleStatus, _ reason: SignetError? = nil)
    -> Bool
  {
    var previous: ModuleStatus?
    state.change { state in
      let last = state.statuses[module] ?? .none
      guard last.canBecome(status) else { return }
      previous = last
      state.statuses[module] = status
      state.reasons[module] = reason
    }
    guard let previous else { return false }
    tell(.status(module, status, previous: previous))
    return true
  }

  var embedded: [ModuleIdentifier: Int] { state.peek { $0.embedded } }
  func embedded(_ module: ModuleIdentifier) -> Int? { state.peek { $0.embedded[module] } }

  func noteEmbedded(_ module: ModuleIdentifier, _ sequence: Int) {
    state.change { $0.embedded[module] = max($0.embedded[module] ?? 0, sequence) }
  }

  func name(_ patterns: [ModuleIdentifier: [RoutePattern]]) { state.change { $0.named = patterns } }
  func named(_ module: ModuleIdentifier) -> [RoutePattern] { state.peek { $0.named[module] ?? [] } }

  func keep(_ module: LoadedModule) { state.change { $0.loaded[module.module.identifier] = module } }

  func end(_ module: ModuleIdentifier) {
    state.change { state in
      state.loaded[module] = nil
      state.ended.insert(module)
    }
  }

  func refuse(_ refusal: RefusedModule) {
    state.change { state in
      if state.history.count == Self.historyLimit { state.history.removeFirst() }
      state.history.append(refusal)
    }
    tell(.refused(refusal))
  }
}
