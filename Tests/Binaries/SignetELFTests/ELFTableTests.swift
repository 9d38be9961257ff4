import Signet
import TestSupport
import Testing

@testable import SignetELF

/// Tables that contradict each other, or what they stand in.
@Suite(.enabled(if: ELFWorkshop.compiler != nil, ELFWorkshop.isMissing)) struct ELFTableTests {
  private func expectMalformed(
    _ comment: Comment, _ sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout ELFPatch) throws -> Void
  ) throws {
    var patch = ELFPatch(try ELFWorkshop.sound.get())
    try change(&patch)
    expectError(.elfMalformed, comment, sourceLocation: sourceLocation) { _ = try ELFWorkshop.image(patch.bytes) }
  }

  @Test("segments lie in the file and in order, on pages of their own, where address and offset agree")
  func segments() throws {
    try expectMalformed("no segment") { patch in
      let table = Int(patch.u64(32))
      for header in stride(from: table, to: table + 56 * patch.u16(56), by: 56) where patch.u32(header) == 1 {
        patch.set(header, 0, width: 4)
      }
    }
    for field in [8, 32] {
      for value: UInt64 in [1 << 63, 1 << 40, .max] {
        try expectMalformed("field \(field): \(value)") { $0.set(try $0.segment(.load, 1) + field, value) }
      }
    }
    try expectMalformed("no memory") { $0.set(try $0.segment(.load) + 40, 0) }
    try expectMalformed("much memory") { $0.set(try $0.segment(.load, 1) + 40, 1 << 33) }
    try expectMalformed("all memory") { $0.set(try $0.segment(.load, 1) + 40, .max) }
    for alignment: UInt64 in [0, 1, 16, 4095, 3 << 20, .max] {
      try expectMalformed("alignment \(alignment)") { $0.set(try $0.segment(.load, 1) + 48, alignment) }
    }
    try expectMalformed("the same address") { patch in
      patch.set(try patch.segment(.load, 1) + 16, patch.u64(try patch.segment(.load) + 16))
    }
    try expectMalformed("far away") { patch in
      let address = try patch.segment(.load, 1) + 16
      patch.set(address, patch.u64(address) + (1 << 48))
    }
    try expectMalformed("longer than the way to the next") { patch in
      patch.set(try patch.segment(.load) + 40, patch.u64(try patch.segment(.load, 1) + 16) + 1)
    }
    try expectMalformed("dynamic table elsewhere in the file") { patch in
      let offset = try patch.segment(.dynamic) + 8
      patch.set(offset, patch.u64(offset) - 16)
    }
    try expectMalformed("notes elsewhere in the file") { $0.set(try $0.segment(.note) + 8, 0) }
    try expectMalformed("two stacks") { patch in
      patch.set(try patch.segment(.note), UInt64(ELFSegment.Kind.stack.rawValue), width: 4)
    }
    try expectMalformed("protects what is not its own") { $0.set(try $0.segment(.readOnly) + 40, 1 << 24) }
  }

  @Test("the dynamic table has an end, and nothing behind it")
  func dynamicTable() throws {
    try expectMalformed("none") { $0.set(try $0.segment(.dynamic), 0, width: 4) }
    try expectMalformed("no end") { patch in
      let dynamic = try patch.segment(.dynamic)
      patch.set(dynamic + 32, UInt64(try patch.entry(.null) - Int(patch.u64(dynamic + 8))))
    }
    try expectMalformed("an end in the middle") { try $0.setTag(.stringsSize, to: 0) }
    try expectMalformed("too long") { $0.set(try $0.segment(.dynamic) + 32, 1 << 20) }
  }

  @Test("tables lie in the file, with entries of the size that they have")
  func tables() throws {
    for tag in [ELFDynamicTag.strings, .symbols, .gnuHash, .procedureRelocations] {
      for value: UInt64 in [1 << 40, .max, .max - 15] {
        try expectMalformed("\(tag.name) \(value)") { try $0.setValue(tag, to: value) }
      }
    }
    for (tag, value) in [
      (ELFDynamicTag.symbolSize, UInt64(25)), (.procedureRelocationsKind, 17), (.stringsSize, 0),
      (.stringsSize, .max),
      (.stringsSize, 1 << 30), (.procedureRelocationsSize, .max), (.procedureRelocationsSize, 25),
    ] {
      try expectMalformed("\(tag.name) \(value)") { try $0.setValue(tag, to: value) }
    }
    for tag in [ELFDynamicTag.strings, .stringsSize, .symbols, .gnuHash, .procedureRelocationsSize] {
      try expectMalformed("no \(tag.name)") { try $0.setTag(tag, to: ELFDynamicTag.runpath.rawValue) }
    }
    try expectMalformed("names without an end") { patch in
      try patch.setValue(.stringsSize, to: patch.value(.stringsSize) - 1)
    }
    try expectMalformed("a name elsewhere") { try $0.replaceSpare(ELFDynamicTag.soname.rawValue, 1 << 32) }
  }

  @Test("tables do not overlap")
  func overlaps() throws {
    try expectMalformed("names over symbols") { patch in
      let symbols = try patch.value(.symbols)
      let strings = try patch.value(.strings)
      let end = strings + (try patch.value(.stringsSize))
      guard symbols < strings else { return try patch.setTag(.strings, to: 0) }
      try patch.setValue(.strings, to: symbols)
      try patch.setValue(.stringsSize, to: end - symbols)
    }
    try expectMalformed("relocations over symbols") { patch in
      try patch.setValue(.procedureRelocations, to: patch.value(.symbols))
    }
  }

  @Test("hash tables end, and fit the symbols")
  func hashTables() throws {
    // Where the library is loaded, its first pages have the addresses that they have in the file.
    for (field, value) in [
      (0, UInt64(1) << 30), (4, 1 << 30), (8, 0), (8, 3), (8, 1 << 30), (12, 64), (0, 0xffff_ffff), (4, 0xffff_ffff),
      (8, 0xffff_ffff),
    ] {
      try expectMalformed("field \(field): \(value)") { patch in
        patch.set(Int(try patch.value(.gnuHash)) + field, value, width: 4)
      }
    }
    try expectMalformed("a chain without an end") { patch in
      let table = Int(try patch.value(.gnuHash))
      let chains = table + 16 + 8 * patch.u32(table + 8) + 4 * patch.u32(table)
      for offset in stride(from: chains, to: patch.bytes.count - 4, by: 4) {
        patch.set(offset, 0, width: 1)
      }
    }
  }

  @Test("notes are whole, and the build-id is one")
  func notes() throws {
    for (field, value) in [(0, UInt64(0xffff_ffff)), (4, 0xffff_ffff), (4, 0), (0, 5)] {
      try expectMalformed("field \(field): \(value)") { patch in
        let note = Int(patch.u64(try patch.segment(.note) + 8))
        patch.set(note + field, value, width: 4)
      }
    }
    var patch = ELFPatch(try ELFWorkshop.sound.get())
    let note = Int(patch.u64(try patch.segment(.note) + 8))
    patch.set(note + 8, 4, width: 4)
    #expect(try ELFWorkshop.faults(patch.bytes) == ["elf.build-id"])
  }
}
