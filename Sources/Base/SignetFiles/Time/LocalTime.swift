package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension UnixTime {
  /// The time of a second of a day in the machine's zone; nil if the calendar or the clock does not have it.
  package init?(local date: CivilDate, hour: Int64, minute: Int64, second: Int64) {
    guard UnixTime(date: date, hour: hour, minute: minute, second: second) != nil else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(date.year - 1900)
    unsafe parts.tm_mon = Int32(date.month - 1)
    unsafe parts.tm_mday = Int32(date.day)
    unsafe parts.tm_hour = Int32(hour)
    unsafe parts.tm_min = Int32(minute)
    unsafe parts.tm_sec = Int32(second)
    // The system knows whether it is summer.
    unsafe parts.tm_isdst = -1
    self.init(seconds: Int64(unsafe mktime(&parts)))
  }
}
