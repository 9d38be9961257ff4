internal import SignetBase
internal import SignetCrypto

/// The relocations of an image (gABI, "Relocation"; elf(5), Rela; DT_RELR as in the gABI's draft), held against what the dynamic
/// linker of glibc does with them: it writes wherever they say, and looks up whatever symbol they name.
struct ELFRelocations: Sendable {
  /// What is wrong with them, the first of each kind.
  private(set) var faults: [SignetError] = []
  /// What relocations write to the tables of initializers, by its address.
  private(set) var initializers: [UInt64: Written] = [:]

  /// What a relocation writes to a table of functions.
  enum Written: Sendable {
    /// An address of the library itself.
    case own(UInt64)
    /// A symbol's, by its number.
    case symbol(Int)
    /// The library's base is added to what is there.
    case based
    /// The answer of a function.
    case chosen
    /// Something that is no function's address, or several things.
    case other
  }

  static let entrySize = 24
  /// Entries that are read at once: 48 KiB.
  private static let pieceCount = 2048

  /// - Parameters:
  ///   - guarded: what lies in the file and the dynamic linker reads itself.
  ///   - symbols: all symbols that the relocations refer to.
  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  init(
    _ tables: ELFTables, guarded: [Range<Int>], _ symbols: ELFSymbols, _ segments: [ELFSegment], _ memory: ELFMemory,
    _ machine: ELFMachine, _ file: ELFFile
  ) throws(SignetError) {
    var check = ELFRelocationCheck(
      machine: machine, memory: memory, symbols: symbols,
      hasThreadVariables: segments.contains { $0.kind == .threadLocal && $0.memorySize > 0 },
      guarded: guarded.filter { table in !tables.initializers.contains(table) }, functions: tables.initializers,
      file: file)
    try Self.eachRelative(tables.relatives, file) { check.add(based: $0) }
    var number = 0
    try Self.each(tables.relocations, file) { entry in
      check.add(entry, mustBeOwn: number < tables.relativeCount, isOfFunctions: false)
      number += 1
    }
    try Self.each(tables.functionRelocations, file) { check.add($0, mustBeOwn: false, isOfFunctions: true) }
    faults = check.faults
    initializers = check.written
  }

  /// A relocation (elf(5), Rela).
  struct Entry {
    let address: UInt64
    let kind: UInt32
    let symbol: Int
    let addend: UInt64
  }

  /// The number behind the last symbol that any of the relocations refers to. The dynamic linker looks up those symbols,
  /// whatever the hash tables say.
  ///
  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  static func symbolCount(_ tables: ELFTables, _ file: ELFFile) throws(SignetError) -> Int {
    var count = 0
    for table in [tables.relocations, tables.functionRelocations] {
      try each(table, file) { count = max(count, $0.symbol + 1) }
    }
    guard count <= ELFSymbols.limit else {
      throw file.malformed("has relocations of symbols that cannot be", expected: "at most \(ELFSymbols.limit)")
    }
    return count
  }

  private static func each(
    _ table: Range<Int>, _ file: ELFFile, _ body: (Entry) -> Void
  ) throws(SignetError) {
    for start in stride(from: table.lowerBound, to: table.upperBound, by: pieceCount * entrySize) {
      let piece = try file.bytes(at: start, min(pieceCount * entrySize, table.upperBound - start))
      for place in stride(from: 0, to: piece.count, by: entrySize) {
        // r_info: the type below, the symbol above.
        body(
          Entry(
            address: piece.u64(place), kind: piece.u32(place + 8), symbol: Int(piece.u32(place + 12)),
            addend: piece.u64(place + 16)))
      }
    }
  }

  /// DT_RELR: an even word is the address of a word that the base is added to; an odd one says with its other bits which of the 63
  /// words behind are, too.
  private static func eachRelative(
    _ table: Range<Int>, _ file: ELFFile, _ body: (UInt64) -> Void
  ) throws(SignetError) {
    var next: UInt64?
    for start in stride(from: table.lowerBound, to: table.upperBound, by: pieceCount * 8) {
      let piece = try file.bytes(at: start, min(pieceCount * 8, table.upperBound - start))
      for place in stride(from: 0, to: piece.count, by: 8) {
        let word = piece.u64(place)
        if word & 1 == 0 {
          guard word < ELFMemory.addressLimit else { throw relativeFault(word, file) }
          body(word)
          next = word + 8
          continue
        }
        // The dynamic linker would begin at address 0.
        guard let first = next, first < ELFMemory.addressLimit else { throw relativeFault(word, file) }
        for bit: UInt64 in 0..<63 where word >> (bit + 1) & 1 == 1 { body(first + 8 * bit) }
        next = first + 8 * 63
      }
    }
  }

  private static func relativeFault(_ word: UInt64, _ file: ELFFile) -> SignetError {
    file.malformed("has relative relocations that say no address", found: "0x" + String(word, radix: 16))
  }
}
