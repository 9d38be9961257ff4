#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A value that many threads may read at once, and one may change.
///
/// No foreign code is called while the lock is held: no handler, and no `deinit` of a module's object. So code that
/// calls back from a handler never waits for itself.
@safe package final class ReadWriteLock<Value>: @unchecked Sendable {
  // Sendable: the value is accessed only under the lock.
  private var value: Value
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  package init(_ value: Value) {
    self.value = value
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_rwlock_t())
    // This fails only for lack of memory.
    let status = unsafe Self.initialize(lock)
    precondition(status == 0, "no lock can be made")
  }

  /// A writer comes before later readers. Otherwise, readers without a pause would keep it waiting for ever. This is
  /// why a thread that reads must not read again.
  private static func initialize(_ lock: UnsafeMutablePointer<pthread_rwlock_t>) -> Int32 {
    #if canImport(Glibc)
      var attributes = pthread_rwlockattr_t()
      unsafe pthread_rwlockattr_init(&attributes)
      defer { unsafe pthread_rwlockattr_destroy(&attributes) }
      unsafe pthread_rwlockattr_setkind_np(
        &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
      return unsafe pthread_rwlock_init(lock, &attributes)
    #else
      return unsafe pthread_rwlock_init(lock, nil)
    #endif
  }

  deinit {
    unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deinitialize(count: 1)
    unsafe lock.deallocate()
  }

  /// Reads the value, at the same time as other readers.
  package func read<Result, Failure: Error>(_ body: (borrowing Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body(value)
  }

  /// Changes the value, with exclusive access.
  package func write<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    unsafe pthread_rwlock_wrlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body(&value)
  }
}
