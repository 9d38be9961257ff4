internal import SignetBase

/// The text of a list, whichever encoding of Unicode it is in: PowerShell writes UTF-16, and editors of Windows put a mark
/// before UTF-8 (The Unicode Standard, section 23.8, "Byte Order Mark"). Some programs write UTF-16 without a mark.
enum ChecksumText {
  /// The texts that bytes may be, in UTF-8, without a mark, and with a line feed at the end of each line. `sha256sum` reads bytes
  /// as they are, whatever mark is before them.
  static func readings(_ bytes: [UInt8]) -> [[UInt8]] {
    let (text, isOther) = plain(bytes)
    guard isOther, hasLine(bytes) else { return [lines(text)] }
    return [
      lines(text),
      lines(
        bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) ? Array(bytes.dropFirst(2)) : bytes),
    ]
  }

  /// Whether bytes of ASCII follow each other, so many as the shortest digest in base64 has. A list in UTF-16 has none.
  private static func hasLine(_ bytes: [UInt8]) -> Bool {
    var count = 0
    for byte in bytes {
      count = (0x20..<0x7f).contains(byte) ? count + 1 : 0
      if count == 44 { return true }
    }
    return false
  }

  private static func lines(_ text: [UInt8]) -> [UInt8] {
    // Old programs of Macintosh end lines with a return alone. A name can have one only where lines end otherwise.
    guard text.contains(0x0d), !text.contains(0x0a), !text.contains(0) else { return text }
    return text.map { $0 == 0x0d ? 0x0a : $0 }
  }

  /// - Returns: the text in UTF-8, and whether the bytes are in another encoding.
  private static func plain(_ bytes: [UInt8]) -> (text: [UInt8], isOther: Bool) {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return (Array(bytes.dropFirst(3)), false) }
    if bytes.starts(with: [0xff, 0xfe]) { return (utf16(bytes, high: 1, from: 2), true) }
    if bytes.starts(with: [0xfe, 0xff]) { return (utf16(bytes, high: 0, from: 2), true) }
    guard bytes.count >= 2 * asciiCount, bytes.count % 2 == 0 else { return (bytes, false) }
    let first = bytes.prefix(2 * asciiCount).map { $0 != 0 && $0 < 0x80 }
    for high in [0, 1]
    where first.indices.allSatisfy({ first[$0] == ($0 % 2 != high) && (first[$0] || bytes[$0] == 0) }) {
      return (utf16(bytes, high: high, from: 0), true)
    }
    return (bytes, false)
  }

  /// How many characters of ASCII tell that a text is in UTF-16: a list begins with a digest, or with the name of a function
  /// or of a column.
  private static let asciiCount = 4

  /// - Parameter high: the place of the higher byte of each unit.
  private static func utf16(_ bytes: [UInt8], high: Int, from start: Int) -> [UInt8] {
    let units: [UInt16] = stride(from: start, to: bytes.count - 1, by: 2).map { place in
      UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + 1 - high])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// A line without the blanks at its ends.
  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
    return text
  }
}
