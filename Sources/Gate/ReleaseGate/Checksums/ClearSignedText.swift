/// The lines of a text with a signature around it (RFC 9580, section 7): `-----BEGIN PGP SIGNED MESSAGE-----`, headers, an empty
/// line, the text, and the signature. Whether that is a right one does not matter here: the lines are only compared.
enum ClearSignedText {
  private enum Part {
    case outside, headers, text, signature
  }

  /// Reads lines, each without its end.
  ///
  /// - Returns: the lines with those of the text as they were before they were signed: `- ` stands before each that begins with
  ///   a dash, and may stand before any. And the same lines, with empty ones instead of what is around the text.
  static func read(
    _ lines: [ArraySlice<UInt8>]
  ) -> (lines: [ArraySlice<UInt8>], text: [ArraySlice<UInt8>]) {
    guard lines.contains(where: { isMark($0, "BEGIN PGP SIGNED MESSAGE") }) else { return (lines, lines) }
    var (all, texts, part) = (lines, lines, Part.outside)
    for (index, line) in lines.enumerated() {
      if isMark(line, "BEGIN PGP SIGNED MESSAGE") {
        (part, texts[index]) = (.headers, [])
        continue
      }
      switch part {
      case .outside: continue
      case .headers where isHeader(line): texts[index] = []
      case .headers where line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }): part = .text
      // Without an empty line, no program takes it for a signed text. It has lines all the same.
      case .headers, .text:
        part = .text
        if isMark(line, "BEGIN PGP SIGNATURE") {
          (part, texts[index]) = (.signature, [])
        } else if line.starts(with: "- ".utf8) {
          (all[index], texts[index]) = (line.dropFirst(2), line.dropFirst(2))
        }
      case .signature:
        texts[index] = []
        if isMark(line, "END PGP SIGNATURE") { part = .outside }
      }
    }
    return (all, texts)
  }

  /// Whether a line is a mark. Blanks may be behind it.
  private static func isMark(_ line: ArraySlice<UInt8>, _ words: String) -> Bool {
    let mark = "-----\(words)-----".utf8
    return line.starts(with: mark) && line.dropFirst(mark.count).allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  /// Whether a line has a name, a colon, a blank and a value.
  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xdf) }
    return !name.isEmpty && line.dropFirst(name.count).starts(with: ": ".utf8)
  }
}
