#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// State that threads share, guarded by a lock that they can wait on.
@safe package final class Monitor<State>: @unchecked Sendable {
  // Sendable: `state` is accessed only while `lock` is held. It is a pthread lock because the thread sanitizer
  // understands it.
  private var state: State
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  package init(_ state: sending State) {
    self.state = state
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

  /// Runs `body` with exclusive access, then wakes all waiting threads.
  package func withLock<Value, Failure>(_ body: (inout State) throws(Failure) -> Value) throws(Failure) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(lock)
    }
    return try body(&state)
  }

  /// Waits until `body` returns a value; it is called again after every change.
  package func wait<Value>(until body: (inout State) -> Value?) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(lock)
    }
    while true {
      if let value = body(&state) { return value }
      unsafe pthread_cond_wait(changed, lock)
    }
  }

  /// Waits until `body` returns true, but not much longer than the given time.
  ///
  /// - Returns: the last result of `body`.
  package func wait(milliseconds: Int, until body: (inout State) -> Bool) -> Bool {
    var end = timespec()
    // This is the clock that pthread_cond_timedwait uses; if the clock is set meanwhile, the wait is shorter or
    // longer.
    unsafe clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = Int(end.tv_nsec) + milliseconds % 1000 * 1_000_000
    end.tv_sec += time_t(milliseconds / 1000 + nanoseconds / 1_000_000_000)
    end.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while !body(&state) {
      if unsafe pthread_cond_timedwait(changed, lock, &end) != 0 { return body(&state) }
    }
    return true
  }
}
