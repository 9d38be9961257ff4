#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// This process, for logs.
package enum CurrentProcess {
  /// The effective user ID.
  package static var user: Int { Int(geteuid()) }
  /// The process ID.
  package static var number: Int { Int(getpid()) }
  /// Blocks the thread for a time.
  package static func sleep(milliseconds: Int) {
    // A time of a second or more is not portable for usleep.
    for _ in 0..<max(0, milliseconds) / 500 { usleep(500_000) }
    usleep(UInt32(max(0, milliseconds) % 500) * 1000)
  }
}
