internal import SignetBase

/// The dynamic symbols of an image (gABI, "Symbol Table"); the reserved first entry of the table is left out.
///
/// The bytes of the table are kept, and a symbol is decoded when it is accessed.
package struct ELFSymbols: RandomAccessCollection, Sendable {
  /// The maximum number of symbols. The largest library of the Swift toolchain, its Foundation, has 17,000.
  static let limit = 1 << 18
  /// The maximum length of all symbols' names together, in bytes.
  ///
  /// Names can share their endings, but nothing else. So no linker comes near four times the largest table, and that
  /// much can still be searched for each query.
  private static let nameLimit = 4 * ELFTables.stringLimit
  /// The size of an entry in bytes.
  static let entrySize = 24

  private let table: ELFBytes
  private let strings: ELFStrings
  /// The range of the table in the file.
  let range: Range<Int>

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(
    _ dynamic: ELFDynamicTable, memory: ELFMemory, count: Int, strings: ELFStrings, in file: ELFFile
  ) throws(SignetError) {
    guard let address = dynamic[.symbols], let offset = memory.offset(of: address, UInt64(count * Self.entrySize))
    else { throw file.malformed("has symbols that are not in the file", expected: "\(count) symbols") }
    range = offset..<offset + count * Self.entrySize
    table = try file.bytes(at: offset, range.count)
    self.strings = strings
    // Relocations without a symbol refer to this entry (gABI, "Symbol Table", STN_UNDEF).
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

  /// The number of the first symbol.
  package var startIndex: Int { 1 }
  /// The number after the last symbol.
  package var endIndex: Int { Swift.max(1, table.count / Self.entrySize) }
  /// The symbol with a number.
  package subscript(index: Int) -> ELFSymbol { ELFSymbol(table, index * Self.entrySize, strings) }
}

/// A symbol that an image offers or needs (gABI, "Symbol Table"; elf(5), Sym).
package struct ELFSymbol: Sendable {
  /// The bytes of the name, without a version.
  package let nameBytes: ArraySlice<UInt8>
  /// The binding: which images can see the symbol; nil if it is unknown.
  package let binding: Binding?
  /// The type of the symbol; nil if it is unknown.
  package let kind: Kind?
  /// The address from the image's base; for a thread-local symbol, an offset in the thread's copy.
  package let value: UInt64
  /// The size of the named object in bytes.
  package let size: UInt64
  let section: UInt16
  let visibility: UInt8

  /// STB_…: which images can see a symbol.
  package enum Binding: UInt8, Sendable {
    /// Only the image itself.
    case local = 0
    /// All images.
    case global = 1
    /// All images; the symbol may be missing.
    case weak = 2
    /// All images, and all of them use the first definition in the process (STB_GNU_UNIQUE).
    case unique = 10
  }

  /// STT_…: the type of a symbol.
  package enum Kind: UInt8, Sendable {
    /// No stated type.
    case unspecified = 0
    /// Data.
    case object = 1
    /// Code.
    case function = 2
    /// A section.
    case section = 3
    /// A source file.
    case file = 4
    /// Data that has no place yet.
    case common = 5
    /// Data of which each thread has a copy.
    case threadLocal = 6
    /// Code that is run to choose the function (STT_GNU_IFUNC).
    case indirectFunction = 10

    /// Whether the dynamic linker finds symbols of this kind.
    package var isFound: Bool { self != .section && self != .file }
  }

  /// The name for messages; bytes that are not UTF-8 are replaced.
  package var name: String { String(decoding: nameBytes, as: UTF8.self) }
  /// Whether the image itself defines the symbol (SHN_UNDEF means that it does not).
  package var isDefined: Bool { section != 0 }
  /// Whether the value is not a place in the image (SHN_ABS).
  package var isAbsolute: Bool { section == 0xfff1 }
  /// Whether other images can find the symbol: STV_DEFAULT or STV_PROTECTED.
  package var isVisible: Bool { binding != .local && (visibility == 0 || visibility == 3) }
  /// Whether all images share the symbol: STV_DEFAULT.
  package var isVisibleToAll: Bool { visibility == 0 }
  /// Whether another image's symbol of the same name may replace this one where the image itself uses it:
  /// STV_DEFAULT.
  package var isInterposable: Bool {
    isDefined && (binding == .global || binding == .weak) && visibility == 0
  }

  /// - Parameter start: the offset of the entry in the symbol table.
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
