internal import Dispatch
internal import SignetSystem

/// Work that blocks its thread: verifying, installing and loading.
///
/// Tasks that wait for it keep none of their threads, of which there are only as many as cores. The work has a few
/// threads of its own. They start when there is work, and end when it is done. Work begins in the order of the
/// requests.
final class BlockingWork: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private let width: Int
  private let state = Monitor(State())

  /// - Parameter width: how many bodies run at once.
  init(width: Int) { self.width = width }

  /// Runs a body on one of the threads, and waits for it without keeping another.
  func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      begin { continuation.resume(returning: Result { () throws(Failure) in try body() }) }
    }
    return try result.get()
  }

  /// Runs a body on one of the threads, without waiting for it.
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
    // The system has no thread to give, but Dispatch may have one.
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
