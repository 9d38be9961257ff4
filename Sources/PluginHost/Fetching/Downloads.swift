internal import Signet
internal import SignetCrypto

/// The modules that a host is fetching: one transfer a module, whoever waits for it.
final class Downloads: Sendable {
  typealias Outcome = Result<(module: ModuleIdentifier, sequence: Int), SignetError>
  typealias Work = @Sendable (DownloadItem, FetchSignal) -> Outcome

  /// Transfers at once: as many as browsers have connections to one server. Others wait for their turn.
  private static let limit = 6

  private struct Waiter {
    let continuation: CheckedContinuation<Outcome, Never>
    var isCancelled = false
  }

  private struct Job {
    let item: DownloadItem
    let signal: FetchSignal
    let work: Work
    var waiters: [Int: Waiter] = [:]
    var isNeeded: Bool { waiters.values.contains { !$0.isCancelled } }
  }

  private struct State {
    var jobs: [ModuleIdentifier: Job] = [:]
    /// Those that no thread has taken yet, the first that was asked for first.
    var pending: [ModuleIdentifier] = []
    var threads = 0
    var nextWaiter = 0
  }

  private let state = Monitor(State())

  /// Fetches an item, or waits for the transfer of it that is under way.
  ///
  /// - Parameter work: what is done, on a thread of its own.
  func run(_ item: DownloadItem, _ work: @escaping Work) async -> Outcome {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    // Nothing is begun for whoever is cancelled already.
    guard !Task.isCancelled else { return .failure(.fetchCancelled(item.source.shown)) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(item, number, continuation, work)
        // Who was cancelled meanwhile was not known yet.
        if Task.isCancelled { cancel(number, item.identifier) }
      }
    } onCancel: {
      cancel(number, item.identifier)
    }
  }

  /// How many wait for a module.
  func waiting(for module: ModuleIdentifier) -> Int { state.withLock { $0.jobs[module]?.waiters.count ?? 0 } }

  private func enter(
    _ item: DownloadItem, _ number: Int, _ continuation: CheckedContinuation<Outcome, Never>, _ work: @escaping Work
  ) {
    var ended: [CheckedContinuation<Outcome, Never>] = []
    var outcome = Outcome.failure(.fetchCancelled(item.source.shown))
    var needsThread = false
    state.withLock { state in
      let waiter = Waiter(continuation: continuation)
      guard var job = state.jobs[item.identifier] else {
        let job = Job(item: item, signal: FetchSignal(), work: work, waiters: [number: waiter])
        state.jobs[item.identifier] = job
        state.pending.append(item.identifier)
        needsThread = state.threads < Self.limit
        if needsThread { state.threads += 1 }
        return
      }
      guard job.item == item else {
        ended = [continuation]
        outcome = .failure(Self.busy(item, job.item))
        return
      }
      // One that was to end goes on; those who gave it up need not wait any more.
      for (number, waiter) in job.waiters where waiter.isCancelled {
        ended.append(waiter.continuation)
        job.waiters[number] = nil
      }
      job.signal.renew()
      job.waiters[number] = waiter
      state.jobs[item.identifier] = job
    }
    for continuation in ended { continuation.resume(returning: outcome) }
    if needsThread { startThread() }
  }

  private static func busy(_ item: DownloadItem, _ other: DownloadItem) -> SignetError {
    SignetError(
      .fetchBusy, "\(item.identifier)", "is being fetched from elsewhere, or in another release",
      expected: "\(other.version) from \(other.source.shown)", found: "\(item.version) from \(item.source.shown)",
      hint: "try again when that has ended")
  }

  /// Somebody waits no longer. Whoever is the last to go waits for the transfer to end, if it has begun.
  private func cancel(_ number: Int, _ module: ModuleIdentifier) {
    var ended: (CheckedContinuation<Outcome, Never>, DownloadItem)?
    state.withLock { state in
      guard var job = state.jobs[module], let waiter = job.waiters[number], !waiter.isCancelled else { return }
      job.waiters[number]?.isCancelled = true
      guard !job.isNeeded else {
        ended = (waiter.continuation, job.item)
        job.waiters[number] = nil
        state.jobs[module] = job
        return
      }
      // Those who went before did not wait: this is the only one.
      if let place = state.pending.firstIndex(of: module) {
        ended = (waiter.continuation, job.item)
        state.pending.remove(at: place)
        state.jobs[module] = nil
      } else {
        job.signal.cancel()
        state.jobs[module] = job
      }
    }
    if let ended { ended.0.resume(returning: .failure(.fetchCancelled(ended.1.source.shown))) }
  }

  private func startThread() {
    if let thread = WorkerThread({ [self] in work() }) { return thread.detach() }
    // Where there is no thread, nobody may wait for one.
    let left = state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else { return [Job]() }
      defer { state.pending = [] }
      return state.pending.compactMap { state.jobs.removeValue(forKey: $0) }
    }
    for job in left {
      let error = SignetError(
        .fetchUnavailable, job.item.source.shown, "cannot be fetched, since the system gives no thread")
      for waiter in job.waiters.values { waiter.continuation.resume(returning: .failure(error)) }
    }
  }

  /// A thread takes one transfer after the other, as long as there is one.
  private func work() {
    ThreadSignals.blockPipe()
    while true {
      let next = state.withLock { state -> Job? in
        guard !state.pending.isEmpty else {
          state.threads -= 1
          return nil
        }
        return state.jobs[state.pending.removeFirst()]
      }
      guard let next else { return }
      var waiters: [Waiter]?
      var outcome: Outcome
      repeat {
        outcome = next.work(next.item, next.signal)
        waiters = end(next.item.identifier, outcome)
      } while waiters == nil
      for waiter in waiters ?? [] { waiter.continuation.resume(returning: outcome) }
    }
  }

  /// - Returns: who waited for it; nil when it was given up, and somebody came since.
  private func end(_ module: ModuleIdentifier, _ outcome: Outcome) -> [Waiter]? {
    state.withLock { state in
      guard let job = state.jobs[module] else { return [] }
      if case .failure(let error) = outcome, error.code == .fetchCancelled, job.isNeeded { return nil }
      state.jobs[module] = nil
      return Array(job.waiters.values)
    }
  }
}
