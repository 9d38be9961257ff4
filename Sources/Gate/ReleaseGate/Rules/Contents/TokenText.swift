/// What can be computed from the characters of a token.
enum TokenText {
  /// The CRC-32 of bytes (ISO 3309, as in ZIP), bit by bit: tokens are short.
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
    }
    return ~sum
  }

  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// A number in base 62, or in base 36 with lower-case letters, with zeros in front.
  static func digits(of number: UInt32, base: UInt32, count: Int) -> [UInt8] {
    var (rest, text): (UInt32, [UInt8]) = (number, [])
    for _ in 0..<count {
      let digit = Int(rest % base)
      text.append(digits[base == 36 && digit >= 10 ? digit + 26 : digit])
      rest /= base
    }
    return text.reversed()
  }

  /// Decodes base64 with the alphabet for URLs and without padding (RFC 4648, section 5), as far as there are whole
  /// bytes.
  static func base64URL(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var (bits, count): (UInt32, Int) = (0, 0)
    var bytes: [UInt8] = []
    for character in text {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      default: return bytes
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  // MARK: Examples

  /// The least number of different characters in a secret. Of 18 random characters or more, there are always more.
  private static let leastVariety = 6
  /// The length from which on equal or consecutive characters are an example's: `xxxxx`, `12345`.
  private static let sequenceLength = 5

  /// Whether a text names itself an example, as those in AWS's documents do.
  static func isExample(_ text: ArraySlice<UInt8>) -> Bool {
    let word = Array("example".utf8)
    let text = text.map { $0 | 0x20 }
    return text.count >= word.count
      && (0...text.count - word.count).contains { text[$0...].starts(with: word) }
  }

  /// Whether a secret may be random: not a placeholder such as `xxxxxxxx`, nor a counting such as `123456`.
  static func isVaried(_ text: ArraySlice<UInt8>) -> Bool {
    guard Set(text).count >= leastVariety, !isExample(text) else { return false }
    var (same, rising) = (1, 1)
    for (first, second) in zip(text, text.dropFirst()) {
      same = second == first ? same + 1 : 1
      rising = Int(second) == Int(first) + 1 ? rising + 1 : 1
      if same >= sequenceLength || rising >= sequenceLength { return false }
    }
    return true
  }

  /// Whether a secret may be random, of an alphabet with capital and small letters.
  static func isMixed(_ text: ArraySlice<UInt8>) -> Bool {
    isVaried(text) && text.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      && text.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  /// Whether a text has something that may be a secret key of AWS: 40 characters of base64, and neither more nor less.
  static func hasAWSSecret(_ text: ArraySlice<UInt8>) -> Bool {
    let runs = text.split { !TokenAlphabet.base62.has($0) && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }
    return runs.contains { run in
      run.count == 40 && isMixed(run) && run.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }
}
