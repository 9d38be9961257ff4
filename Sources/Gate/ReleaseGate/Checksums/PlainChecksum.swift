internal import SignetBase
internal import SignetCrypto

/// A line that `sha256sum` and programs like it read.
enum PlainChecksum {
  /// `HEX  NAME`, or the digits alone.
  ///
  /// - Parameter naming: what the list's name says about the function, to read digests of other lengths, too; nil for those
  ///   of SHA-2 alone.
  static func read(
    _ line: ArraySlice<UInt8>, _ number: Int, _ subject: String?, orOther naming: ChecksumFile.Naming? = nil
  ) -> StatedChecksum? {
    let begun = line.drop { $0 == 0x20 || $0 == 0x09 }
    let isEscaped = begun.first == UInt8(ascii: "\\")
    let line = isEscaped ? begun.dropFirst() : begun
    let digits = line.prefix { $0 != 0x20 && $0 != 0x09 }
    let sha2 = ChecksumDigits.digest(digits) ?? base64(digits, line[digits.endIndex...])
    guard let digest = sha2?.bytes ?? naming.flatMap({ ChecksumDigits.other(digits, $0) }) else { return nil }
    var name = Array(line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 0x09 })
    if name.first == UInt8(ascii: "*") { name.removeFirst() }
    // What a program has read from another one has no name.
    guard !name.isEmpty, name != [UInt8(ascii: "-")] else {
      return subject.map { StatedChecksum(name: $0, digest: digest, line: number) }
    }
    if isEscaped { name = ChecksumName.unescaped(name) }
    let names = ChecksumName.meanings(of: name)
    guard let last = names.last, names.count == 1 else {
      return names.last.map { StatedChecksum(name: $0, before: names.dropLast(), digest: digest, line: number) }
    }
    let text = line.dropFirst(digits.count)
    let mode = text.first == 0x20 ? text.dropFirst().first.flatMap(StatedChecksum.Mode.init) : nil
    return StatedChecksum(name: last, digest: digest, line: number, mode: mode)
  }

  /// Whether `sha256sum` and programs like it read a line.
  static func isPlain(_ line: ArraySlice<UInt8>) -> Bool { read(line, 0, nil) != nil }

  /// A digest in base64, with a name behind it: without one, it may be a line of a signature.
  private static func base64(_ word: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> Digest? {
    guard rest.count > 2, rest.starts(with: "  ".utf8) || rest.starts(with: " *".utf8),
      let known = DigestAlgorithm.allCases.first(where: { ($0.byteCount + 2) / 3 * 4 == word.count }),
      let bytes = try? Base64.decode(String(decoding: word, as: UTF8.self)), bytes.count == known.byteCount
    else { return nil }
    return Digest(known, hex: Hexadecimal.encode(bytes))
  }
}
