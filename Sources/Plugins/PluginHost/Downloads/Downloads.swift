internal import ModuleStore
internal import Signet
internal import SignetAddresses
internal import SignetBase
internal import SignetProcesses
internal import SignetSystem

/// The downloads of a host: one transfer for each module, however many callers wait for it.
final class Downloads: Sendable {
  typealias Outcome = Result<(module: ModuleIdentifier, sequence: Int), SignetError>
  /// The work of fetching a module.
  struct Work: Sendable {
    /// Runs one turn, on its own thread.
    let turn: @Sendable (DownloadItem, FetchSignal) -> Turn
    /// Called when no caller waits any longer for a transfer that has begun and would go on later.
    let giveUp: @Sendable () -> Void
  }

  /// The result of a turn.
  enum Turn {
    case ended(Outcome)
    /// The transfer goes on later, after at least this many milliseconds.
    case later(milliseconds: Int)
  }

  private struct Waiter {
    /// Called once, outside of the lock.
    let end: @Sendable (Outcome) -> Void
    var isCancelled = false
  }

  private struct Job {
    let item: DownloadItem
    let signal: FetchSignal
    let work: Work
    /// Whether the job has had a turn.
    var hasBegun = false
    var waiters: [Int: Waiter] = [:]
    var isNeeded: Bool { waiters.values.contains { !$0.isCancelled } }
  }

  private struct State {
    var jobs: [ModuleIdentifier: Job] = [:]
    /// Modules whose jobs no thread has taken.
    var queue: DownloadQueue
    var threads = 0
    var nextWaiter = 0
  }

  private let state: Monitor<State>
  private let turnClock: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - perOrigin: the greatest number of transfers from one server at once.
  ///   - turnClock: the clock by which a transfer is too slow for its place.
  init(perOrigin: Int, turnClock: @escaping @Sendable () -> ContinuousClock.Instant) {
    state = Monitor(State(queue: DownloadQueue(perOrigin: perOrigin)))
    self.turnClock = turnClock
  }

  /// Fetches an item, or waits for the transfer of it that is under way.
  func run(_ item: DownloadItem, _ work: Work) async -> Outcome {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    // Nothing is begun for a task that is cancelled already.
    guard !Task.isCancelled else { return .failure(.fetchCancelled(item.source.shown)) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(Waiter { continuation.resume(returning: $0) }, number: number, for: item, by: work)
        // If the task was cancelled meanwhile, its waiter was not known yet.
        if Task.isCancelled { cancel(number, item.identifier) }
      }
    } onCancel: {
      cancel(number, item.identifier)
    }
  }

  /// Begins to fetch an item, and does not wait for it.
  ///
  /// - Parameter whenEnded: called with the outcome, unless nothing is begun.
  /// - Returns: false if a transfer of the module is under way.
  func begin(_ item: DownloadItem, _ work: Work, whenEnded: @escaping @Sendable (Outcome) -> Void) -> Bool {
    let needsThread = state.withLock { state -> Bool? in
      guard state.jobs[item.identifier] == nil else { return nil }
      state.nextWaiter += 1
      return add(Waiter(end: whenEnded), number: state.nextWaiter, for: item, by: work, to: &state)
    }
    if needsThread == true { startThread() }
    return needsThread != nil
  }

  /// How many callers wait for a module.
  func waiting(for module: ModuleIdentifier) -> Int { state.withLock { $0.jobs[module]?.waiters.count ?? 0 } }

  private func enter(_ waiter: Waiter, number: Int, for item: DownloadItem, by work: Work) {
    var ended: [Waiter] = []
    var outcome = Outcome.failure(.fetchCancelled(item.source.shown))
    var needsThread = false
    state.withLock { state in
      guard var job = state.jobs[item.identifier] else {
        needsThread = add(waiter, number: number, for: item, by: work, to: &state)
        return
      }
      guard job.item == item else {
        ended = [waiter]
        outcome = .failure(Self.busy(item, job.item))
        return
      }
      // A transfer that was about to end goes on. Callers that gave it up need not wait any longer.
      for (number, waiter) in job.waiters where waiter.isCancelled {
        ended.append(waiter)
        job.waiters[number] = nil
      }
      job.signal.renew()
      job.waiters[number] = waiter
      state.jobs[item.identifier] = job
    }
    for waiter in ended { waiter.end(outcome) }
    if needsThread { startThread() }
  }

  /// Adds a job for a module that has none.
  ///
  /// - Returns: whether it needs another thread.
  private func add(
    _ waiter: Waiter, number: Int, for item: DownloadItem, by work: Work, to state: inout State
  ) -> Bool {
    let signal = FetchSignal(clock: turnClock) { [weak self] in
      self?.state.withLock { $0.queue.isAnotherWaiting(for: item.source.origin, at: .now) } ?? false
    }
    state.jobs[item.identifier] = Job(item: item, signal: signal, work: work, waiters: [number: waiter])
    state.queue.append(item.identifier, item.source.origin, ready: .now)
    guard state.threads < DownloadQueue.limit else { return false }
    state.threads += 1
    return true
  }

  private static func busy(_ item: DownloadItem, _ other: DownloadItem) -> SignetError {
    SignetError(
      .fetchBusy, "\(item.identifier)", "is already being downloaded from another address, or in another release",
      expected: "\(other.release) from \(other.source.shown)", found: "\(item.release) from \(item.source.shown)",
      hint: "try again when that download has ended")
  }

  /// Ends a caller's wait. If it is the last one and the transfer has begun, it waits for the transfer to end.
  private func cancel(_ number: Int, _ module: ModuleIdentifier) {
    var ended: (Waiter, DownloadItem)?
    var givenUp: Work?
    state.withLock { state in
      guard var job = state.jobs[module], let waiter = job.waiters[number], !waiter.isCancelled else { return }
      job.waiters[number]?.isCancelled = true
      guard !job.isNeeded else {
        ended = (waiter, job.item)
        job.waiters[number] = nil
        state.jobs[module] = job
        return
      }
      // Callers that were cancelled before did not wait, so this is the only one.
      if state.queue.remove(module) {
        ended = (waiter, job.item)
        if job.hasBegun { givenUp = job.work }
        state.jobs[module] = nil
      } else {
        job.signal.cancel()
        state.jobs[module] = job
      }
    }
    givenUp?.giveUp()
    if let ended { ended.0.end(.failure(.fetchCancelled(ended.1.source.shown))) }
  }

  private func startThread() {
    if let thread = WorkerThread({ [self] in work() }) { return thread.detach() }
    // If there is no thread at all, no caller may wait for one.
    let left = state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else { return [Job]() }
      return state.queue.removeAll().compactMap { state.jobs.removeValue(forKey: $0) }
    }
    for job in left {
      let error = SignetError(
        .fetchUnavailable, job.item.source.shown, "cannot be downloaded: the system cannot start a thread")
      for waiter in job.waiters.values { waiter.end(.failure(error)) }
    }
  }

  /// Runs one turn after another on this thread, as long as there is one.
  private func work() {
    ThreadSignals.blockPipe()
    while let next = take() {
      var waiters: [Waiter]?
      var outcome = Outcome.failure(.fetchCancelled(next.item.source.shown))
      repeat {
        switch next.work.turn(next.item, next.signal) {
        case .ended(let result):
          outcome = result
          waiters = end(next.item, outcome)
        case .later(let delay):
          waiters = putBack(next.item, after: delay)
          if waiters?.isEmpty == false { next.work.giveUp() }
        }
      } while waiters == nil
      for waiter in waiters ?? [] { waiter.end(outcome) }
    }
  }

  /// The next module to have a turn; nil if no module can have one. If a module is to be retried later, the thread
  /// waits for that.
  private func take() -> Job? {
    while true {
      let (job, ready) = state.withLock { state -> (Job?, ContinuousClock.Instant?) in
        let now = ContinuousClock.now
        if let module = state.queue.next(at: now), let job = state.jobs[module] {
          state.jobs[module]?.hasBegun = true
          return (job, nil)
        }
        let ready = state.queue.nextReady(after: now)
        if ready == nil { state.threads -= 1 }
        return (nil, ready)
      }
      if let job { return job }
      guard let ready else { return nil }
      // Meanwhile another module may be added, or a server may have a free place again.
      let left = max(1, Int(min((ready - .now) / .milliseconds(1), 3_600_000)) + 1)
      _ = state.wait(milliseconds: left) { state in
        state.queue.nextReady(after: .now).map { $0 <= .now } ?? true
      }
    }
  }

  /// Puts a module back to wait for its next turn.
  ///
  /// - Returns: no waiters; or all of them, if all have given up meanwhile.
  private func putBack(_ item: DownloadItem, after delay: Int) -> [Waiter] {
    state.withLock { state in
      state.queue.end(item.source.origin)
      guard let job = state.jobs[item.identifier] else { return [] }
      guard job.isNeeded else {
        state.jobs[item.identifier] = nil
        return Array(job.waiters.values)
      }
      state.queue.append(item.identifier, item.source.origin, ready: .now + .milliseconds(delay))
      return []
    }
  }

  /// - Returns: the callers that waited for it; nil if it was given up, and a caller has come since.
  private func end(_ item: DownloadItem, _ outcome: Outcome) -> [Waiter]? {
    state.withLock { state in
      guard let job = state.jobs[item.identifier] else {
        state.queue.end(item.source.origin)
        return []
      }
      if case .failure(let error) = outcome, error.code == .fetchCancelled, job.isNeeded { return nil }
      state.queue.end(item.source.origin)
      state.jobs[item.identifier] = nil
      return Array(job.waiters.values)
    }
  }
}
