/// A point in time: whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct UnixTime: Hashable, Comparable, Sendable {
  /// The number of seconds since 1970-01-01T00:00:00Z; negative before that time.
  public let seconds: Int64

  /// The times of the years 1 to 9999, which RFC 3339 can write with four digits.
  private static let range = Int64(-62_135_596_800)...253_402_300_799

  /// Creates a point in time; a time outside the years 1 to 9999 becomes the nearest one inside.
  public init(seconds: Int64) { self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound) }

  /// Orders earlier times first.
  public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}

extension UnixTime: CustomStringConvertible {
  /// Reads the profile of RFC 3339 that Signet writes, `2026-11-21T02:26:37Z`; nil for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[19] == UInt8(ascii: "Z")
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    self.init(date: CivilDate(year: year, month: month, day: day), hour: hour, minute: minute, second: second)
  }

  /// The time of a second of a day; nil if the calendar or the clock does not have it.
  package init?(date: CivilDate, hour: Int64, minute: Int64, second: Int64) {
    guard (1...9999).contains(date.year), (1...12).contains(date.month), (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<60).contains(second)
    else { return nil }
    let days = date.daysSince1970
    // A day that the month does not have becomes another day.
    guard CivilDate(daysSince1970: days).day == date.day else { return nil }
    self.init(seconds: days * 86400 + hour * 3600 + minute * 60 + second)
  }

  /// The time as RFC 3339 writes it, in UTC and whole seconds: `2026-11-21T02:26:37Z`.
  public var description: String {
    let days = seconds >= 0 ? seconds / 86400 : -((86399 - seconds) / 86400)
    let rest = seconds - days * 86400
    let date = CivilDate(daysSince1970: days)
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
  }
}

/// A day of the proleptic Gregorian calendar.
///
/// Days are counted in years that begin in March, so that the leap day comes last, and in eras of 400 years, which
/// have 146,097 days each.
package struct CivilDate {
  package let year: Int64
  package let month: Int64
  package let day: Int64

  private static let daysPerEra: Int64 = 146_097
  /// The days from 0000-03-01 to 1970-01-01.
  private static let epoch: Int64 = 719_468

  package init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  package init(daysSince1970 days: Int64) {
    let shifted = days + Self.epoch
    let era = (shifted >= 0 ? shifted : shifted - Self.daysPerEra + 1) / Self.daysPerEra
    let dayOfEra = shifted - era * Self.daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.epoch
  }
}
