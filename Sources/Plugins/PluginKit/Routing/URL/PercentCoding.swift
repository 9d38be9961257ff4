/// Percent-encoding (RFC 3986, section 2.1) of single parts.
enum PercentCoding {
  /// Decodes a part once.
  ///
  /// A part is kept as it is written if its sequences are incomplete or not UTF-8. People type `100%` as a text, and a
  /// part that is half decoded would be neither form.
  ///
  /// - Parameter plusIsSpace: whether `+` is a space, as in forms. It is replaced before decoding, so `%2B` stays a
  ///   plus.
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

  /// What is written before the last bytes of a decoded part.
  static func dropLast(_ count: Int, of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard count > 0 else { return bytes }
    // A part that cannot be decoded counts as it is written.
    guard bytes.contains(UInt8(ascii: "%")), decoded(bytes, false) != nil else { return bytes.dropLast(count) }
    var starts: [Int] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      starts.append(place)
      place += bytes[place] == UInt8(ascii: "%") ? 3 : 1
    }
    return bytes[..<starts[starts.count - min(count, starts.count)]]
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Encodes a text for any part of a URL: everything except unreserved characters (RFC 3986, section 2.3).
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

  /// Encodes an ASCII character, even if it need not be encoded.
  static func encode(_ byte: UInt8) -> String { String(decoding: sequence(byte), as: UTF8.self) }

  private static func sequence(_ byte: UInt8) -> [UInt8] {
    [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
