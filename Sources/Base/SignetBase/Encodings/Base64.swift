/// Padded standard base64 (RFC 4648, section 4) in its one canonical form.
///
/// The canonical form has no white space, no missing or superfluous padding, and no discarded bits that are set. Each
/// value has exactly one text, so a text cannot change without its value.
public enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  /// The value of each alphabet character, and 255 for every other byte.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// Encodes bytes as text.
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    encode(bytes.span) { text.append($0) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text to bytes.
  ///
  /// - Throws: `base64.malformed` for any text that is not in the canonical form.
  public static func decode(_ text: String) throws(SignetError) -> [UInt8] {
    let text = Array(text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    try decode(text.span) { bytes.append($0) }
    return bytes
  }

  /// Encodes bytes, and passes each character to a function, so that secrets stay in their own memory.
  package static func encode(_ bytes: Span<UInt8>, append: (UInt8) -> Void) {
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let first = bytes[index]
      let second = rest > 1 ? bytes[index + 1] : 0
      let third = rest > 2 ? bytes[index + 2] : 0
      append(alphabet[Int(first >> 2)])
      append(alphabet[Int((first & 3) << 4 | second >> 4)])
      append(rest > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : padding)
      append(rest > 2 ? alphabet[Int(third & 63)] : padding)
      index += 3
    }
  }

  /// Decodes a text, and passes each byte to a function.
  package static func decode(_ text: Span<UInt8>, append: (UInt8) -> Void) throws(SignetError) {
    guard text.count.isMultiple(of: 4) else { throw malformed("the length is not a multiple of four", text.count) }
    var index = 0
    while index < text.count {
      let isLast = index + 4 == text.count
      let pads = !isLast || text[index + 3] != padding ? 0 : text[index + 2] != padding ? 1 : 2
      let first = values[Int(text[index])]
      let second = values[Int(text[index + 1])]
      let third = pads > 1 ? 0 : values[Int(text[index + 2])]
      let fourth = pads > 0 ? 0 : values[Int(text[index + 3])]
      guard first | second | third | fourth < 64 else {
        throw malformed("a character that is not in the alphabet", index)
      }
      // RFC 4648, section 3.5: the bits after the value must be zero.
      guard !(pads == 2 && second & 15 != 0), !(pads == 1 && third & 3 != 0) else {
        throw malformed("bits after the end are set", index)
      }
      append(first << 2 | second >> 4)
      if pads < 2 { append(second << 4 | third >> 2) }
      if pads < 1 { append(third << 6 | fourth) }
      index += 4
    }
  }

  private static func malformed(_ what: String, _ position: Int) -> SignetError {
    SignetError(.base64Malformed, "base64", "\(what), at character \(position)", expected: "padded standard base64")
  }
}
