#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

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
