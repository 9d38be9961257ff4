internal import SignetBase

/// The dynamic symbols of an image (gABI, "Symbol Table"). The table's first entry is reserved and left out.
///
/// The bytes of the table are kept. A symbol is decoded when it is asked for.
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
      throw file.malformed("has a first symbol that is not empty")
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

/// A symbol that an image offers or needs (gABI, "Symbol Table"; elf(5), Sym).
package struct ELFSymbol: Sendable {
  /// The bytes of its name, without a version.
  package let nameBytes: ArraySlice<UInt8>
  /// Who may see it.
  package let binding: Binding?
  /// What it is.
  package let kind: Kind?
  /// Where it is, from the image's base; for thread-local ones, an offset in the thread's copy.
  package let value: UInt64
  /// Bytes of what it names.
  package let size: UInt64
  let section: UInt16
  let visibility: UInt8

  /// STB_…: who may see a symbol.
  package enum Binding: UInt8, Sendable {
    /// Nobody outside of the image.
    case local = 0
    /// Everybody.
    case global = 1
    /// Everybody, and nobody misses it.
    case weak = 2
    /// Everybody, and the first definition in a process is that of all images (STB_GNU_UNIQUE).
    case unique = 10
  }

  /// STT_…: what a symbol is.
  package enum Kind: UInt8, Sendable {
    /// Nothing that is said.
    case unspecified = 0
    /// Data.
    case object = 1
    /// Code.
    case function = 2
    /// A section.
    case section = 3
    /// A source file.
    case file = 4
    /// Data without a place yet.
    case common = 5
    /// Data of which each thread has a copy.
    case threadLocal = 6
    /// Code that is run to find the function (STT_GNU_IFUNC).
    case indirectFunction = 10

    /// Whether the dynamic linker finds symbols of this kind.
    var isFound: Bool { self != .section && self != .file }
  }

  /// Its name for people; bytes that are no text are replaced.
  package var name: String { String(decoding: nameBytes, as: UTF8.self) }
  /// Whether the image has it itself (SHN_UNDEF says that it has not).
  package var isDefined: Bool { section != 0 }
  /// Whether its value is no place in the image (SHN_ABS).
  package var isAbsolute: Bool { section == 0xfff1 }
  /// Whether other images find it: STV_DEFAULT or STV_PROTECTED.
  package var isVisible: Bool { binding != .local && (visibility == 0 || visibility == 3) }
  /// Whether the image itself, where it uses the symbol, may get another image's of the same name: STV_DEFAULT.
  package var isInterposable: Bool {
    isDefined && (binding == .global || binding == .weak) && visibility == 0
  }

  /// - Parameter start: where the entry begins in the symbol table.
  init(_ table: ELFBytes, _ start: Int, _ strings: ELFStrings) {
    nameBytes = strings.bytes(at: Int(table.u32(start)))
    binding = Binding(rawValue: table.bytes[start + 4] >> 4)
    kind = Kind(rawValue: table.bytes[start + 4] & 15)
    visibility = table.bytes[start + 5] & 3
    section = table.u16(start + 6)
    value = table.u64(start + 8)
    size = table.u64(start + 16)
  }
}
