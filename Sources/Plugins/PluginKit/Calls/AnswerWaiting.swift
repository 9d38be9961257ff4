internal import Dispatch

extension PendingAnswer {
  /// Starts an operation and blocks the thread until it answers or the limit passes.
  ///
  /// - Parameters:
  ///   - limit: the longest time to wait.
  ///   - timeout: the error when the limit has passed.
  ///   - start: receives the pending answer.
  /// - Throws: the answer's error, and what `start` throws.
  static func wait(
    _ limit: Duration, _ timeout: @autoclosure () -> PluginError,
    _ start: (PendingAnswer) throws(PluginError) -> Void
  ) throws(PluginError) -> (any Sendable)? {
    let waiter = ThreadWaiter()
    let pending = PendingAnswer { waiter.finish(.answered($0)) }
    try start(pending)
    guard case .answered(let answer) = waiter.wait(limit, pending, timeout()) else { return nil }
    return try answer.get()
  }

  /// Starts an operation and blocks the thread until it answers or declines, or the limit passes.
  ///
  /// - Parameters: as those of ``wait(_:_:_:)``.
  static func outcome(
    _ limit: Duration, _ timeout: @autoclosure () -> PluginError,
    _ start: (PendingAnswer) throws(PluginError) -> Void
  ) throws(PluginError) -> RouteOutcome<(any Sendable)?> {
    let waiter = ThreadWaiter()
    let pending = PendingAnswer(declined: { waiter.finish(.declined) }) { waiter.finish(.answered($0)) }
    try start(pending)
    return try waiter.wait(limit, pending, timeout()).value()
  }

  /// Waits for an answer without keeping a thread. A handler that declines has given none.
  ///
  /// - Parameters: as those of ``outcome(isolation:cancelled:_:)``.
  /// - Throws: the answer's error.
  static func answer(
    isolation: isolated (any Actor)? = #isolation,
    cancelled: @autoclosure @escaping @Sendable () -> PluginError,
    _ start: (PendingAnswer) throws(PluginError) -> Void
  ) async throws(PluginError) -> (any Sendable)? {
    let waiter = TaskWaiter()
    let pending = PendingAnswer { waiter.finish(.answered($0)) }
    let outcome = try await pending.start(waiter, isolation: isolation, cancelled: cancelled, start)
    guard case .answered(let value) = outcome else { return nil }
    return value
  }

  /// Waits for an answer or a decline without keeping a thread.
  ///
  /// - Parameters:
  ///   - cancelled: the answer when the task is cancelled.
  ///   - start: receives the pending answer; it is not called if the task is cancelled already.
  /// - Throws: the answer's error.
  static func outcome(
    isolation: isolated (any Actor)? = #isolation,
    cancelled: @autoclosure @escaping @Sendable () -> PluginError,
    _ start: (PendingAnswer) throws(PluginError) -> Void
  ) async throws(PluginError) -> RouteOutcome<(any Sendable)?> {
    let waiter = TaskWaiter()
    let pending = PendingAnswer(declined: { waiter.finish(.declined) }) { waiter.finish(.answered($0)) }
    return try await pending.start(waiter, isolation: isolation, cancelled: cancelled, start)
  }

  /// Starts an operation, unless the task is cancelled, and suspends the task until there is an outcome.
  private func start(
    _ waiter: TaskWaiter, isolation: isolated (any Actor)?, cancelled: @escaping @Sendable () -> PluginError,
    _ start: (PendingAnswer) throws(PluginError) -> Void
  ) async throws(PluginError) -> RouteOutcome<(any Sendable)?> {
    let outcome = await withTaskCancellationHandler {
      if !Task.isCancelled {
        do throws(PluginError) { try start(self) } catch { finish(.failure(error)) }
      }
      return await waiter.outcome(isolation: isolation)
    } onCancel: {
      finish(.failure(cancelled()))
    }
    return try outcome.value()
  }

  /// Answers with the timeout error after the limit, unless there was an answer before.
  func end(after limit: Duration, with timeout: @autoclosure @escaping @Sendable () -> PluginError) {
    let timer = Timer(limit.dispatchInterval) { [weak self] in self?.finish(.failure(timeout())) }
    onFinish { timer.stop() }
  }
}

extension RouteOutcome<RouteAnswer> {
  /// The answer's value.
  ///
  /// - Throws: the answer's error.
  fileprivate func value() throws(PluginError) -> RouteOutcome<(any Sendable)?> {
    switch self {
    case .answered(let answer): .answered(try answer.get())
    case .declined: .declined
    }
  }
}

/// One thread that waits for an answer.
private final class ThreadWaiter: Sendable {
  private let outcome = ReadWriteLock<RouteOutcome<RouteAnswer>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)
  /// Whether the main thread waits, which a semaphore does not wake up.
  private let isMain = ReadWriteLock(false)

  func finish(_ outcome: RouteOutcome<RouteAnswer>) {
    self.outcome.write { $0 = outcome }
    semaphore.signal()
    if isMain.read({ $0 }) { MainThread.wake() }
  }

  /// Blocks the thread until there is an outcome. At the limit, the pending answer gets the error.
  func wait(_ limit: Duration, _ pending: PendingAnswer, _ timeout: @autoclosure () -> PluginError)
    -> RouteOutcome<RouteAnswer>
  {
    HandlerThreads.waiting {
      if MainThread.isCurrent { isMain.write { $0 = true } }
      if MainThread.wait(limit, until: { outcome.read { $0 != nil } }) {
        if let known = outcome.read({ $0 }) { return known }
        if !pending.finish(.failure(timeout())) { semaphore.wait() }
      } else if semaphore.wait(timeout: .now() + limit.dispatchInterval) == .timedOut,
        !pending.finish(.failure(timeout()))
      {
        // An answer arrived just as the limit passed. It counts, and is about to be stored.
        semaphore.wait()
      }
      return outcome.read { $0 } ?? .declined
    }
  }
}

/// One task that waits for an answer, which may arrive before the task waits.
final class TaskWaiter: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<RouteOutcome<RouteAnswer>, Never>)
    case answered(RouteOutcome<RouteAnswer>)
  }

  private let state = ReadWriteLock(State.idle)

  func finish(_ outcome: RouteOutcome<RouteAnswer>) {
    let last = state.write { state in
      defer { state = .answered(outcome) }
      return state
    }
    if case .waiting(let continuation) = last { continuation.resume(returning: outcome) }
  }

  func outcome(isolation: isolated (any Actor)? = #isolation) async -> RouteOutcome<RouteAnswer> {
    await withCheckedContinuation { continuation in
      let known: RouteOutcome<RouteAnswer>? = state.write { state in
        if case .answered(let outcome) = state { return outcome }
        state = .waiting(continuation)
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}

/// A timer that ends a wait at its limit. A stopped timer is released at once, however much time is left.
private final class Timer: @unchecked Sendable {
  // Sendable: a source may be cancelled from any thread.
  private let source = DispatchSource.makeTimerSource(queue: .global())

  init(_ interval: DispatchTimeInterval, _ body: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: body)
    source.schedule(deadline: .now() + interval)
    source.activate()
  }

  func stop() { source.cancel() }
}

extension Duration {
  /// The interval for Dispatch: zero if the duration is not positive, and never from 2^33 seconds (272 years) on.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    guard self > .zero else { return .nanoseconds(0) }
    guard self < .seconds(1 << 33) else { return .never }
    let (seconds, attoseconds) = components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}

extension HandlerThreads {
  /// Runs a body that may take long on one of these threads. The calling task keeps no thread meanwhile.
  ///
  /// - Parameter object: what is called.
  /// - Throws: `route.busy`, and what the body throws.
  func run<Value: Sendable>(
    _ object: String, _ body: @escaping @Sendable () throws(PluginError) -> Value
  ) async throws(PluginError) -> Value {
    guard hasRoom else { throw .busy(object) }
    let task = Task(executorPreference: self) { Result { () throws(PluginError) in try body() } }
    return try await task.value.get()
  }
}

extension PluginError {
  /// The error when handlers that do not return have taken all threads of their owner, and too many others wait.
  static func busy(_ object: String) -> PluginError {
    PluginError(
      .routeBusy, object, "cannot be called now: too many handlers of its owner wait for a thread",
      expected: "at most \(HandlerThreads.waitingLimit)", hint: "try again later")
  }
}
