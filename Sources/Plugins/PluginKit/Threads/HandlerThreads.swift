internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The threads that run an owner's handlers when a caller waits for them with a limit.
///
/// A thread that runs a handler itself cannot stop waiting at its limit. And tasks have only as many threads as there
/// are cores: if all of these waited for handlers that are tasks, no such handler would run. So handlers have their own
/// threads, which are made when needed and end soon after. Each owner has its own: a module whose handlers never return
/// does not keep those of other owners from running.
@safe final class HandlerThreads: TaskExecutor, @unchecked Sendable {
  // Sendable: mutable state is accessed only under the lock.

  /// How many threads of a module work at once. Further handlers wait for one, and their callers up to their limits.
  static let moduleLimit = 16
  /// How many threads of the host work at once: as many as Dispatch has for its queues.
  static let hostLimit = 64
  /// The greatest number of handlers that wait for a thread. Beyond it, no other handler is begun.
  static let waitingLimit = 1024
  /// The greatest number of calls that wait for each other, one within another.
  static let nestingLimit = 64
  /// How many seconds an idle thread waits for another handler before it ends.
  private static let idleTime = 1

  private let limit: Int
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [UnownedJob] = []
  /// Jobs before this index were taken.
  private var next = 0
  private var threads = 0
  private var idle = 0
  /// Threads whose handlers wait for other handlers. They do not count, or those handlers would wait for them.
  private var blocked = 0

  private init(limit: Int) {
    self.limit = limit
    unsafe lock = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe changed.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(lock)
    unsafe changed.deallocate()
    unsafe lock.deallocate()
  }

  private static let all = ReadWriteLock<[ModuleOwner: HandlerThreads]>([:])

  /// The threads for an owner's handlers.
  static func of(_ owner: ModuleOwner) -> HandlerThreads {
    if let known = all.read({ $0[owner] }) { return known }
    return all.write { all in
      if let known = all[owner] { return known }
      let made = HandlerThreads(limit: owner == .host ? hostLimit : moduleLimit)
      all[owner] = made
      return made
    }
  }

  /// Whether more handlers are accepted.
  var hasRoom: Bool { withLock { jobs.count - next < Self.waitingLimit } }

  private func withLock<Value>(_ body: () -> Value) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = withLock {
      jobs.append(job)
      unsafe pthread_cond_signal(changed)
      return claimThread()
    }
    if needsThread { start() }
  }

  /// Whether to make another thread, which is then counted. Called under the lock.
  private func claimThread() -> Bool {
    guard jobs.count - next > idle, threads - blocked < limit, threads < limit * Self.nestingLimit else {
      return false
    }
    threads += 1
    return true
  }

  private func start() {
    let own = unsafe Unmanaged.passRetained(self)
    #if canImport(Darwin)
      var thread: pthread_t?
      let failure = unsafe pthread_create(
        &thread, nil,
        { argument in
          unsafe Unmanaged<HandlerThreads>.fromOpaque(argument).takeRetainedValue().work()
          return nil
        }, own.toOpaque())
      if failure == 0, let thread = unsafe thread {
        unsafe pthread_detach(thread)
        return
      }
    #else
      var thread = pthread_t()
      let failure = unsafe pthread_create(
        &thread, nil,
        { argument in
          if let argument = unsafe argument {
            unsafe Unmanaged<HandlerThreads>.fromOpaque(argument).takeRetainedValue().work()
          }
          return nil
        }, own.toOpaque())
      if failure == 0 {
        pthread_detach(thread)
        return
      }
    #endif
    unsafe own.release()
    // The system has no thread to give, but Dispatch may have one.
    DispatchQueue.global().async { [self] in work() }
  }

  private func work() {
    unsafe pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    while let job = take() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    pthread_setspecific(Self.key, nil)
  }

  private func take() -> UnownedJob? {
    withLock {
      while next == jobs.count {
        var end = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += Self.idleTime
        idle += 1
        let status = unsafe pthread_cond_timedwait(changed, lock, &end)
        idle -= 1
        if status != 0, next == jobs.count {
          threads -= 1
          return nil
        }
      }
      defer { next += 1 }
      // Jobs that were taken are removed once they are the majority.
      if next > 64, next * 2 > jobs.count {
        jobs.removeFirst(next)
        next = 0
      }
      return jobs[next]
    }
  }

  /// The key under which a thread keeps the `HandlerThreads` that it belongs to.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    // This fails if the process has a thousand keys (PTHREAD_KEYS_MAX).
    precondition(status == 0, "no place for what threads keep")
    return key
  }()

  /// Runs a body that waits. If a handler waits, another thread works in its place meanwhile.
  static func waiting<Value>(_ body: () -> Value) -> Value {
    guard let place = unsafe pthread_getspecific(key) else { return body() }
    let threads = unsafe Unmanaged<HandlerThreads>.fromOpaque(place).takeUnretainedValue()
    let needsThread = threads.withLock {
      threads.blocked += 1
      return threads.claimThread()
    }
    if needsThread { threads.start() }
    defer { threads.withLock { threads.blocked -= 1 } }
    return body()
  }
}
