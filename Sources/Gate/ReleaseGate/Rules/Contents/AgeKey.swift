/// Finds the secret keys of age (github.com/C2SP/C2SP, age.md): Bech32 with a checksum (BIP 173), in capital letters.
enum AgeKey {
  /// What every such key begins with.
  static let literal = "AGE-SECRET-KEY-"
  /// The rest of what is before the data, for the two kinds of keys.
  private static let kinds = ["1", "PQ-1"]
  /// The number of characters of 32 bytes, and of the checksum.
  private static let dataLength = 52
  private static let checksumLength = 6

  private static let alphabet = Array("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".utf8)

  /// The key that begins at a match.
  static func found(_ match: ContentMatch) -> FoundKey? {
    for kind in kinds {
      let prefix = literal + kind
      let length = prefix.utf8.count + dataLength + checksumLength
      guard match.after.count >= length, match.after.starts(with: prefix.utf8) else { continue }
      let data = match.after[prefix.utf8.count..<length].compactMap { alphabet.firstIndex(of: $0) }
      guard data.count == dataLength + checksumLength, hasChecksum(prefix.dropLast(), data),
        !(match.after.dropFirst(length).first.map(TokenAlphabet.word.has) ?? false)
      else { continue }
      return FoundKey(words: "age", isEncrypted: false, offset: match.offset)
    }
    return nil
  }

  /// Whether the last six values are the checksum of all before them.
  private static func hasChecksum(_ prefix: Substring, _ data: [Int]) -> Bool {
    // The checksum is that of small letters.
    let letters = prefix.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    let values = letters.map { Int($0 >> 5) } + [0] + letters.map { Int($0 & 31) } + data
    let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    var sum: UInt32 = 1
    for value in values {
      let top = sum >> 25
      sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
      for (bit, generator) in generators.enumerated() where top >> UInt32(bit) & 1 == 1 { sum ^= generator }
    }
    return sum == 1
  }
}
