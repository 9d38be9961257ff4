internal import SignetBase

/// The text of a list, whichever encoding of Unicode it is in: PowerShell writes UTF-16, and editors of Windows put a mark
/// before UTF-8 (The Unicode Standard, section 23.8, "Byte Order Mark"). Some programs write UTF-16 without a mark.
enum ChecksumText {
  /// The text in UTF-8, without a mark, and with a line feed at the end of each line.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let text = plain(bytes)
    // Old programs of Macintosh end lines with a return alone. A name can have one only where lines end otherwise.
    guard text.contains(0x0d), !text.contains(0x0a), !text.contains(0) else { return text }
    return text.map { $0 == 0x0d ? 0x0a : $0 }
  }

  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xff, 0xfe]) { return utf16(bytes, high: 1, from: 2) }
    if bytes.starts(with: [0xfe, 0xff]) { return utf16(bytes, high: 0, from: 2) }
    guard bytes.count >= 2 * asciiCount, bytes.count % 2 == 0 else { return bytes }
    let first = bytes.prefix(2 * asciiCount).map { $0 != 0 && $0 < 0x80 }
    for high in [0, 1]
    where first.indices.allSatisfy({ first[$0] == ($0 % 2 != high) && (first[$0] || bytes[$0] == 0) }) {
      return utf16(bytes, high: high, from: 0)
    }
    return bytes
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
}
