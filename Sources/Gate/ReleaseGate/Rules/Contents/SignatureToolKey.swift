/// Finds the secret keys of minisign and signify: a comment, and a line of base64 with a structure of a fixed size. The
/// line alone is enough.
enum SignatureToolKey {
  /// The beginning of a line of minisign: the algorithms Ed, Sc and B2.
  static let minisign = "RWRTY0Iy"
  /// The same without encryption: Ed, no derivation, and B2.
  static let unencryptedMinisign = "RWQAAEIy"
  /// The beginning of a line of signify: Ed and BK, then a number of rounds below 65,536.
  static let signify = "RWRCSwAA"

  /// The key whose line begins at a match.
  ///
  /// - Parameters:
  ///   - size: the number of bytes in the line. The base64 of both tools ends with one `=`.
  ///   - isEncrypted: nil if it depends on the number of rounds in the structure.
  static func found(_ match: ContentMatch, _ tool: String, size: Int, isEncrypted: Bool?) -> FoundKey? {
    let length = (size + 2) / 3 * 4
    guard !(match.before.last.map(isBase64) ?? false), match.after.count >= length,
      match.after[..<(length - 1)].allSatisfy(isBase64), match.after[length - 1] == UInt8(ascii: "=")
    else { return nil }
    let rounds = ArmoredText(match.after[..<length]).bytes.dropFirst(4).prefix(4)
    return FoundKey(
      words: tool, isEncrypted: isEncrypted ?? rounds.contains { $0 != 0 }, offset: match.offset)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

/// Finds the private keys of PuTTY (PuTTY User Manual, appendix C).
enum PuTTYKey {
  /// The key whose first line begins at a match.
  static func found(_ match: ContentMatch, _ literal: String) -> FoundKey? {
    let lines = match.after.dropFirst(literal.utf8.count).split(separator: UInt8(ascii: "\n"), maxSplits: 4)
    guard lines.count >= 4, ["1: ", "2: ", "3: "].contains(where: { lines[0].starts(with: $0.utf8) }),
      lines[1].starts(with: encryption), lines[2].starts(with: "Comment: ".utf8),
      lines[3].starts(with: "Public-Lines: ".utf8)
    else { return nil }
    let scheme = lines[1].dropFirst(encryption.count).prefix { $0 != UInt8(ascii: "\r") }
    return FoundKey(words: "PuTTY", isEncrypted: !scheme.elementsEqual("none".utf8), offset: match.offset)
  }

  private static let encryption = Array("Encryption: ".utf8)
}
