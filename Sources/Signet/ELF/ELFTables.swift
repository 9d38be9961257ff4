internal import SignetCrypto

/// Where the tables are in the file that the dynamic table names by their addresses.
///
/// The dynamic linker of glibc takes the sizes of entries for granted, or ends the process where they are others.
struct ELFTables: Sendable {
  /// Bytes of names at most. The largest library of the Swift toolchain, its Foundation, has 0.9 MiB.
  static let stringLimit = 16 << 20

  let strings: Range<Int>
  let relocations: [Range<Int>]

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
    let relocations = try finder.table(.relocations, .relocationsSize)
    let procedures = try finder.table(.procedureRelocations, .procedureRelocationsSize)
    self.relocations = [relocations, procedures].compactMap { $0 }
    for table in self.relocations where !table.count.isMultiple(of: Int(Self.relocationSize)) {
      throw file.malformed("has half a relocation")
    }
    _ = try finder.table(.relatives, .relativesSize)
    _ = try finder.table(.initializers, .initializersSize)
    _ = try finder.table(.finalizers, .finalizersSize)
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
    func table(_ tag: ELFDynamicTag, _ sizeTag: ELFDynamicTag) throws(SignetError) -> Range<Int>? {
      guard let address = dynamic[tag] else { return nil }
      guard let size = dynamic[sizeTag] else { throw file.malformed("has \(tag.name) without \(sizeTag.name)") }
      guard size > 0 else { return nil }
      guard let offset = memory.offset(of: address, size) else {
        throw file.malformed("has tables that are not in the file", found: tag.name)
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

  /// Makes sure that what lies in the file lies there for itself. Relocations of procedure linkage tables may be a part of
  /// all relocations (gABI, DT_JMPREL).
  ///
  /// - Throws: `elf.malformed`.
  func checkDistinct(_ others: [Range<Int>], _ file: ELFFile) throws(SignetError) {
    let all = (others + [strings]).filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    for (one, next) in zip(all, all.dropFirst()) where one.upperBound > next.lowerBound {
      throw file.malformed("has tables that overlap", found: "offset \(next.lowerBound)")
    }
    for table in relocations where all.contains(where: { $0.overlaps(table) }) {
      throw file.malformed("has relocations that overlap other tables", found: "offset \(table.lowerBound)")
    }
  }
}
