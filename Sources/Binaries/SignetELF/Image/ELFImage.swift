package import SignetBase
package import SignetSystem

/// A shared library as the dynamic linker will see it, read without loading it.
///
/// It consists of the header, the segments, and the tables that are found through the dynamic table, as the linker
/// finds them (gABI, "Dynamic Linking"; elf(5)). An image that exists is sound: all its tables are in the file at
/// their stated addresses. ``faults()`` and ``ModuleBinary`` tell what a loader refuses for other reasons.
package struct ELFImage: Sendable {
  /// The name of the file; for a module's binary, its path in the module.
  package let path: String
  /// The processor for which it was built.
  let machine: ELFMachine
  /// The needed libraries, by the names for which the dynamic linker searches (DT_NEEDED).
  package let needed: [String]
  /// The name of the library in a process (DT_SONAME).
  package let soname: String?
  /// The library's search path for needed libraries (DT_RUNPATH, else DT_RPATH).
  package let searchPath: String?
  /// The build ID from the linker; nil unless there is exactly one.
  package let buildID: [UInt8]?
  /// The symbols that the library offers and needs.
  package let symbols: ELFSymbols
  /// The versions of the symbols that the library offers and needs.
  package let versions: ELFVersions

  let segments: [ELFSegment]
  let memory: ELFMemory
  let dynamic: ELFDynamicTable
  let notes: ELFNotes
  let relocations: ELFRelocations
  let initializers: ELFInitializers

  /// Reads an image in pieces; the memory is limited to the names and symbols of the library.
  ///
  /// - Throws: `elf.malformed`, `elf.architecture`, `elf.type`; `file.…` if the source cannot be read.
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
    symbols = try ELFSymbols(
      dynamic, memory: memory, count: max(hashes.symbolCount, referred), strings: strings, in: file)
    try ELFHashCheck.run(hashes, symbols, file)
    versions = try ELFVersions(dynamic, memory: memory, symbols: symbols.endIndex, strings: strings, in: file)
    let read = try tables.checkDistinct(
      [0..<ELFHeader.size, header.segmentTable, dynamic.range, symbols.range] + hashes.ranges, file)
    // Versions are not checked for overlaps, because they may share the records of names.
    relocations = try ELFRelocations(
      tables, guarded: read + versions.ranges, symbols: symbols, segments: segments, memory: memory, machine: machine,
      in: file)
    initializers = try ELFInitializers(
      dynamic, tables: tables, relocations: relocations, symbols: symbols, memory: memory, in: file)
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

  /// The first address of the library.
  package var memoryStart: UInt64 { memory.loads.first?.address ?? 0 }

  /// The size of the library in memory, counted from the base of the addresses in the file.
  package var memoryEnd: UInt64 { memory.loads.last.map { $0.address + $0.memorySize } ?? 0 }

  /// Whether the library can be loaded on a system with this page size: the alignment of each segment must be at
  /// least as large.
  package func fits(pageSize: UInt64) -> Bool { memory.loads.allSatisfy { $0.alignment >= pageSize } }

  /// Whether the library has relocations in the short form, which glibc supports since 2.36 (DT_RELR).
  package var hasShortRelocations: Bool { dynamic[.relatives] != nil }

  /// Whether all symbols are bound when the library is loaded, so that the tables can become read-only (DT_BIND_NOW,
  /// DF_BIND_NOW, DF_1_NOW).
  package var bindsNow: Bool {
    dynamic[.bindNow] != nil || flags.contains(.bindNow) || flags1.contains(.now)
  }

  /// Whether the library prefers its own symbols where it uses them (DT_SYMBOLIC, DF_SYMBOLIC).
  package var isSymbolic: Bool { dynamic[.symbolic] != nil || flags.contains(.symbolic) }

  /// Whether a symbol with this number is called when the library is opened or the process ends, because its address is
  /// among the initializers or finalizers.
  package func isInitializer(_ number: Int) -> Bool { initializers.named.contains(number) }

  /// Whether the library defines a symbol as code.
  package func isCode(_ symbol: ELFSymbol) -> Bool { memory.isCode(of: symbol) }

  /// The symbols that another image must define; weak ones may be missing.
  package var undefinedSymbols: some Sequence<ELFSymbol> {
    symbols.lazy.filter { !$0.isDefined && $0.binding != .local }
  }
}
