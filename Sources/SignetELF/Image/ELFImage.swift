package import SignetBase
package import SignetSystem

/// A shared library as the dynamic linker will see it, read without loading it: the header, the segments, and the tables
/// that are found through the dynamic table, as the linker finds them (gABI, "Dynamic Linking"; elf(5)).
///
/// An image that exists is sound: all of its tables are in the file, where the addresses say. What a loader refuses for
/// other reasons is for ``faults()`` and ``ModuleBinary`` to say.
package struct ELFImage: Sendable {
  /// What the file is called: for a module's binary, its path in the module.
  package let path: String
  /// What it was built for.
  let machine: ELFMachine
  /// The libraries it needs, by the names that the dynamic linker looks for (DT_NEEDED).
  package let needed: [String]
  /// The name under which the process knows it (DT_SONAME).
  package let soname: String?
  /// Where it would have needed libraries looked for (DT_RUNPATH, else DT_RPATH).
  package let searchPath: String?
  /// The linker's number for it; nil where there is none, or several.
  package let buildID: [UInt8]?
  /// What it offers and needs.
  package let symbols: ELFSymbols
  /// The versions of what it offers and needs.
  package let versions: ELFVersions

  let segments: [ELFSegment]
  let memory: ELFMemory
  let dynamic: ELFDynamicTable
  let notes: ELFNotes
  let relocations: ELFRelocations
  let initializers: ELFInitializers

  /// Reads an image, in pieces; it takes no more memory than the names and symbols of the library.
  ///
  /// - Throws: `elf.malformed`, `elf.architecture`, `elf.type`; `file.…` when the source cannot be read.
  package init(_ source: any ByteSource, path: String, for machine: ELFMachine) throws(SignetError) {
    let file = ELFFile(source, path: path)
    let header = try ELFHeader(file, for: machine)
    self.path = path
    self.machine = machine
    segments = try ELFSegment.all(file, header)
    memory = try ELFMemory(segments, machine, file)
    dynamic = try ELFDynamicTable(segments, file)
    let tables = try ELFTables(dynamic, memory, file)
    let hashes = try ELFHashTables(dynamic, memory, file)
    let referred = try ELFRelocations.symbolCount(tables, file)
    guard referred <= hashes.symbolCount || !hashes.isExact else {
      throw file.malformed(
        "has relocations of symbols that it does not have", expected: "\(hashes.symbolCount) symbols",
        found: "symbol \(referred - 1)")
    }
    let strings = try ELFStrings(tables.strings, file)
    symbols = try ELFSymbols(dynamic, memory, count: max(hashes.symbolCount, referred), strings, file)
    try ELFHashCheck.run(hashes, symbols, file)
    versions = try ELFVersions(dynamic, memory, symbols: symbols.endIndex, strings, file)
    let read = try tables.checkDistinct(
      [0..<ELFHeader.size, header.segmentTable, dynamic.range, symbols.range] + hashes.ranges, file)
    // Versions may share names' records.
    relocations = try ELFRelocations(
      tables, guarded: read + versions.ranges, symbols, segments, memory, machine, file)
    initializers = try ELFInitializers(dynamic, tables, relocations, symbols, memory, file)
    var needed: [String] = []
    for offset in dynamic.all(.needed) { needed.append(try strings.name(at: offset, file)) }
    self.needed = needed
    soname = try dynamic[.soname].map { (offset) throws(SignetError) in try strings.name(at: offset, file) }
    searchPath = try (dynamic[.runpath] ?? dynamic[.rpath]).map { (offset) throws(SignetError) in
      try strings.shown(at: offset, file)
    }
    notes = try ELFNotes(segments, machine, file)
    buildID = notes.buildIDs.count == 1 ? notes.buildIDs.first : nil
  }

  /// The name of the file without its folder.
  package var fileName: String {
    String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...], as: UTF8.self)
  }

  /// Bytes of memory that it takes, from the address that those in the file count from.
  package var memoryEnd: UInt64 { memory.loads.last.map { $0.address + $0.memorySize } ?? 0 }

  /// The smallest pages that it can be loaded with are its own; a system with larger ones cannot map it.
  package func fits(pageSize: UInt64) -> Bool { memory.loads.allSatisfy { $0.alignment >= pageSize } }

  /// Whether it has relocations in the short form that glibc takes since 2.36 (DT_RELR).
  package var hasShortRelocations: Bool { dynamic[.relatives] != nil }

  /// Whether all symbols are bound when the library is loaded, so that the tables can be made read-only (DT_BIND_NOW,
  /// DF_BIND_NOW, DF_1_NOW).
  package var bindsNow: Bool {
    dynamic[.bindNow] != nil || flags.contains(.bindNow) || flags1.contains(.now)
  }

  /// Whether its own symbols come first where it uses them (DT_SYMBOLIC, DF_SYMBOLIC).
  package var isSymbolic: Bool { dynamic[.symbolic] != nil || flags.contains(.symbolic) }

  /// Symbols that some other image must have; weak ones nobody misses.
  package var undefinedSymbols: some Sequence<ELFSymbol> {
    symbols.lazy.filter { !$0.isDefined && $0.binding != .local }
  }
}
