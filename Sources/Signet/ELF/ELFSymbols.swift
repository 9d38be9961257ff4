internal import SignetBase
internal import SignetCrypto

/// The dynamic symbols of an image, without the first, which is none (gABI, "Symbol Table"). Each is made when asked for;
/// what is kept are the file's bytes.
package struct ELFSymbols: RandomAccessCollection, Sendable {
  /// Symbols at most. The largest library of the Swift toolchain, its Foundation, has 17,000.
  static let limit = 1 << 18
  /// Bytes of all symbols' names together at most. Names may share their ends, and nothing more: four times the largest
  /// table is what no linker comes near, and what can be gone through for each question.
  private static let nameLimit = 4 * ELFTables.stringLimit
  /// Bytes of an entry.
  static let entrySize = 24

  private let table: ELFBytes
  private let strings: ELFStrings
  /// Where the table is in the file.
  let range: Range<Int>

  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  init(
    _ dynamic: ELFDynamicTable, _ memory: ELFMemory, count: Int, _ strings: ELFStrings, _ file: ELFFile
  ) throws(SignetError) {
    guard let address = dynamic[.symbols], let offset = memory.offset(of: address, UInt64(count * Self.entrySize))
    else { throw file.malformed("has symbols that are not in the file", expected: "\(count) symbols") }
    range = offset..<offset + count * Self.entrySize
    table = try file.bytes(at: offset, range.count)
    self.strings = strings
    // Relocations of no symbol refer to it (gABI, "Symbol Table", STN_UNDEF).
    guard table.bytes.prefix(Self.entrySize).allSatisfy({ $0 == 0 }) else {
      throw file.malformed("has a first symbol that is one")
    }
    var rest = Self.nameLimit
    for start in stride(from: 0, to: table.count, by: Self.entrySize) {
      let name = Int(table.u32(start))
      guard name < strings.count else {
        throw file.malformed("has a symbol whose name is not in its string table")
      }
      rest -= strings.bytes(at: name, upTo: rest + 1).count
      guard rest >= 0 else {
        throw file.malformed(
          "has symbols whose names are too long", expected: "at most \(Self.nameLimit) bytes in all")
      }
    }
  }

  /// The first symbol's number.
  package var startIndex: Int { 1 }
  /// Behind the last symbol's number.
  package var endIndex: Int { Swift.max(1, table.count / Self.entrySize) }
  /// A symbol by its number.
  package subscript(index: Int) -> ELFSymbol { ELFSymbol(table, index * Self.entrySize, strings) }
}
