#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The signals of a thread that nobody else runs anything on.
enum ThreadSignals {
  /// Keeps a connection that is gone from ending the process: libraries of TLS write to it without saying that they want no signal, and
  /// libcurl leaves signals alone where it is told to. The thread's end takes what is pending with it.
  static func blockPipe() {
    // Compiled as a whole, the type's initializer belongs to the module of libcurl, whose headers have the type, too.
    let signals = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { unsafe signals.deallocate() }
    unsafe sigemptyset(signals)
    unsafe sigaddset(signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, signals, nil)
  }
}
