#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// One thread that runs one closure and must be joined or detached.
@safe package struct WorkerThread {
  private let handle: pthread_t

  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread; nil when the system gives none.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let failure = unsafe pthread_create(
        &thread, nil,
        { argument in
          unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
      let started = unsafe thread
    #else
      var thread = pthread_t()
      let failure = unsafe pthread_create(
        &thread, nil,
        { argument in
          if let argument = unsafe argument { unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
          return nil
        }, work.toOpaque())
      let started: pthread_t? = thread
    #endif
    guard failure == 0, let started else {
      unsafe work.release()
      return nil
    }
    handle = started
  }

  /// Waits until the closure has returned.
  package func join() {
    #if canImport(Darwin)
      unsafe pthread_join(handle, nil)
    #else
      pthread_join(handle, nil)
    #endif
  }

  /// Lets the thread run on; nobody waits for it.
  package func detach() {
    #if canImport(Darwin)
      unsafe pthread_detach(handle)
    #else
      pthread_detach(handle)
    #endif
  }
}

/// Threads for one piece of work, gone when it is done.
///
/// Not a shared pool: callers that fill a pool with verifications would wait for threads that the pool no longer has.
package enum WorkerThreads {
  /// How many processors this process may use.
  package static var processorCount: Int {
    #if canImport(Glibc)
      var set = cpu_set_t()
      if unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 {
        return max(1, unsafe withUnsafeBytes(of: set) { unsafe $0.reduce(0) { $0 + $1.nonzeroBitCount } })
      }
    #endif
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// Runs `body` on up to `count` threads at once, the calling one among them, and waits for all of them.
  ///
  /// Where the system gives fewer threads, fewer run: `body` must get the work done with any number.
  package static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [WorkerThread] = []
    while threads.count + 1 < count, let thread = WorkerThread(body) { threads.append(thread) }
    body()
    for thread in threads { thread.join() }
  }

  /// Runs `body` on a thread of its own while `meanwhile` runs on the caller's, and waits for both.
  ///
  /// - Returns: false, without having run either, when the system gives no thread.
  package static func run(beside body: @escaping @Sendable () -> Void, _ meanwhile: () -> Void) -> Bool {
    guard let thread = WorkerThread(body) else { return false }
    meanwhile()
    thread.join()
    return true
  }
}

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
