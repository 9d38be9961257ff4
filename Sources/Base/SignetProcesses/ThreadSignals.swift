#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The signals of a thread that runs nothing else.
package enum ThreadSignals {
  /// Prevents a lost connection from ending the process.
  ///
  /// TLS libraries write to such a connection without suppressing the signal, and libcurl leaves signals alone if it
  /// is told to. A pending signal is discarded when the thread ends.
  package static func blockPipe() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Runs a body during which a lost connection does not end the process, on a thread that runs other code, too.
  package static func withoutPipe<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    var (signals, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    let wasPending = isPipePending
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer {
      if !wasPending, isPipePending {
        var taken: Int32 = 0
        unsafe sigwait(&signals, &taken)
      }
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
  }

  private static var isPipePending: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return unsafe sigismember(&pending, SIGPIPE) == 1
  }
}
