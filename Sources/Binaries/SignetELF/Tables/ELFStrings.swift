internal import SignetBase

/// The names of an image (gABI, "String Table"): each extends from its offset to a zero byte.
struct ELFStrings: Sendable {
  /// The maximum length of a name including its end, except for symbols: the longest path in Linux (PATH_MAX).
  ///
  /// Only search paths could be longer, and these are shown rather than used.
  private static let nameLimit = 4096

  private let bytes: [UInt8]

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(_ range: Range<Int>, _ file: ELFFile) throws(SignetError) {
    bytes = try file.bytes(at: range.lowerBound, range.count).bytes
    guard bytes.last == 0 else { throw file.malformed("has a string table without a terminator") }
  }

  var count: Int { bytes.count }

  /// The bytes of a name. The table's last byte is zero, so each name has an end.
  ///
  /// - Parameter limit: the maximum number of bytes that are examined.
  func bytes(at offset: Int, upTo limit: Int = .max) -> ArraySlice<UInt8> {
    guard bytes.indices.contains(offset) else { return [] }
    return bytes[offset...].prefix(limit).prefix { $0 != 0 }
  }

  /// A name that must be valid UTF-8.
  ///
  /// - Throws: `elf.malformed`.
  func name(at offset: UInt64, _ file: ELFFile) throws(SignetError) -> String {
    let bytes = try text(at: offset, file)
    guard bytes.count < Self.nameLimit, let text = String(validating: bytes, as: UTF8.self) else {
      throw file.malformed(
        "has a name that is too long or not text", expected: "fewer than \(Self.nameLimit) bytes of UTF-8",
        found: bytes.count < Self.nameLimit ? nil : "\(bytes.count) bytes or more")
    }
    return text
  }

  /// The beginning of a text that is only shown.
  ///
  /// - Throws: `elf.malformed`.
  func shown(at offset: UInt64, _ file: ELFFile) throws(SignetError) -> String {
    String(decoding: try text(at: offset, file), as: UTF8.self)
  }

  /// The beginning of a name, up to the limit, because a thousand tags may refer to one name that fills the table.
  private func text(at offset: UInt64, _ file: ELFFile) throws(SignetError) -> ArraySlice<UInt8> {
    guard let offset = Int(exactly: offset), bytes.indices.contains(offset) else {
      throw file.malformed("has a name that is not in its string table")
    }
    return bytes(at: offset, upTo: Self.nameLimit)
  }
}
