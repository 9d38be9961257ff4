internal import SignetBase

/// The file ranges of the tables to which the dynamic table refers by address.
///
/// The dynamic linker of glibc assumes the sizes of entries, or ends the process if they differ.
struct ELFTables: Sendable {
  /// The maximum size of all names in bytes. The largest library of the Swift toolchain, its Foundation, has 0.9 MiB.
  static let stringLimit = 16 << 20

  let strings: Range<Int>
  /// DT_RELA, without the relocations of DT_JMPREL.
  let relocations: Range<Int>
  /// DT_JMPREL.
  let functionRelocations: Range<Int>
  /// DT_RELR.
  let relatives: Range<Int>
  /// How many of the first relocations are stated to refer to addresses of the library itself (DT_RELACOUNT).
  ///
  /// The dynamic linker does not check their kind, nor whether there are so many.
  let relativeCount: Int
  /// DT_INIT_ARRAY and DT_FINI_ARRAY: addresses of functions.
  let initializers: [Range<Int>]

  private static let symbolSize: UInt64 = 24
  private static let relocationSize: UInt64 = 24

  /// - Throws: `elf.malformed`.
  init(_ dynamic: ELFDynamicTable, _ memory: ELFMemory, _ file: ELFFile) throws(SignetError) {
    let finder = Finder(dynamic: dynamic, memory: memory, file: file)
    guard let strings = try finder.table(.strings, .stringsSize), !strings.isEmpty else {
      throw file.malformed("has no names")
    }
    guard strings.count <= Self.stringLimit else {
      throw file.malformed(
        "has too many names", expected: "at most \(Self.stringLimit) bytes", found: "\(strings.count)")
    }
    self.strings = strings
    try finder.require(.symbolSize, Self.symbolSize)
    try finder.require(.relocationSize, Self.relocationSize, with: .relocations)
    try finder.require(.relativeSize, 8, with: .relatives)
    // DT_PLTREL states the form of the procedure linkage table's relocations, which must be that of DT_RELA.
    try finder.require(
      .procedureRelocationsKind, ELFDynamicTag.relocations.rawValue, with: .procedureRelocations)
    let all = try finder.table(.relocations, .relocationsSize, entry: Self.relocationSize) ?? 0..<0
    let functions =
      try finder.table(.procedureRelocations, .procedureRelocationsSize, entry: Self.relocationSize) ?? 0..<0
    relocations = try Self.withoutFunctions(all, functions: functions, in: dynamic, of: file)
    functionRelocations = functions
    relatives = try finder.table(.relatives, .relativesSize, entry: 8) ?? 0..<0
    initializers = [
      try finder.table(.initializers, .initializersSize, entry: 8),
      try finder.table(.finalizers, .finalizersSize, entry: 8),
    ].compactMap { $0 }
    // If the dynamic linker finds one of these tags, it uses the other.
    guard dynamic[.procedureRelocationsKind] == nil || dynamic[.procedureRelocations] != nil else {
      throw file.malformed("has DT_PLTREL without DT_JMPREL")
    }
    let count = dynamic[.relativeCount] ?? 0
    guard count <= UInt64(relocations.count) / Self.relocationSize else {
      throw file.malformed(
        "has fewer relocations than it says", expected: "DT_RELACOUNT of at most \(relocations.count / 24)",
        found: "\(count)")
    }
    relativeCount = Int(count)
    // The dynamic linker looks up each symbol's version as soon as there are versions of any kind.
    guard dynamic[.versions] != nil || (dynamic[.versionDefinitions] ?? dynamic[.versionNeeds]) == nil else {
      throw file.malformed("has versions, and does not say of which symbols")
    }
    for (table, count) in [
      (ELFDynamicTag.versionDefinitions, ELFDynamicTag.versionDefinitionCount), (.versionNeeds, .versionNeedCount),
    ] where (dynamic[table] == nil) != (dynamic[count] == nil) {
      throw file.malformed("has \(table.name) or \(count.name), and not both")
    }
  }

  /// The relocations of DT_RELA that are not those of DT_JMPREL.
  ///
  /// The relocations of procedure linkage tables may be the end of DT_RELA (gABI, DT_JMPREL). The dynamic linker
  /// compares where both end, and subtracts their sizes. It does not look whether DT_JMPREL begins before DT_RELA, even
  /// if DT_RELA is empty: then it would leave out all of them.
  private static func withoutFunctions(
    _ all: Range<Int>, functions: Range<Int>, in dynamic: ELFDynamicTable, of file: ELFFile
  ) throws(SignetError) -> Range<Int> {
    guard let start = dynamic[.relocations], let size = dynamic[.relocationsSize],
      let functionStart = dynamic[.procedureRelocations], let functionSize = dynamic[.procedureRelocationsSize],
      start &+ size == functionStart &+ functionSize
    else { return all }
    guard start <= functionStart else {
      throw file.malformed("has relocations of functions that end with the others and begin before them")
    }
    return all.lowerBound..<all.upperBound - functions.count
  }

  /// Finds tables by their tags.
  private struct Finder {
    let dynamic: ELFDynamicTable
    let memory: ELFMemory
    let file: ELFFile

    /// The range of a table with a size; nil if there is no such table.
    ///
    /// - Parameter entry: the size of an entry in bytes, if the table has entries.
    func table(
      _ tag: ELFDynamicTag, _ sizeTag: ELFDynamicTag, entry: UInt64 = 1
    ) throws(SignetError) -> Range<Int>? {
      guard let address = dynamic[tag] else { return nil }
      guard let size = dynamic[sizeTag] else { throw file.malformed("has \(tag.name) without \(sizeTag.name)") }
      guard size > 0 else { return nil }
      guard let offset = memory.offset(of: address, size) else {
        throw file.malformed("has tables that are not in the file", found: tag.name)
      }
      guard size.isMultiple(of: entry) else {
        throw file.malformed("has a table that ends within an entry", found: "\(tag.name), \(size) bytes")
      }
      return offset..<offset + Int(size)
    }

    /// Checks that a tag has its only valid value; the tag may be absent unless another tag requires it.
    func require(_ tag: ELFDynamicTag, _ value: UInt64, with other: ELFDynamicTag? = nil) throws(SignetError) {
      let isNeeded = other.map { dynamic[$0] != nil } ?? false
      let found = dynamic[tag]
      guard found == value || (found == nil && !isNeeded) else {
        throw file.malformed(
          "has tables with entries of the wrong size", expected: "\(tag.name) \(value)",
          found: found.map { "\($0)" } ?? "none")
      }
    }
  }

  /// Checks that the tables in the file do not overlap.
  ///
  /// - Returns: all tables that the dynamic linker reads.
  /// - Throws: `elf.malformed`.
  func checkDistinct(_ others: [Range<Int>], _ file: ELFFile) throws(SignetError) -> [Range<Int>] {
    let own = [strings, relatives, relocations, functionRelocations] + initializers
    let all = (others + own).filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    for (one, next) in zip(all, all.dropFirst()) where one.upperBound > next.lowerBound {
      throw file.malformed("has tables that overlap", found: "offset \(next.lowerBound)")
    }
    return all
  }
}

/// The relocations of an image (gABI, "Relocation"; elf(5), Rela; DT_RELR as in the gABI's draft).
///
/// They are checked against the behaviour of glibc's dynamic linker, which writes wherever they say, and looks up any
/// symbol that they name.
struct ELFRelocations: Sendable {
  /// The faults of the relocations: the first of each kind.
  private(set) var faults: [SignetError] = []
  /// The values that relocations write to the tables of initializers, by address.
  private(set) var initializers: [UInt64: Written] = [:]

  /// The kinds of value that a relocation writes to a table of functions.
  enum Written: Sendable {
    /// An address of the library itself.
    case own(UInt64)
    /// The address of a symbol, given by its number.
    case symbol(Int)
    /// The value in the file plus the library's base.
    case based
    /// The result of a function.
    case chosen
    /// A value that is not a function's address, or several values.
    case other
  }

  static let entrySize = 24
  /// The number of entries that are read at once: 48 KiB.
  private static let pieceCount = 2048

  /// - Parameters:
  ///   - guarded: the ranges of the file that the dynamic linker itself reads.
  ///   - symbols: all symbols to which the relocations refer.
  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  package init(
    _ tables: ELFTables, guarded: [Range<Int>], symbols: ELFSymbols, segments: [ELFSegment], memory: ELFMemory,
    machine: ELFMachine, in file: ELFFile
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

  /// The number after the last symbol to which any relocation refers.
  ///
  /// The dynamic linker looks up these symbols, whatever the hash tables say.
  ///
  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  static func symbolCount(_ tables: ELFTables, _ file: ELFFile) throws(SignetError) -> Int {
    var count = 0
    for table in [tables.relocations, tables.functionRelocations] {
      try each(table, file) { count = max(count, $0.symbol + 1) }
    }
    guard count <= ELFSymbols.limit else {
      throw file.malformed("has relocations that refer to too many symbols", expected: "at most \(ELFSymbols.limit)")
    }
    return count
  }

  private static func each(
    _ table: Range<Int>, _ file: ELFFile, _ body: (Entry) -> Void
  ) throws(SignetError) {
    for start in stride(from: table.lowerBound, to: table.upperBound, by: pieceCount * entrySize) {
      let piece = try file.bytes(at: start, min(pieceCount * entrySize, table.upperBound - start))
      for place in stride(from: 0, to: piece.count, by: entrySize) {
        // r_info: the lower half is the type, the upper half is the symbol.
        body(
          Entry(
            address: piece.u64(place), kind: piece.u32(place + 8), symbol: Int(piece.u32(place + 12)),
            addend: piece.u64(place + 16)))
      }
    }
  }

  /// Reads DT_RELR. An even word is the address of a word to which the base is added.
  ///
  /// The other bits of an odd word tell to which of the next 63 words the base is added, too.
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
        // Without an address before it, the dynamic linker would begin at address 0.
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
