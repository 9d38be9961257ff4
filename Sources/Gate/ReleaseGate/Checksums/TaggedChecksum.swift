internal import SignetBase
internal import SignetCrypto

/// A line that names the function: `SHA256 (NAME) = HEX` (BSD, `--tag`, `cksum -a`). OpenSSL calls the functions `SHA2-256`,
/// leaves out blanks, and may put colons between bytes. `cksum --base64` writes base64, and a backslash before the line
/// means that the name has backslashes before some characters.
enum TaggedChecksum {
  /// What programs call the functions, without blanks and hyphens.
  private static let tags: [DigestAlgorithm: [String]] = [
    .sha256: ["SHA256", "SHA2256"], .sha384: ["SHA384", "SHA2384"], .sha512: ["SHA512", "SHA2512"],
  ]

  /// The same for functions whose digests are as long (`b2sum --tag`, `b3sum --tag`, `openssl dgst`). Those with other
  /// digests, such as SHA-224, are not compared.
  private static let others = [
    "BLAKE2b", "BLAKE2b256", "BLAKE2b384", "BLAKE2b512", "BLAKE2B512", "BLAKE2s", "BLAKE2s256", "BLAKE2S256",
    "BLAKE3",
    "SHA3256", "SHA3384", "SHA3512", "SHA512/256", "SHA2512/256", "SHA512256", "SM3",
  ]

  /// Reads a line.
  ///
  /// - Returns: whether such a line is here.
  static func read(
    _ line: ArraySlice<UInt8>, number: Int, about subject: String?, into found: inout ChecksumStatements
  ) -> Bool {
    var text = ChecksumText.trimmed(line)
    let isEscaped = text.first == UInt8(ascii: "\\")
    if isEscaped { text = text.dropFirst() }
    guard let open = text.firstIndex(of: UInt8(ascii: "(")), let close = text.lastIndex(of: UInt8(ascii: ")")),
      open < close
    else { return false }
    // Other functions have digests of the same lengths.
    let function = String(decoding: text[..<open].filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }, as: UTF8.self)
    let algorithm = tags.first { $0.value.contains { $0.isExactly(function) } }?.key
    guard algorithm != nil || others.contains(where: { function.isExactly($0) }) else { return false }
    let value = withoutColons(text[(close + 1)...].drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "=") })
    let blake3 = function.isExactly("BLAKE3") ? ChecksumDigits.other(value, .blake3) : nil
    guard let digest = digest(value, algorithm)?.bytes ?? blake3 else {
      guard isLikeDigest(value) || hasMore(text[open...], algorithm) else { return false }
      found.unread.append((number, "\(function) \(String(decoding: value.prefix(128), as: UTF8.self))"))
      return true
    }
    let kind: StatedChecksum.Function = algorithm == nil ? .other : .sha2
    let bytes = Array(text[(open + 1)..<close])
    let names = ChecksumName.meanings(of: isEscaped ? ChecksumName.unescaped(bytes) : bytes)
    if names.last?.isExactly("stdin") ?? true || names.last?.isExactly("-") ?? true {
      if let subject {
        found.stated.append(StatedChecksum(name: subject, digest: digest, line: number, function: kind))
      } else {
        // A file may be called so.
        found.stated.append(
          StatedChecksum(name: "stdin", digest: digest, line: number, mayBeElsewhere: true, function: kind))
      }
    } else if let name = names.last {
      found.stated.append(
        StatedChecksum(name: name, before: names.dropLast(), digest: digest, line: number, function: kind))
    }
    return true
  }

  /// Digits, or base64.
  ///
  /// - Parameter algorithm: the function; nil if it is not one of SHA-2.
  private static func digest(_ value: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm?) -> Digest? {
    if let digest = ChecksumDigits.digest(value), digest.algorithm == algorithm ?? digest.algorithm { return digest }
    guard !value.allSatisfy({ ChecksumDigits.isHexadecimal($0) }),
      let bytes = try? Base64.decode(String(decoding: value, as: UTF8.self)),
      let known = DigestAlgorithm.allCases.first(where: { $0.byteCount == bytes.count }), known == algorithm ?? known
    else { return nil }
    return Digest(known, hex: Hexadecimal.encode(bytes))
  }

  /// The maximum number of bytes of a digest, with colons.
  private static let digestLimit = 192

  /// Whether there is a digest behind a name, and more behind the digest.
  private static func hasMore(_ text: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm?) -> Bool {
    text.indices.contains { place in
      guard text[place] == UInt8(ascii: ")") else { return false }
      let rest = text[(place + 1)...].prefix(digestLimit).drop { $0 == 0x20 || $0 == 0x09 }
      guard rest.first == UInt8(ascii: "=") else { return false }
      let word = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }.prefix { !" \t()".utf8.contains($0) }
      return digest(withoutColons(word), algorithm) != nil
    }
  }

  private static func withoutColons(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let groups = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return groups.count > 1 && groups.allSatisfy { $0.count == 2 } ? Array(groups.joined())[...] : value
  }

  /// Whether a value is a digest that is too short or too long, and no word of a text.
  private static func isLikeDigest(_ value: ArraySlice<UInt8>) -> Bool {
    let digits = value.prefix { ChecksumDigits.isHexadecimal($0) }.count
    if digits == value.count || ChecksumDigits.isCut(value) { return digits >= 8 }
    return value.count >= 40
      && value.allSatisfy {
        ChecksumDigits.isHexadecimal($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xdf)
          || "+/=".utf8.contains($0)
      }
  }
}
