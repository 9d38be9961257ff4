internal import Dispatch
internal import SignetSystem

/// Work that keeps its thread: verifying, installing, loading. Tasks that wait for it keep none of theirs, of which there are as many
/// as cores.
///
/// It has a few threads. They are started when there is work, and end when there is none. Work begins in the order in which it came.
final class BlockingWork: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private let width: Int
  private let state = Monitor(State())

  /// - Parameter width: how much is done at once.
  init(width: Int) { self.width = width }

  /// Runs something on one of the threads, and waits for it without keeping another.
  func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      begin { continuation.resume(returning: Result { () throws(Failure) in try body() }) }
    }
    return try result.get()
  }

  /// Runs something on one of the threads. Nobody waits for it.
  func begin(_ body: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.waiting.append(body)
      guard state.threads < width else { return false }
      state.threads += 1
      return true
    }
    if needsThread { start() }
  }

  private func start() {
    if let thread = WorkerThread({ [self] in work() }) { return thread.detach() }
    // The system gives no thread: Dispatch may have one.
    DispatchQueue.global().async { [self] in work() }
  }

  private func work() {
    while true {
      let next = state.withLock { state -> (@Sendable () -> Void)? in
        guard !state.waiting.isEmpty else {
          state.threads -= 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      guard let next else { return }
      next()
    }
  }
}
