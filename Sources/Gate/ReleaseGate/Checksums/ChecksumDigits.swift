internal import SignetBase
internal import SignetCrypto

/// The digits of a digest in hexadecimal, and what is left of them in a table.
enum ChecksumDigits {
  static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Whether the end of a value was left out because the table is too narrow for it.
  static func isCut(_ value: ArraySlice<UInt8>) -> Bool {
    ["...", "\u{2026}"].contains { value.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// A digest in digits of either case. Its length tells the function.
  static func digest(_ digits: ArraySlice<UInt8>) -> Digest? {
    guard let algorithm = DigestAlgorithm.allCases.first(where: { $0.byteCount * 2 == digits.count }) else {
      return nil
    }
    let lower = digits.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
    return Digest(algorithm, hex: String(decoding: lower, as: UTF8.self))
  }

  /// The bytes of a digest of another function, or of what was cut. Those of MD5 and SHA-1, and shorter ones, prove nothing.
  static func other(_ digits: ArraySlice<UInt8>, _ naming: ChecksumFile.Naming) -> [UInt8]? {
    let least = naming == .blake3 ? 16 : 42
    guard (least...2 * OtherChecksums.byteLimit).contains(digits.count), digits.allSatisfy(isHexadecimal) else {
      return nil
    }
    return Hexadecimal.decode(String(decoding: digits, as: UTF8.self).lowercased())
  }
}
