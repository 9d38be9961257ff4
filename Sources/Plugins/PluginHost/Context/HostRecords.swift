internal import Signet
internal import SignetBase
internal import SignetSystem

/// A release that ships with the host.
struct EmbeddedRelease: Sendable {
  let sequence: Int
  /// The path of its archive.
  let path: String
}

/// What a host knows of its modules, and the observers of its events.
final class HostRecords: Sendable {
  /// The greatest number of refusals to remember. The latest are kept.
  private static let historyLimit = 1000
  /// The greatest number of events that wait for an observer. The latest are kept.
  private static let eventLimit = 4096

  private struct State {
    var statuses: [ModuleIdentifier: ModuleStatus] = [:]
    var reasons: [ModuleIdentifier: SignetError] = [:]
    /// How each module failed or was refused, while something else of it is looked at.
    var failures: [ModuleIdentifier: (status: ModuleStatus, reason: SignetError?)] = [:]
    /// How far each download is.
    var progress: [ModuleIdentifier: (received: Int, whole: Int?)] = [:]
    var loaded: [ModuleIdentifier: LoadedModule] = [:]
    /// Modules whose registrations were removed for good.
    var ended: Set<ModuleIdentifier> = []
    /// The releases that ship with the host.
    var embedded: [ModuleIdentifier: EmbeddedRelease] = [:]
    /// Whether these releases have been looked at.
    var knowsEmbedded = false
    /// Why the first of these archives that was refused was; nil if none was.
    var embeddedRefusal: SignetError?
    /// The URLs that the host's manifest gives to each module.
    var named = NamedURLs()
    /// The releases that were set aside, as far as the fallback was reported.
    var setAside: [ModuleIdentifier: Int] = [:]
    var history: [RefusedModule] = []
    var observers: [Int: AsyncStream<HostEvent>.Continuation] = [:]
    var nextObserver = 0
    var handler: (@Sendable (HostEvent) -> Void)?
    /// Who waits for a module's archive, and hears how many bytes there are.
    var listeners: [Int: (module: ModuleIdentifier, hear: Progress)] = [:]
  }

  typealias Progress = @Sendable (_ received: Int, _ whole: Int?) -> Void

  private let state = Monitor(State())

  deinit { for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() } }

  /// The events from now on.
  func events() -> AsyncStream<HostEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.eventLimit)) { continuation in
      let observer = state.withLock { state in
        defer { state.nextObserver += 1 }
        state.observers[state.nextObserver] = continuation
        return state.nextObserver
      }
      continuation.onTermination = { [weak self] _ in self?.forget(observer) }
    }
  }

  private func forget(_ number: Int) {
    // It is released outside of the lock.
    let observer = state.withLock { $0.observers.removeValue(forKey: number) }
    withExtendedLifetime(observer) {}
  }

  func onEvent(_ handler: (@Sendable (HostEvent) -> Void)?) {
    // What the last handler holds is released outside of the lock.
    let last = state.withLock { state in
      defer { state.handler = handler }
      return state.handler
    }
    withExtendedLifetime(last) {}
  }

  func tell(_ event: HostEvent) {
    let event = event.kept
    let (observers, handler, listeners) = state.withLock { state in
      if case .progress(let module, let received, let whole) = event, state.statuses[module] == .downloading {
        state.progress[module] = (received, whole)
      }
      return (state.observers.sorted { $0.key < $1.key }, state.handler, state.listeners.values)
    }
    for observer in observers { observer.value.yield(event) }
    handler?(event)
    guard case .progress(let module, let received, let whole) = event else { return }
    for listener in listeners where listener.module == module { listener.hear(received, whole) }
  }

  /// Runs a body during which a closure hears of a module's progress.
  func hearing<Value>(
    of module: ModuleIdentifier, _ hear: @escaping Progress, while body: () async -> Value
  ) async -> Value {
    let number = state.withLock { state in
      defer { state.nextObserver += 1 }
      state.listeners[state.nextObserver] = (module, hear)
      return state.nextObserver
    }
    let value = await body()
    // It is released outside of the lock.
    let last = state.withLock { $0.listeners.removeValue(forKey: number) }
    withExtendedLifetime(last) {}
    return value
  }

  func status(of module: ModuleIdentifier) -> ModuleStatus { state.withLock { $0.statuses[module] ?? .none } }
  func progress(of module: ModuleIdentifier) -> (received: Int, whole: Int?)? {
    state.withLock { $0.progress[module] }
  }
  func reason(of module: ModuleIdentifier) -> SignetError? { state.withLock { $0.reasons[module] } }
  func failure(of module: ModuleIdentifier) -> (status: ModuleStatus, reason: SignetError?)? {
    state.withLock { $0.failures[module] }
  }
  func loaded(_ module: ModuleIdentifier) -> LoadedModule? { state.withLock { $0.loaded[module] } }
  func hasEnded(_ module: ModuleIdentifier) -> Bool { state.withLock { $0.ended.contains(module) } }
  var modules: [ModuleIdentifier: ModuleStatus] { state.withLock { $0.statuses } }
  var history: [RefusedModule] { state.withLock { $0.history } }

  /// Notes a status, unless it cannot follow the current one because another change was quicker.
  ///
  /// - Parameter known: the statuses that the caller expects now; nil for any that the new one can follow.
  /// - Returns: whether it was noted.
  @discardableResult func note(
    _ module: ModuleIdentifier, _ status: ModuleStatus, _ reason: SignetError? = nil,
    from known: [ModuleStatus]? = nil
  ) -> Bool {
    let previous = state.withLock { state -> ModuleStatus? in
      let last = state.statuses[module] ?? .none
      guard last.canBecome(status), known?.contains(last) ?? true else { return nil }
      // A loaded module stays loaded until its registrations are removed.
      if last == .loaded, status == .installed, !state.ended.contains(module) { return nil }
      state.statuses[module] = status
      state.progress[module] = status == .downloading ? (0, nil) : nil
      let reason = reason?.kept
      state.reasons[module] = reason
      switch status {
      case .refused, .loadFailed: state.failures[module] = (status, reason)
      case .none, .installed, .loading, .loaded: state.failures[module] = nil
      case .downloading, .downloaded, .verifying, .installing: break
      }
      return last
    }
    guard let previous else { return false }
    tell(.status(module, status, previous: previous))
    return true
  }

  var embedded: [ModuleIdentifier: Int] { state.withLock { $0.embedded.mapValues(\.sequence) } }
  func embedded(_ module: ModuleIdentifier) -> EmbeddedRelease? { state.withLock { $0.embedded[module] } }

  var knowsEmbedded: Bool { state.withLock { $0.knowsEmbedded } }
  /// Why an archive that ships with the host was refused; nil if none was. Whose archive it is, nobody can say.
  var embeddedRefusal: SignetError? { state.withLock { $0.embeddedRefusal } }
  func noteEmbedded(_ refusal: SignetError?) {
    state.withLock { state in
      state.knowsEmbedded = true
      state.embeddedRefusal = refusal
    }
  }

  /// Notes a release that ships with the host. If there are several, the highest one counts.
  func note(_ module: ModuleIdentifier, _ release: EmbeddedRelease) {
    state.withLock { state in
      if release.sequence > state.embedded[module]?.sequence ?? 0 { state.embedded[module] = release }
    }
  }

  /// Whether it is news that a module falls back from a release.
  func fallsBack(_ module: ModuleIdentifier, from sequence: Int) -> Bool {
    state.withLock { $0.setAside.updateValue(sequence, forKey: module) != sequence }
  }

  func name(_ urls: NamedURLs) { state.withLock { $0.named = urls } }
  var named: NamedURLs { state.withLock { $0.named } }

  /// - Returns: false if its registrations have been removed meanwhile.
  func keep(_ module: LoadedModule) -> Bool {
    state.withLock { state in
      guard !state.ended.contains(module.module.identifier) else { return false }
      state.loaded[module.module.identifier] = module
      return true
    }
  }

  /// - Returns: false if it is not loaded.
  func end(_ module: ModuleIdentifier) -> Bool {
    state.withLock { state in
      guard state.loaded.removeValue(forKey: module) != nil || state.statuses[module] == .loaded else { return false }
      return state.ended.insert(module).inserted
    }
  }

  func refuse(_ refusal: RefusedModule) {
    let refusal = refusal.kept
    state.withLock { state in
      if state.history.count == Self.historyLimit { state.history.removeFirst() }
      state.history.append(refusal)
    }
    tell(.refused(refusal))
  }
}

extension SignetError {
  /// How many bytes of a text are kept: several lines of a terminal.
  private static let keptBytes = 1024
  /// How many nested causes are kept. An archive with as many bundles as allowed has one for each.
  private static let keptCauses = 32

  /// The part of the error that a host remembers, and reports to observers that may never listen. The error may quote
  /// megabytes of an unsigned offer.
  var kept: SignetError { kept(Self.keptCauses) }

  private func kept(_ causes: Int) -> SignetError {
    var copy = self
    copy.object = Self.cut(object)
    copy.message = Self.cut(message)
    copy.expected = expected.map(Self.cut)
    copy.found = found.map(Self.cut)
    if let cause = cause as? SignetError { copy.cause = causes > 0 ? cause.kept(causes - 1) : nil }
    return copy
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > keptBytes else { return text }
    return String(decoding: text.utf8.prefix(keptBytes), as: UTF8.self) + "…"
  }
}

extension HostEvent {
  /// The event as it is reported.
  var kept: HostEvent {
    guard case .notice(let error) = self else { return self }
    return .notice(error.kept)
  }
}

extension RefusedModule {
  /// The refusal as it is remembered and reported.
  var kept: RefusedModule {
    RefusedModule(identifier: identifier, sequence: sequence, source: source, reason: reason.kept, time: time)
  }
}
