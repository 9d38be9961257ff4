internal import SignetBase
internal import SignetCrypto

/// Where the tables are in the file that the dynamic table names by their addresses.
///
/// The dynamic linker of glibc takes the sizes of entries for granted, or ends the process where they are others.
struct ELFTables: Sendable {
  /// Bytes of names at most. The largest library of the Swift toolchain, its Foundation, has 0.9 MiB.
  static let stringLimit = 16 << 20

  let strings: Range<Int>
  /// DT_RELA, without those of DT_JMPREL.
  let relocations: Range<Int>
  /// DT_JMPREL.
  let functionRelocations: Range<Int>
  /// DT_RELR.
  let relatives: Range<Int>
  /// How many of the first relocations are said to be of the library's own addresses (DT_RELACOUNT): the dynamic linker does not
  /// look at their kind, nor whether so many are there.
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
    // What the procedure linkage table's relocations are: those that DT_RELA is the tag of.
    try finder.require(
      .procedureRelocationsKind, ELFDynamicTag.relocations.rawValue, with: .procedureRelocations)
    let all = try finder.table(.relocations, .relocationsSize, entry: Self.relocationSize) ?? 0..<0
    let functions =
      try finder.table(.procedureRelocations, .procedureRelocationsSize, entry: Self.relocationSize) ?? 0..<0
    // Those of procedure linkage tables may be the end of all (gABI, DT_JMPREL): the dynamic linker takes them away from the others.
    let isPart = functions.upperBound == all.upperBound && functions.lowerBound >= all.lowerBound
    relocations = isPart ? all.lowerBound..<functions.lowerBound : all
    functionRelocations = functions
    relatives = try finder.table(.relatives, .relativesSize, entry: 8) ?? 0..<0
    initializers = [
      try finder.table(.initializers, .initializersSize, entry: 8),
      try finder.table(.finalizers, .finalizersSize, entry: 8),
    ].compactMap { $0 }
    // The dynamic linker looks for one where it finds the other.
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
    guard dynamic[.versionDefinitions] == nil || dynamic[.versions] != nil else {
      throw file.malformed("defines versions, and does not say of which symbols")
    }
    for (table, count) in [
      (ELFDynamicTag.versionDefinitions, ELFDynamicTag.versionDefinitionCount), (.versionNeeds, .versionNeedCount),
    ] where (dynamic[table] == nil) != (dynamic[count] == nil) {
      throw file.malformed("has \(table.name) or \(count.name), and not both")
    }
  }

  /// Finds tables by their tags.
  private struct Finder {
    let dynamic: ELFDynamicTable
    let memory: ELFMemory
    let file: ELFFile

    /// A table that has a size; nil where there is none.
    ///
    /// - Parameter entry: bytes of an entry, where it has any.
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

    /// Makes sure of a tag's one possible value, where it stands or where another tag demands it.
    func require(_ tag: ELFDynamicTag, _ value: UInt64, with other: ELFDynamicTag? = nil) throws(SignetError) {
      let isNeeded = other.map { dynamic[$0] != nil } ?? false
      let found = dynamic[tag]
      guard found == value || (found == nil && !isNeeded) else {
        throw file.malformed(
          "has tables whose entries are not what they must be", expected: "\(tag.name) \(value)",
          found: found.map { "\($0)" } ?? "none")
      }
    }
  }

  /// Makes sure that what lies in the file lies there for itself.
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
