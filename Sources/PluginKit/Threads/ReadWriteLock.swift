#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A value that many may read at once, and one may change.
///
/// Nothing of others is called while it is held: no handler, no `deinit` of a module's object. So whoever calls back from a
/// handler waits for nobody.
@safe final class ReadWriteLock<Value>: @unchecked Sendable {
  // Sendable: the value is reached under the lock alone.
  private var value: Value
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  init(_ value: Value) {
    self.value = value
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_rwlock_t())
    // It fails for want of memory alone.
    let status = unsafe Self.initialize(lock)
    precondition(status == 0, "no lock can be made")
  }

  /// Whoever changes comes before those who read later: readers without pause would keep it waiting for ever. That is why nobody who
  /// reads may read again.
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

  /// Reads the value, together with others.
  func read<Result, Failure: Error>(_ body: (borrowing Value) throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body(value)
  }

  /// Changes the value, alone.
  func write<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe pthread_rwlock_wrlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body(&value)
  }
}
