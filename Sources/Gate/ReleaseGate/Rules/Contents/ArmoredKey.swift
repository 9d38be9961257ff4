/// Finds private keys between lines with dashes: PEM (RFC 7468) of any kind, OpenSSH's and OpenPGP's own forms, and
/// that of ssh.com (RFC 4716).
enum ArmoredKey {
  /// The maximum number of characters between `BEGIN` and `PRIVATE KEY`: the longest one in use is `SSH2 ENCRYPTED`.
  private static let labelLimit = 24
  /// The least number of bytes of a key that must be there: 40 characters of base64, of lines that have 64 or more.
  private static let leastSize = 30

  /// The key whose label has `PRIVATE KEY` at a match.
  ///
  /// - Parameter literal: the end of the label, with the dashes after it.
  static func pem(_ match: ContentMatch, _ literal: String) -> FoundKey? {
    guard let (label, offset) = label(before: match, "-----BEGIN ") else { return nil }
    let body = ArmoredText(match.after.dropFirst(literal.utf8.count))
    guard body.bytes.count >= leastSize else { return nil }
    func key(_ words: String, isEncrypted: Bool = false) -> FoundKey {
      FoundKey(words: words, isEncrypted: isEncrypted, offset: offset)
    }
    switch label {
    case "OPENSSH":
      return isOpenSSHEncrypted(body.bytes).map { key("OpenSSH", isEncrypted: $0) }
    case "PGP":
      return isSecretKeyPacket(body.bytes) ? key("OpenPGP") : nil
    case "ENCRYPTED COSIGN", "ENCRYPTED SIGSTORE":
      // JSON with the derivation of a key from a passphrase, and what is encrypted with it.
      let isBox = body.bytes.starts(with: "{\"kdf\":".utf8) && (!body.isWhole || body.bytes.last == UInt8(ascii: "}"))
      return isBox ? key("cosign", isEncrypted: true) : nil
    default:
      let words = label.isEmpty || label == "ENCRYPTED" ? "PKCS #8 in PEM" : "\(label) in PEM"
      // Under OpenSSL's traditional encryption, the structure cannot be seen.
      if body.isEncrypted { return looksEncrypted(body.bytes) ? key(words, isEncrypted: true) : nil }
      guard let structure = KeyStructure(start: body.bytes, isWhole: body.isWhole) else { return nil }
      return key(words, isEncrypted: structure == .encryptedPKCS8)
    }
  }

  /// The key of ssh.com whose label has `PRIVATE KEY` at a match.
  static func ssh2(_ match: ContentMatch, _ literal: String) -> FoundKey? {
    guard let (_, offset) = label(before: match, "---- BEGIN SSH2 ") else { return nil }
    let body = ArmoredText(match.after.dropFirst(literal.utf8.count))
    // The format's magic number; the cipher's name follows the type, each a text with its length before it.
    guard body.bytes.count >= leastSize, body.bytes.starts(with: [0x3f, 0x6f, 0xf9, 0xeb]) else { return nil }
    let type = text(body.bytes, at: 8)
    let cipher = type.flatMap { text(body.bytes, at: 12 + $0.count) }
    return FoundKey(words: "SSH2", isEncrypted: cipher.map { $0 != Array("none".utf8) } ?? true, offset: offset)
  }

  /// The words between `BEGIN` and the match, and the offset of the first dash.
  private static func label(before match: ContentMatch, _ begin: String) -> (label: String, offset: Int)? {
    let (before, begin) = (match.before, Array(begin.utf8))
    var length = 0
    // `BEGIN` consists of the characters that a label has, too.
    while length <= labelLimit, length + begin.count <= before.count {
      let start = before.count - length - begin.count
      if before[start..<start + begin.count].elementsEqual(begin) {
        let label = before.suffix(length).reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
        return (String(decoding: label, as: UTF8.self), match.offset - length - begin.count)
      }
      guard isInLabel(before[before.count - length - 1]) else { return nil }
      length += 1
    }
    return nil
  }

  private static func isInLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "): true
    default: false
    }
  }

  /// Whether OpenSSH's own form (PROTOCOL.key) is encrypted; nil if it is not that form.
  private static func isOpenSSHEncrypted(_ bytes: [UInt8]) -> Bool? {
    let magic = Array("openssh-key-v1\u{0}".utf8)
    guard bytes.starts(with: magic), let cipher = text(bytes, at: magic.count) else { return nil }
    return cipher != Array("none".utf8)
  }

  /// A text with its length in four bytes before it (RFC 4251, section 5), of at most 64 bytes.
  private static func text(_ bytes: [UInt8], at offset: Int) -> [UInt8]? {
    guard offset <= bytes.count - 4 else { return nil }
    let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= 64, length <= bytes.count - offset - 4 else { return nil }
    return Array(bytes[offset + 4..<offset + 4 + length])
  }

  /// Whether the bytes begin with a packet that holds a secret key or subkey (RFC 9580, sections 4.2 and 5).
  private static func isSecretKeyPacket(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, first & 0x80 != 0 else { return false }
    let type = first & 0x40 != 0 ? first & 0x3f : (first >> 2) & 0x0f
    return type == 5 || type == 7
  }

  /// Whether bytes look as if they were encrypted, and not like filling.
  private static func looksEncrypted(_ bytes: [UInt8]) -> Bool { Set(bytes).count * 3 > min(bytes.count, 64) }
}
