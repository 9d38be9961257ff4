internal import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The right to load, which one thread at a time has.
///
/// Constructors may take long, so what other threads only read is guarded by another lock.
@safe final class LoadingTurn: @unchecked Sendable {
  // Sendable: a mutex can be used from all threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    let attributes = UnsafeMutablePointer<pthread_mutexattr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    unsafe pthread_mutexattr_init(attributes)
    // This type returns an error to a thread that already has the turn.
    unsafe pthread_mutexattr_settype(attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    // This fails only for lack of memory.
    let status = unsafe pthread_mutex_init(mutex, attributes)
    unsafe pthread_mutexattr_destroy(attributes)
    precondition(status == 0, "no lock can be made")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Waits for the turn, and keeps it while the body runs.
  ///
  /// - Parameter object: what is loaded, for messages.
  /// - Throws: `loader.reentered` if this thread has it already.
  func hold<Result>(_ object: String, _ body: () throws(SignetError) -> Result) throws(SignetError) -> Result {
    guard unsafe pthread_mutex_lock(mutex) == 0 else {
      throw SignetError(
        .loaderReentered, object, "cannot be loaded by a module that is still being loaded",
        hint: "add it to the modules which that module requires")
    }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }
}
