internal import SignetBase
internal import SignetCrypto

/// Finds private keys in a text that would be shown, such as an argument of a command line.
///
/// The text may be a key that lost its lines, got blanks, quotes or a name before it, or was cut. So this looks for how
/// the encodings of private keys begin, at any place. A public key or a certificate begins in another way.
package enum PrivateKeyText {
  /// The end of the first and the last line of every private key in PEM.
  static let mark = Array("PRIVATE KEY-----".utf8)
  private static let mark64 = Array("b3BlbnNzaC1rZXktdjE".utf8)

  /// The base64 of "EdSc" or "Ed", two zeros and "B2", and of "EdBK", with which secret keys of minisign and signify begin,
  /// and others.
  private static let secretMarks = [
    "RWRTY0Iy", "RWQAAEIy", "RWRCSw", "PuTTY-User-Key-File-", "AGE-SECRET-KEY-1", "PRIVATE KEY BLOCK-----",
  ].map { Array($0.utf8) }

  /// Whether a text holds a private key, or the beginning of one.
  package static func isPresent(in text: String) -> Bool {
    let bytes = Array(text.utf8)
    if bytes.contains(mark) || isOfOtherProgram(text) || isJSONWebKey(bytes) { return true }
    let characters = squeezed(bytes)
    if characters.contains(mark64) || isSecretPacket(base64(characters[...].prefix(64))) { return true }
    // Every form begins with SEQUENCE, which is 0x30: an M in base64, and 30 in hexadecimal.
    for index in characters.indices where characters[index] == UInt8(ascii: "M") {
      if beginsKey(base64(characters[index...].prefix(64))) { return true }
    }
    for index in characters.indices where characters[index] == UInt8(ascii: "3") {
      if beginsKey(hexadecimal(characters[index...].prefix(64))) { return true }
    }
    return false
  }

  /// Whether a text is a secret key of another program.
  private static func isOfOtherProgram(_ text: String) -> Bool {
    secretMarks.contains { text.utf8.firstRange(of: $0) != nil }
  }

  /// Whether bytes begin as a packet of OpenPGP with a secret key (RFC 9580, sections 4.2 and 5.5.3): its tag, its length,
  /// its version, a time, an algorithm.
  private static func isSecretPacket(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 24, (0x94...0x97).contains(bytes[0]) || bytes[0] == 0xc5 else { return false }
    let length = bytes[0] == 0xc5 ? (bytes[1] < 192 ? 1 : bytes[1] < 224 ? 2 : 5) : [1, 2, 4, 0][Int(bytes[0] & 3)]
    return (3...6).contains(bytes[1 + length]) && (1...40).contains(bytes[6 + length])
  }

  /// The text without what may come between the characters of a key: blanks, quotes, and escapes of line ends.
  private static func squeezed(_ bytes: [UInt8]) -> [UInt8] {
    var characters: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        isEscaped = false
        if [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t")].contains(byte) { continue }
      }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      if byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: ",") {
        continue
      }
      switch byte {
      // The alphabet for URLs (RFC 4648, section 5).
      case UInt8(ascii: "-"): characters.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): characters.append(UInt8(ascii: "/"))
      default: characters.append(byte)
      }
    }
    return characters
  }

  /// Decodes base64 up to the first other character.
  private static func base64(_ characters: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for character in characters {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return bytes
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      bits &= (1 << UInt32(count)) - 1
    }
    return bytes
  }

  private static func hexadecimal(_ characters: ArraySlice<UInt8>) -> [UInt8] {
    let digits = characters.prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
    }
    let text = String(decoding: digits.prefix(digits.count / 2 * 2).map { $0 | 0x20 }, as: UTF8.self)
    return Hexadecimal.decode(text) ?? []
  }

  /// Whether bytes begin like a private key in DER: with its version, or with PBES2 or an older encryption.
  private static func beginsKey(_ bytes: [UInt8]) -> Bool {
    guard let content = content(bytes[...]) else { return false }
    // PrivateKeyInfo, RSAPrivateKey, ECPrivateKey and PKCS#12.
    for start in [[2, 1, 0, 0x30], [2, 1, 1, 0x30], [2, 1, 0, 2], [2, 1, 1, 4], [2, 1, 3, 0x30]] as [[UInt8]]
    where content.starts(with: start) { return true }
    // EncryptedPrivateKeyInfo: an algorithm of PKCS#5 or PKCS#12.
    guard let name = self.content(content)?.dropFirst(2) else { return false }
    return [[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05], [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c]]
      .contains { name.starts(with: $0 as [UInt8]) }
  }

  /// What follows the tag and the length of a sequence.
  private static func content(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard bytes.first == 0x30, let length = bytes.dropFirst().first else { return nil }
    return bytes.dropFirst(length < 0x80 ? 2 : 2 + Int(length & 0x7f))
  }

  /// A JSON Web Key with its private part (RFC 7518, section 6).
  private static func isJSONWebKey(_ bytes: [UInt8]) -> Bool {
    let text = bytes.filter { $0 > 0x20 && $0 != UInt8(ascii: "\\") }
    return text.contains(Array("\"kty\":".utf8)) && text.contains(Array("\"d\":".utf8))
  }
}
