internal import SignetBase

/// The text of a list, whichever encoding of Unicode it is in: PowerShell writes UTF-16, and editors of Windows put a mark
/// before UTF-8 (The Unicode Standard, section 23.8, "Byte Order Mark").
enum ChecksumText {
  /// The text in UTF-8, without a mark.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xff, 0xfe])
    guard isLittle || bytes.starts(with: [0xfe, 0xff]) else { return bytes }
    let (high, low) = isLittle ? (1, 0) : (0, 1)
    let units: [UInt16] = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + low])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
