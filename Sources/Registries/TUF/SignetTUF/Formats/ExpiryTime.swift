internal import SignetBase

/// The times at which metadata expires (specification, section 4.2.3).
///
/// `YYYY-MM-DDTHH:MM:SSZ` is the form that is written. Old metadata has a fraction of a second or an offset from UTC,
/// which are read, too: the public-good root of Sigstore begins with such a file.
enum ExpiryTime {
  /// Reads a time. A fraction is dropped, so metadata never lives longer than stated.
  ///
  /// - Returns: nil for any text that RFC 3339 does not allow.
  static func read(_ text: String) -> UnixTime? {
    if let time = UnixTime(text) { return time }
    let bytes = Array(text.utf8)
    guard bytes.count > 19, let whole = UnixTime(String(decoding: bytes[..<19] + [UInt8(ascii: "Z")], as: UTF8.self))
    else { return nil }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
    }
    if Array(rest) == [UInt8(ascii: "Z")] { return whole }
    guard let offset = offset(Array(rest)) else { return nil }
    return UnixTime(seconds: whole.seconds - offset)
  }

  /// The seconds by which `+HH:MM` or `-HH:MM` is ahead of UTC.
  private static func offset(_ text: [UInt8]) -> Int64? {
    guard text.count == 6, text[3] == UInt8(ascii: ":"), text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-")
    else { return nil }
    let digits = [text[1], text[2], text[4], text[5]].map { Int64($0) - Int64(UInt8(ascii: "0")) }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (text[0] == UInt8(ascii: "-") ? -1 : 1)
  }
}
