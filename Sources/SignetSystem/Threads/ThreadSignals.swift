#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The signals of a thread that nobody else runs anything on.
package enum ThreadSignals {
  /// Keeps a connection that is gone from ending the process: libraries of TLS write to it without saying that they want no signal, and
  /// libcurl leaves signals alone where it is told to. The thread's end takes what is pending with it.
  package static func blockPipe() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
