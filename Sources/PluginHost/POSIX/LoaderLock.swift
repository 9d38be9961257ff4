internal import SignetCrypto

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What a loader knows. One thread at a time loads, and all others may look meanwhile: constructors take their time, and may ask.
@safe final class LoaderLock<Value>: @unchecked Sendable {
  // Sendable: the value is reached under `access` alone.
  private var value: Value
  private let access: UnsafeMutablePointer<pthread_mutex_t>
  /// Held as long as something is loaded.
  private let loading: UnsafeMutablePointer<pthread_mutex_t>

  init(_ value: Value) {
    self.value = value
    unsafe access = Self.mutex()
    unsafe loading = Self.mutex()
  }

  deinit {
    unsafe Self.destroy(access)
    unsafe Self.destroy(loading)
  }

  private static func destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// A mutex that tells a thread which holds it that it does.
  private static func mutex() -> UnsafeMutablePointer<pthread_mutex_t> {
    // Made by their own functions alone: compiled as a whole, the types' initializers belong to the module of libcurl, whose
    // headers have the types, too.
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let attributes = UnsafeMutablePointer<pthread_mutexattr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    unsafe pthread_mutexattr_init(attributes)
    unsafe pthread_mutexattr_settype(attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    // It fails for want of memory alone.
    let status = unsafe pthread_mutex_init(mutex, attributes)
    unsafe pthread_mutexattr_destroy(attributes)
    precondition(status == 0, "no lock can be made")
    return unsafe mutex
  }

  /// Looks at the value.
  func peek<Result>(_ body: (borrowing Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(access)
    defer { unsafe pthread_mutex_unlock(access) }
    return body(value)
  }

  /// Changes the value.
  func change(_ body: (inout Value) -> Void) {
    unsafe pthread_mutex_lock(access)
    defer { unsafe pthread_mutex_unlock(access) }
    body(&value)
  }

  /// Works on a copy of the value, alone, and keeps what became of it, also when it throws.
  ///
  /// - Throws: `loader.reentered` when this thread does so already.
  func hold<Result>(
    _ object: String, _ body: (inout Value) throws(SignetError) -> Result
  ) throws(SignetError) -> Result {
    guard unsafe pthread_mutex_lock(loading) == 0 else {
      throw SignetError(
        .loaderReentered, object, "cannot be loaded by code that is being loaded",
        hint: "name it among the modules that the other one requires")
    }
    defer { unsafe pthread_mutex_unlock(loading) }
    var current = peek { copy $0 }
    defer { change { $0 = current } }
    return try body(&current)
  }
}
