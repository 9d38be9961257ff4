#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The current thread.
enum CurrentThread {
  /// A number that no other thread has while this one lives.
  static var number: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }
}
