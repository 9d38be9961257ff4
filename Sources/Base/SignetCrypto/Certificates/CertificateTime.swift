package import SignetBase

extension DERReader {
  /// The next Time of a certificate or revocation list (RFC 5280, section 4.1.2.5): UTCTime or GeneralizedTime in
  /// UTC, with seconds and without fractions.
  ///
  /// Years up to 2049 must be encoded as UTCTime. But readers must accept either form, and NIST's test suite has
  /// both.
  package mutating func time() -> UnixTime? {
    switch nextTag {
    case DERElement.utcTime:
      guard let text = element(DERElement.utcTime)?.rest, text.count == 13,
        let year = Self.number(text[..<2])
      else { return nil }
      // Section 4.1.2.5.1: two-digit years from 50 on belong to the twentieth century.
      return Self.time(year: year >= 50 ? 1900 + year : 2000 + year, Array(text[2...]))
    case DERElement.generalizedTime: return generalizedTime()
    default: return nil
    }
  }

  /// The next GeneralizedTime, in the form that section 4.1.2.5.2 prescribes.
  package mutating func generalizedTime() -> UnixTime? {
    guard let text = element(DERElement.generalizedTime)?.rest, text.count == 15,
      let year = Self.number(text[..<4])
    else { return nil }
    return Self.time(year: year, Array(text[4...]))
  }

  /// Reads MMDDHHMMSSZ in a given year.
  private static func time(year: Int64, _ text: [UInt8]) -> UnixTime? {
    guard text.count == 11, text[10] == UInt8(ascii: "Z"), let month = number(text[0..<2]),
      let day = number(text[2..<4]), let hour = number(text[4..<6]), let minute = number(text[6..<8]),
      let second = number(text[8..<10])
    else { return nil }
    return UnixTime(
      date: CivilDate(year: year, month: month, day: day), hour: hour, minute: minute, second: second)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
