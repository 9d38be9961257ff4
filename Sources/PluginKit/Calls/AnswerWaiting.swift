internal import Dispatch

extension PendingAnswer {
  /// Starts something and keeps the thread until its answer is there, or the time is over.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most.
  ///   - timeout: the answer when the time is over.
  ///   - start: gets what the answer goes to.
  /// - Throws: the answer's error, and what `start` throws.
  static func wait(
    _ limit: Duration, _ timeout: @autoclosure () -> PluginError,
    _ start: (PendingAnswer) throws(PluginError) -> Void
  ) throws(PluginError) -> (any Sendable)? {
    let answer = ReadWriteLock<RouteAnswer>(.success(nil))
    let semaphore = DispatchSemaphore(value: 0)
    let pending = PendingAnswer { result in
      answer.write { $0 = result }
      semaphore.signal()
    }
    try start(pending)
    HandlerThreads.waiting {
      if semaphore.wait(timeout: .now() + limit.dispatchInterval) == .timedOut,
        !pending.finish(.failure(timeout()))
      {
        // Somebody was answering just now: that answer counts, and is about to be there.
        semaphore.wait()
      }
    }
    return try answer.read { $0 }.get()
  }

  /// Waits for an answer without keeping a thread.
  ///
  /// - Parameters:
  ///   - cancelled: the answer when the task is cancelled.
  ///   - start: gets what the answer goes to; it is not called when the task is cancelled already.
  /// - Throws: the answer's error.
  static func answer(
    cancelled: @autoclosure @escaping @Sendable () -> PluginError, _ start: (PendingAnswer) -> Void
  ) async throws(PluginError) -> (any Sendable)? {
    let waiter = TaskWaiter()
    let pending = PendingAnswer { waiter.finish($0) }
    let answer = await withTaskCancellationHandler {
      if !Task.isCancelled { start(pending) }
      return await waiter.answer
    } onCancel: {
      pending.finish(.failure(cancelled()))
    }
    return try answer.get()
  }

  /// Answers when the time is over, if nobody has until then.
  func end(after limit: Duration, with timeout: @autoclosure @escaping @Sendable () -> PluginError) {
    let timer = Timer(limit.dispatchInterval) { [weak self] in self?.finish(.failure(timeout())) }
    onFinish { timer.stop() }
  }
}

/// One task that waits for an answer, which may be there before it waits.
final class TaskWaiter: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<RouteAnswer, Never>)
    case answered(RouteAnswer)
  }

  private let state = ReadWriteLock(State.idle)

  func finish(_ answer: RouteAnswer) {
    let last = state.write { state in
      defer { state = .answered(answer) }
      return state
    }
    if case .waiting(let continuation) = last { continuation.resume(returning: answer) }
  }

  var answer: RouteAnswer {
    get async {
      await withCheckedContinuation { continuation in
        let known: RouteAnswer? = state.write { state in
          if case .answered(let answer) = state { return answer }
          state = .waiting(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }
}

/// What ends a wait that lasts too long. One that is stopped is gone, however long it would have lasted.
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
  /// As Dispatch takes it: nothing for what has passed, and at most some centuries.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    guard self > .zero else { return .nanoseconds(0) }
    guard self < .seconds(1 << 33) else { return .never }
    let (seconds, attoseconds) = components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}

extension HandlerThreads {
  /// Runs something that may take its time on one of the threads, for a task that keeps none meanwhile.
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
  /// Handlers of a module that do not return have all of its threads, and many wait for one.
  static func busy(_ object: String) -> PluginError {
    PluginError(
      .routeBusy, object, "cannot be called now: too many handlers of its owner wait for a thread",
      expected: "at most \(HandlerThreads.waitingLimit)", hint: "try again later")
  }
}
