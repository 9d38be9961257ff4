internal import SignetBase

/// A string table in the file (gABI, "String Table"), from which each name is read when it is asked for.
struct ELFNameTable {
  /// The maximum length of all names together, in bytes: some hundred search paths of the longest kind.
  private static let budget = 1 << 20
  private static let pieceSize = 256

  private let range: Range<Int>
  private let file: ELFFile
  private var rest = budget

  init(_ range: Range<Int>, _ file: ELFFile) {
    self.range = range
    self.file = file
  }

  /// The bytes of a name, up to the zero byte.
  ///
  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  mutating func name(at offset: UInt64) throws(SignetError) -> [UInt8] {
    guard let offset = Int(exactly: offset), offset < range.count else {
      throw file.malformed("has a name that is not in its string table")
    }
    var name: [UInt8] = []
    var place = range.lowerBound + offset
    while place < range.upperBound {
      let piece = try file.bytes(at: place, min(Self.pieceSize, range.upperBound - place)).bytes
      let part = piece.prefix { $0 != 0 }
      name += part
      rest -= part.count
      guard rest >= 0 else { throw file.malformed("has names that are too long") }
      if part.count < piece.count { return name }
      place += piece.count
    }
    throw file.malformed("has a name without an end")
  }
}

/// Short names from a string table, which are asked for in the order of their offsets.
struct ELFShortNames {
  private let range: Range<Int>
  private let file: ELFFile
  /// The offset of the first byte of `piece` in the table.
  private var start = 0
  private var piece: [UInt8] = []

  init(_ range: Range<Int>, _ file: ELFFile) {
    self.range = range
    self.file = file
  }

  /// The bytes of a name; nil if it is longer than the limit, or not in the table.
  ///
  /// - Throws: `file.…` if the file cannot be read.
  mutating func name(at offset: Int, atMost limit: Int) throws(SignetError) -> ArraySlice<UInt8>? {
    guard offset < range.count else { return nil }
    let count = min(limit + 1, range.count - offset)
    if offset < start || offset + count > start + piece.count {
      start = offset
      piece = try file.bytes(at: range.lowerBound + offset, min(ELFFile.pieceSize, range.count - offset)).bytes
    }
    let bytes = piece[(offset - start)..<(offset - start + count)]
    guard let end = bytes.firstIndex(of: 0) else { return nil }
    return bytes[..<end]
  }
}
