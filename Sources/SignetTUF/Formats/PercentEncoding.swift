/// Percent-encoding of names in URLs and file names (RFC 3986, section 2.1).
public enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// A role's name in a URL or file name: all bytes but letters, digits, `_`, `.`, `-` and `~` are encoded.
  public static func roleName(_ name: String) -> String { encode(name, isUnreserved) }

  /// The file name for a target's path.
  ///
  /// The result has no slash, so it names a file in one folder. A name of dots alone is encoded whole, because `..`
  /// would lead out of the folder.
  public static func fileName(_ path: String) -> String {
    let isDots = path.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
    return encode(path) { isDots ? false : isUnreserved($0) }
  }

  /// The path in a URL for the path of a target, which keeps its slashes.
  ///
  /// Target paths are path-relative URL strings (specification, section 4.5), so an escape such as `%5B` stays. Bytes
  /// that no such string has are encoded: without that, `?` and `#` would end the path.
  public static func urlPath(_ path: String) -> String {
    let bytes = Array(path.utf8)
    var encoded: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2])
      if isEscape || isUnreserved(byte) || "/!$&'()*+,;=:@".utf8.contains(byte) {
        encoded.append(byte)
      } else {
        append(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes the path of a URL.
  ///
  /// - Returns: nil for a percent sign without two digits, and for bytes that are not UTF-8.
  public static func decode(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%") else {
        decoded.append(bytes[index])
        index += 1
        continue
      }
      guard index + 2 < bytes.count, let high = value(bytes[index + 1]), let low = value(bytes[index + 2]) else {
        return nil
      }
      decoded.append(high << 4 | low)
      index += 3
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func encode(_ text: String, _ stays: (UInt8) -> Bool) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if stays(byte) { encoded.append(byte) } else { append(byte, to: &encoded) }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_.-~".utf8.contains(byte)
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool { value(byte) != nil }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
