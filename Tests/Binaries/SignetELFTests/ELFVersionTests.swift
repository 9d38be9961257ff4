import Foundation
import Signet
import SignetBase
import TestSupport
import Testing

@testable import SignetELF

/// Versions of symbols: what glibc follows, indexes and asserts without a look.
@Suite(.enabled(if: ELFWorkshop.compiler != nil, ELFWorkshop.isMissing)) struct ELFVersionTests {
  /// A library with versions of its own that needs one of another's.
  private static let versioned = Result {
    let folder = try TemporaryFolder()
    try folder.write("versions", Array("OWN_1 { global: *; }; OWN_2 { global: later; } OWN_1;".utf8))
    let script = "-Wl,--version-script=\(folder.file("versions"))"
    let visible = "__attribute__((visibility(\"default\")))"
    _ = try ELFWorkshop.build(
      "\(visible) int later(void) { return 2; }", [script, "-Wl,-soname,libother.so"], in: folder,
      named: "libother.so")
    return try ELFWorkshop.build(
      "int later(void); \(visible) int player_main(void) { return later(); }",
      [script, "-Wl,-soname,m.so", folder.file("libother.so")], in: folder)
  }

  @Test("what is defined and needed is read, and which symbol is of which version")
  func versions() throws {
    let image = try ELFWorkshop.image(Self.versioned.get())
    #expect(image.versions.definitions == ["m.so", "OWN_1", "OWN_2"])
    #expect(image.versions.needs.map { "\($0.library) \($0.name)" } == ["libother.so OWN_2"])
    var found: [String: String] = [:]
    for number in image.symbols.indices {
      found[image.symbols[number].name] = image.versions.version(of: number)
    }
    #expect(found["player_main"] == "OWN_1")
    #expect(found["later"] == "OWN_2")
    #expect(image.versions.version(of: 0) == nil)
    #expect(image.versions.version(of: 1 << 40) == nil)
    #expect(image.versions.version(of: -1) == nil)
  }

  @Test("tables of versions that contradict themselves, or what they stand in, are damaged")
  func malformed() throws {
    func expectMalformed(_ comment: Comment, _ change: (inout ELFPatch) throws -> Void) throws {
      var patch = ELFPatch(try Self.versioned.get())
      try change(&patch)
      expectError(.elfMalformed, comment) { _ = try ELFWorkshop.image(patch.bytes) }
    }
    // Before the first page of data addresses and offsets are the same.
    func needs(_ patch: ELFPatch) throws -> Int { Int(try patch.value(.versionNeeds)) }
    func definitions(_ patch: ELFPatch) throws -> Int { Int(try patch.value(.versionDefinitions)) }
    func symbols(_ patch: ELFPatch) throws -> Int { Int(try patch.value(.versions)) }

    for value: UInt64 in [0, 1 << 40, .max] {
      try expectMalformed("needs at \(value)") { try $0.setValue(.versionNeeds, to: value) }
      try expectMalformed("definitions at \(value)") { try $0.setValue(.versionDefinitions, to: value) }
      try expectMalformed("versions at \(value)") { try $0.setValue(.versions, to: value) }
    }
    for count: UInt64 in [0, 2, .max] {
      try expectMalformed("\(count) needs") { try $0.setValue(.versionNeedCount, to: count) }
      try expectMalformed("\(count) definitions") { try $0.setValue(.versionDefinitionCount, to: count) }
    }
    try expectMalformed("form of needs") { $0.set(try needs($0), 2, width: 2) }
    try expectMalformed("form of definitions") { $0.set(try definitions($0), 2, width: 2) }
    try expectMalformed("a library that is not needed") { patch in
      // The name of the library itself.
      patch.set(try needs(patch) + 4, try patch.value(.soname), width: 4)
    }
    for offset: UInt64 in [1, 7, 1 << 20, 0xffff_ffff] {
      try expectMalformed("auxiliary at \(offset)") { $0.set(try needs($0) + 8, offset, width: 4) }
      try expectMalformed("next at \(offset)") { $0.set(try needs($0) + 12, offset, width: 4) }
      try expectMalformed("name at \(offset)") { $0.set(try definitions($0) + 12, offset, width: 4) }
      try expectMalformed("next definition at \(offset)") { $0.set(try definitions($0) + 16, offset, width: 4) }
    }
    try expectMalformed("a definition without a name") { $0.set(try definitions($0) + 12, 0, width: 4) }
    try expectMalformed("a hash of a need") { patch in
      let auxiliary = try needs(patch) + patch.u32(try needs(patch) + 8)
      patch.set(auxiliary, UInt64(patch.u32(auxiliary) ^ 1), width: 4)
    }
    try expectMalformed("a hash of a definition") { patch in
      let hash = try definitions(patch) + 8
      patch.set(hash, UInt64(patch.u32(hash) ^ 1), width: 4)
    }
    for number: UInt64 in [0, 1, 2] {
      try expectMalformed("a need's number \(number)") { patch in
        let auxiliary = try needs(patch) + patch.u32(try needs(patch) + 8)
        patch.set(auxiliary + 6, number, width: 2)
      }
    }
    try expectMalformed("a definition's number") { $0.set(try definitions($0) + 4, 0, width: 2) }
    for number: UInt64 in [5, 0x7fff, 0xffff] {
      try expectMalformed("a symbol of version \(number)") { $0.set(try symbols($0) + 2, number, width: 2) }
    }
  }

  @Test("needed versions without numbers of symbols are damaged: glibc would read them where nothing is")
  func needsOnly() throws {
    var patch = ELFPatch(try Self.versioned.get())
    try patch.setTag(.versionDefinitions, to: 0x6fff_fef6)
    try patch.setTag(.versionDefinitionCount, to: 0x6fff_fef7)
    try patch.setTag(.versions, to: 21)
    let error = expectError(.elfMalformed) { _ = try ELFWorkshop.image(patch.bytes) }
    #expect(error?.message == "has versions, and does not say of which symbols")
  }

  @Test("numbers of versions without any version are damaged: glibc would look into a list that is not there")
  func none() throws {
    var patch = ELFPatch(try Self.versioned.get())
    // In the place of the tags others that may stand there.
    try patch.setTag(.versionNeeds, to: 0x6fff_fff9)
    try patch.setTag(.versionNeedCount, to: 21)
    try patch.setTag(.versionDefinitions, to: 0x6fff_fef6)
    try patch.setTag(.versionDefinitionCount, to: 0x6fff_fef7)
    let symbols = Int(try patch.value(.versions))
    for number in 0..<(try ELFWorkshop.image(Self.versioned.get()).symbols.endIndex) {
      patch.set(symbols + 2 * number, 0, width: 2)
    }
    expectError(.elfMalformed) { _ = try ELFWorkshop.image(patch.bytes) }
  }
}
