internal import SignetBase

/// What a program or library asks of the dynamic linker (gABI, "Dynamic Section"; elf(5), Dyn).
package struct ELFLinking: Sendable {
  /// The names of the needed libraries, in order (DT_NEEDED).
  package let needed: [[UInt8]]
  /// The name of the library itself (DT_SONAME).
  package let soname: [UInt8]?
  /// The search paths that also count for the libraries which others need (DT_RPATH), as they stand in the file.
  package let inheritedRunPaths: [[UInt8]]
  /// The search paths (DT_RUNPATH), as they stand in the file.
  package let runPaths: [[UInt8]]
  /// Whether the addresses of all functions are found before the program runs (DT_BIND_NOW, DF_BIND_NOW, DF_1_NOW).
  package let bindsNow: Bool
  /// Whether there are functions whose addresses could be found when they are first called (DT_JMPREL).
  package let hasProcedureTable: Bool
  /// Whether code is changed while the program is loaded (DT_TEXTREL, DF_TEXTREL).
  package let hasTextRelocations: Bool

  /// Whether the linker says that it is a program (DF_1_PIE).
  let isMarkedAsProgram: Bool
  /// Whether there is a place for debuggers, which only programs have (DT_DEBUG).
  let hasDebuggersPlace: Bool
  let table: ELFLinkingTable

  /// - Returns: nil for a file without a dynamic table, such as a static program.
  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init?(_ segments: ELFSegmentTable, _ file: ELFFile, _ form: ELFForm) throws(SignetError) {
    guard let segment = segments[.dynamic], segment.fileSize > 0 else { return nil }
    table = try ELFLinkingTable(segment, file, form)
    var names = try table.names(segments, file)
    needed = try table.names(.needed, &names, file)
    soname = try table.names(.soname, &names, file).last
    inheritedRunPaths = try table.names(.rpath, &names, file)
    runPaths = try table.names(.runpath, &names, file)
    let flags = ELFFlags(rawValue: table[.flags] ?? 0)
    let flags1 = ELFFlags1(rawValue: table[.flags1] ?? 0)
    bindsNow = table[.bindNow] != nil || flags.contains(.bindNow) || flags1.contains(.now)
    hasProcedureTable = table[.procedureRelocations] != nil && table[.procedureRelocationsSize] ?? 0 > 0
    hasTextRelocations = table[.textRelocations] != nil || flags.contains(.textRelocations)
    isMarkedAsProgram = flags1.contains(.positionIndependentProgram)
    hasDebuggersPlace = table.has(Self.debug)
  }

  /// DT_DEBUG.
  private static let debug: UInt64 = 21
}

/// The entries of a dynamic table of either class, up to its end.
struct ELFLinkingTable: Sendable {
  /// The maximum number of entries. Linkers write about thirty, and one for each needed library.
  private static let entryLimit = 4096

  private struct Entry: Sendable {
    let tag: UInt64
    let value: UInt64
  }

  private let entries: [Entry]

  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  init(_ segment: ELFSegmentTable.Segment, _ file: ELFFile, _ form: ELFForm) throws(SignetError) {
    guard let range = file.range(segment.offset, segment.fileSize) else {
      throw file.malformed("has a dynamic table that is not in the file")
    }
    let size = 2 * form.wordSize
    let count = min(range.count / size, Self.entryLimit)
    let table = try file.numbers(at: range.lowerBound, count * size, form)
    var entries: [Entry] = []
    var isEnded = false
    for start in stride(from: 0, to: table.count, by: size) {
      let entry = Entry(tag: table.word(start), value: table.word(start + form.wordSize))
      // The dynamic linker stops here, whatever the size of the segment.
      if entry.tag == ELFDynamicTag.null.rawValue {
        isEnded = true
        break
      }
      entries.append(entry)
    }
    guard isEnded else {
      throw file.malformed("has a dynamic table without an end", expected: "at most \(Self.entryLimit) entries")
    }
    self.entries = entries
  }

  /// The value of a tag; nil if it is absent. The dynamic linker uses the last one.
  subscript(tag: ELFDynamicTag) -> UInt64? { entries.last { $0.tag == tag.rawValue }?.value }

  func has(_ tag: UInt64) -> Bool { entries.contains { $0.tag == tag } }

  /// The value of a tag of one processor; nil if it is absent.
  func value(of tag: UInt64) -> UInt64? { entries.last { $0.tag == tag }?.value }

  /// The range of the string table in the file (DT_STRTAB, DT_STRSZ); nil if it is not in the file.
  func strings(_ segments: ELFSegmentTable) -> Range<Int>? {
    guard let range = self[.strings].flatMap(segments.range(from:)) else { return nil }
    let size = self[.stringsSize].flatMap { Int(exactly: $0) } ?? range.count
    return range.prefix(size)
  }

  /// The string table.
  ///
  /// - Throws: `elf.malformed` if there are names, and no table with them.
  func names(_ segments: ELFSegmentTable, _ file: ELFFile) throws(SignetError) -> ELFNameTable {
    guard let range = strings(segments) else {
      let named: [ELFDynamicTag] = [.needed, .soname, .rpath, .runpath]
      guard named.allSatisfy({ self[$0] == nil }) else {
        throw file.malformed("has a string table that is not in the file")
      }
      return ELFNameTable(0..<0, file)
    }
    return ELFNameTable(range, file)
  }

  /// The names that all entries with a tag refer to.
  ///
  /// - Throws: `elf.malformed`; `file.…` if the file cannot be read.
  func names(
    _ tag: ELFDynamicTag, _ names: inout ELFNameTable, _ file: ELFFile
  ) throws(SignetError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for entry in entries where entry.tag == tag.rawValue { found.append(try names.name(at: entry.value)) }
    return found
  }
}
