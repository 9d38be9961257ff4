/// A form in which a text can be in a file besides its own bytes.
///
/// Windows' editors and PowerShell write UTF-16. Kubernetes has every secret in base64, and so have many settings.
enum Disguise: Hashable {
  case none
  /// UTF-16 of either order, with a mark at the beginning of the file or without one.
  case utf16
  /// Base64, with so many bytes before the text that are in the same group of three.
  case base64(Int)

  static let all: [Disguise] = [.none, .utf16, .base64(0), .base64(1), .base64(2)]

  /// The number of the text's first characters that are looked for.
  private static let utf16Length = 16
  private static let base64Length = 15

  /// What is said of a key in this form.
  var words: String {
    switch self {
    case .none: ""
    case .utf16: ", in UTF-16"
    case .base64: ", in base64"
    }
  }

  /// The bytes by which a text can be found.
  func literal(of text: String) -> [UInt8] {
    let text = Array(text.utf8)
    switch self {
    case .none: return text
    // The zeros between the characters are there in both orders.
    case .utf16: return Array(text.prefix(Self.utf16Length).flatMap { [$0, 0] }.dropLast())
    case .base64(let shift):
      let bytes = [UInt8](repeating: 0, count: shift) + text.prefix(Self.base64Length)
      // Only characters whose bits are all the text's.
      return Array(Self.encode(bytes)[Self.skipped(shift)..<bytes.count * 8 / 6])
    }
  }

  /// The number of characters at the beginning of a group that are not only the text's.
  private static func skipped(_ shift: Int) -> Int { (shift * 8 + 5) / 6 }

  /// A match as it would be in plain text, with its offset being zero.
  func revealed(_ match: ContentMatch) -> ContentMatch? {
    switch self {
    case .none: return match.revealed(before: match.before, after: match.after)
    case .utf16:
      // The zeros are before each character, or after each.
      let before = match.before.reversed().enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      return match.revealed(
        before: before.reversed(), after: stride(from: 0, to: match.after.count, by: 2).map { match.after[$0] })
    case .base64(let shift):
      let skipped = Self.skipped(shift)
      let head = Self.characters(match.before.reversed()).reversed()
      // What is before the literal begins with a whole group.
      let group = head.suffix(head.count - (head.count - skipped) % 4)
      guard head.count >= skipped else { return nil }
      let text = Array(group) + Self.characters(match.after)
      let bytes = Self.decode(text)
      let start = group.count / 4 * 3 + shift
      guard start <= bytes.count else { return nil }
      return match.revealed(before: Array(bytes[..<start]), after: Array(bytes[start...]))
    }
  }

  /// The offset in the file of what is so many bytes from the literal, in plain text.
  func offset(_ plain: Int, from match: ContentMatch) -> Int {
    switch self {
    case .none: match.offset + plain
    case .utf16: max(0, match.offset + 2 * plain)
    case .base64(let shift):
      max(0, match.offset - Self.skipped(shift) + (plain + shift).quotientRoundedDown(by: 3) * 4)
    }
  }

  // MARK: Base64

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start...].prefix(3)
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 { text.append(alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]) }
    }
    return text
  }

  /// The characters of base64 from the beginning on. Line ends between them are passed over.
  private static func characters(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var characters: [UInt8] = []
    for byte in bytes {
      if ArmoredText.value(byte) != nil {
        characters.append(byte)
      } else if byte != 0x0a && byte != 0x0d && byte != 0x20 {
        break
      }
    }
    return characters
  }

  private static func decode(_ text: [UInt8]) -> [UInt8] {
    var (bits, count): (UInt32, Int) = (0, 0)
    var bytes: [UInt8] = []
    for value in text.compactMap(ArmoredText.value) {
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }
}

extension Int {
  fileprivate func quotientRoundedDown(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }
}
