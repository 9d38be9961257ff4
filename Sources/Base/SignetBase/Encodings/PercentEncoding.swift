/// Percent-encoding of texts in URLs (RFC 3986, section 2.1).
///
/// PluginKit has one of its own, because it stands alone, and because it keeps texts that are not encoded as they are.
public enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Encodes all bytes of a text but letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3).
  ///
  /// - Parameters:
  ///   - text: any text; its bytes are those of UTF-8.
  ///   - kept: other ASCII characters that stay as they are.
  public static func encode(_ text: String, keeping kept: String = "") -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.utf8.contains(byte) { encoded.append(byte) } else { append(byte, to: &encoded) }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes a text.
  ///
  /// - Returns: nil for a percent sign without two digits, and for bytes that are not UTF-8.
  public static func decode(_ text: String) -> String? {
    let (bytes, isWhole) = decode(Array(text.utf8))
    return isWhole ? String(validating: bytes, as: UTF8.self) : nil
  }

  /// Decodes bytes. A percent sign without two digits stays as it is.
  ///
  /// - Returns: the bytes, and whether two digits follow each percent sign.
  package static func decode(_ bytes: [UInt8]) -> (bytes: [UInt8], isWhole: Bool) {
    var decoded: [UInt8] = []
    var isWhole = true
    var index = 0
    while index < bytes.count {
      if let byte = sequence(at: index, in: bytes) {
        decoded.append(byte)
        index += 3
        continue
      }
      if bytes[index] == UInt8(ascii: "%") { isWhole = false }
      decoded.append(bytes[index])
      index += 1
    }
    return (decoded, isWhole)
  }

  /// The byte that the percent sign and the two digits at a place stand for; nil if they are not there.
  package static func sequence(at index: Int, in bytes: [UInt8]) -> UInt8? {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = value(bytes[index + 1]),
      let low = value(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Adds the percent sign and the two digits that stand for a byte.
  package static func append(_ byte: UInt8, to text: inout [UInt8]) {
    text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// Whether a byte need never be encoded (RFC 3986, section 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
