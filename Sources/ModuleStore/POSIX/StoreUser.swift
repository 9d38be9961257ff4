#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Who is changing a store, for its log.
enum StoreUser {
  /// The number of the user this process acts as.
  static var current: Int { Int(geteuid()) }
  /// The number of this process.
  static var process: Int { Int(getpid()) }
}
