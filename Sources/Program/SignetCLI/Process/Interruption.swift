internal import SignetProcesses
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Handles an interruption by the user: no half-written file remains, and the terminal is restored.
///
/// The signals are blocked, and a separate thread takes them. It waits until no file is being put into place, cleans
/// up, and ends the process with the same signal. So nothing has to be safe inside a signal handler.
package enum Interruption {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU]
  private static let cleanup = Monitor(Cleanup())

  private struct Cleanup {
    var action: (@Sendable () -> Void)?
    /// Files that exist only while the process works.
    var files: [String] = []
  }

  /// Starts the handling. Call this once, before any other thread is started.
  package static func install() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers where !isIgnored(number) { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let awaited = signals
    guard let thread = WorkerThread({ wait(for: awaited) }) else {
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      return
    }
    thread.detach()
  }

  /// Runs `body`, which an interruption does not cut short.
  package static func held<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    try cleanup.withLock { (_) throws(Failure) in try body() }
  }

  /// Runs `body`, which an interruption does not cut short. A later interruption undoes what it has done, until
  /// ``cleanUp(with:)`` sets another action.
  package static func held<Value, Failure>(
    undoing undo: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try cleanup.withLock { (cleanup) throws(Failure) in
      let value = try body()
      cleanup.action = undo
      return value
    }
  }

  /// Sets the action to run at an interruption, until it is replaced, or removed with nil.
  package static func cleanUp(with action: (@Sendable () -> Void)?) { cleanup.withLock { $0.action = action } }

  /// Runs the action for an interruption now, and removes it.
  static func cleanUpNow() {
    cleanup.withLock { cleanup in
      cleanup.action?()
      cleanup.action = nil
    }
  }

  /// Marks a file to be removed at an interruption.
  package static func remove(_ path: String) { cleanup.withLock { $0.files.append(path) } }

  /// Unmarks a file that was to be removed at an interruption.
  package static func keep(_ path: String) { cleanup.withLock { $0.files.removeAll { $0 == path } } }

  private static func wait(for signals: sigset_t) {
    var signals = signals
    var number: Int32 = 0
    guard unsafe sigwait(&signals, &number) == 0 else { return }
    // A terminal interrupts the child programs itself, but a signal to this process alone does not reach them.
    ChildProgram.interrupt(number)
    cleanup.withLock { cleanup in
      cleanup.action?()
      for path in cleanup.files { unsafe unlink(path) }
      _ = signal(number, SIG_DFL)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      kill(getpid(), number)
      // The signal ends the process. If it does not, nothing more is written all the same.
      _exit(128 + number)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    #if canImport(Glibc)
      return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #else
      return false
    #endif
  }
}
