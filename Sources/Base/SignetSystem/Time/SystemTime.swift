package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The system's clock.
package enum SystemTime {
  /// The current time.
  package static func now() -> UnixTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return UnixTime(seconds: Int64(time.tv_sec))
  }
}
