#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// State that threads share, guarded by a lock they can wait on.
@safe package final class Monitor<State>: @unchecked Sendable {
  // Sendable: `state` is touched only with `lock` held. A pthread lock, because the thread sanitizer follows it.
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

  /// Runs `body` alone, then wakes whoever waits.
  package func withLock<Value, Failure>(_ body: (inout State) throws(Failure) -> Value) throws(Failure) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(lock)
    }
    return try body(&state)
  }

  /// Waits until `body` gives a value; it is asked again after every change.
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

  /// Waits until `body` holds, but not much longer than some milliseconds.
  ///
  /// - Returns: whether it holds.
  package func wait(milliseconds: Int, until body: (inout State) -> Bool) -> Bool {
    var end = timespec()
    // The clock that pthread_cond_timedwait goes by; when it is set meanwhile the wait is shorter or longer.
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
