internal import CBenchClock

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The time that passes, and the processor time that this process uses.
struct Clock {
  let wall: Double
  let cpu: Double

  static func now() -> Clock { Clock(wall: seconds(CLOCK_MONOTONIC), cpu: seconds(CLOCK_PROCESS_CPUTIME_ID)) }

  private static func seconds(_ clock: clockid_t) -> Double { bench_seconds(clock) }

  /// Lets a second pass, in which the machine may become quiet.
  static func wait() { sleep(1) }

  /// Seconds since 1970.
  static var sinceEpoch: Int64 { Int64(time(nil)) }
}
