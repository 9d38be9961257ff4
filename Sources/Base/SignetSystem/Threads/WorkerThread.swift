package import SignetBase
internal import Synchronization

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

  /// Starts a thread; nil if the system cannot create one.
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

  /// Lets the thread continue without being waited for.
  package func detach() {
    #if canImport(Darwin)
      unsafe pthread_detach(handle)
    #else
      pthread_detach(handle)
    #endif
  }
}

/// Threads for one task, which end with it.
///
/// This is not a shared pool: callers that fill a pool with verifications would wait for threads that the pool no
/// longer has.
package enum WorkerThreads {
  /// The number of processors that this process may use.
  package static var processorCount: Int {
    #if canImport(Glibc)
      var set = cpu_set_t()
      if unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 {
        return max(1, unsafe withUnsafeBytes(of: set) { unsafe $0.reduce(0) { $0 + $1.nonzeroBitCount } })
      }
    #endif
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// Runs `body` on up to `count` threads at once, including the calling thread, and waits for all of them.
  ///
  /// If the system cannot create as many threads, fewer run: `body` must complete the work with any number.
  package static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [WorkerThread] = []
    while threads.count + 1 < count, let thread = WorkerThread(body) { threads.append(thread) }
    body()
    for thread in threads { thread.join() }
  }

  /// Makes a value for each number below `count`, on all processors, and waits for all of them.
  ///
  /// - Parameter order: the numbers in the order in which they are begun, each once; the largest work first leaves no
  ///   processor with it at the end.
  /// - Throws: the failure of the lowest number that fails. The others are made all the same.
  package static func map<Value: Sendable>(
    _ count: Int, startingWith order: [Int]? = nil,
    _ make: @escaping @Sendable (Int) throws(SignetError) -> Value
  ) throws(SignetError) -> [Value] {
    let order = order ?? Array(0..<count)
    let slots = Monitor([Result<Value, SignetError>?](repeating: nil, count: count))
    let next = Atomic<Int>(0)
    run(min(order.count, processorCount)) {
      while true {
        let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard place < order.count else { return }
        let number = order[place]
        let result = Result { () throws(SignetError) in try make(number) }
        slots.withLock { $0[number] = result }
      }
    }
    var values: [Value] = []
    for slot in slots.withLock({ $0 }) {
      guard let value = try slot?.get() else { throw SignetError(.fileReadFailed, "work", "was left undone") }
      values.append(value)
    }
    return values
  }

  /// Runs `body` on its own thread while `meanwhile` runs on the calling thread, and waits for both.
  ///
  /// - Returns: false, without having run either, if the system cannot create a thread.
  package static func run(beside body: @escaping @Sendable () -> Void, _ meanwhile: () -> Void) -> Bool {
    guard let thread = WorkerThread(body) else { return false }
    meanwhile()
    thread.join()
    return true
  }
}
