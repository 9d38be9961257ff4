/// Percent-encoding (RFC 3986, section 2.1) of single parts.
enum PercentCoding {
  /// The text that a part stands for, decoded once.
  ///
  /// A part whose sequences are incomplete, or stand for what is not UTF-8, is kept as it is written: `100%` is a text
  /// that people type, and half of a part decoded would be neither.
  ///
  /// - Parameter plusIsSpace: as forms have it, before anything else is decoded: `%2B` stays a plus.
  static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return decoded(bytes, plusIsSpace) ?? String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>, _ plusIsSpace: Bool) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        result.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
      default: result.append(byte)
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The text as it can stand in any part of a URL: everything but unreserved characters (RFC 3986, section 2.3) is
  /// encoded.
  static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.append(byte)
      default:
        result += sequence(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A character of ASCII, encoded even where it need not be.
  static func encode(_ byte: UInt8) -> String { String(decoding: sequence(byte), as: UTF8.self) }

  private static func sequence(_ byte: UInt8) -> [UInt8] {
    [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
