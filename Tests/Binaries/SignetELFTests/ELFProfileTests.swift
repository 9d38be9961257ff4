import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetELF

/// What a profile says of files whose contents are known.
struct ELFProfileTests {
  static func profile(_ bytes: [UInt8]) throws(SignetError) -> ELFProfile {
    try ELFProfile(BytesInMemory(bytes, path: "memory"), path: "lib/m.so")
  }

  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("a library of either class and byte order says the same", arguments: SyntheticELF.forms.indices)
  func forms(_ index: Int) throws {
    let profile = try Self.profile(SyntheticELF.forms[index].bytes())
    #expect(profile.processor.name == ["x86-64", "x86", "s390x", "powerpc"][index])
    #expect(profile.kind == .sharedLibrary)
    #expect(profile.isLoadable)
    #expect(profile.interpreter == nil)
    #expect(profile.stack == .notExecutable)
    #expect(!profile.hasExecutableStack)
    #expect(profile.hasReadOnlyRelocations)
    #expect(profile.writableCode == [])
    #expect(profile.buildID == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(profile.sections.state == .absent)
    #expect(profile.languages == [])
    let linking = try #require(profile.linking)
    #expect(linking.needed.map(Self.text) == ["libone.so.1", "libc.so.6"])
    #expect(linking.soname.map(Self.text) == "libself.so")
    #expect(linking.runPaths.map(Self.text) == ["$ORIGIN/../lib"])
    #expect(linking.inheritedRunPaths.isEmpty)
    #expect(linking.bindsNow)
    #expect(!linking.hasTextRelocations)
    #expect(profile.usesGlibc)
    let protections = try #require(profile.protections)
    #expect(protections.hasStackProtector)
    #expect(protections.fortified == ["__memcpy_chk"])
    #expect(protections.unfortified == ["printf"])
  }

  @Test("what is said of the stack counts, and else the processor")
  func stacks() throws {
    func hasExecutableStack(_ flags: UInt32?, machine: UInt16) throws -> Bool {
      try Self.profile(SyntheticELF(machine: machine, stackFlags: flags).bytes()).hasExecutableStack
    }
    #expect(try hasExecutableStack(7, machine: 62))
    #expect(try !hasExecutableStack(6, machine: 62))
    #expect(try hasExecutableStack(nil, machine: 62))
    #expect(try hasExecutableStack(nil, machine: 243))
    #expect(try !hasExecutableStack(nil, machine: 183))
    #expect(try !hasExecutableStack(nil, machine: 21))
    #expect(try hasExecutableStack(7, machine: 183))
  }

  @Test("segments, text relocations and binding are as the tables say")
  func tables() throws {
    var file = SyntheticELF()
    file.loadFlags = 7
    file.hasReadOnlyRelocations = false
    file.flags = (4, 0)
    let profile = try Self.profile(file.bytes())
    #expect(profile.writableCode == [SyntheticELF.address])
    #expect(profile.hasWritableData)
    #expect(!profile.hasReadOnlyRelocations)
    #expect(profile.linking?.hasTextRelocations == true)
    #expect(profile.linking?.bindsNow == false)
    // There is nothing that could be bound later.
    #expect(!profile.bindsLazily)
  }

  @Test("the type of a file is what its tables say", arguments: [0, 1, 2, 3, 4, 0xfe00] as [UInt16])
  func types(_ type: UInt16) throws {
    let profile = try Self.profile(SyntheticELF(type: type, flags: (0, 0x0800_0000)).bytes())
    let expected: [UInt16: ELFProfile.Kind] = [
      1: .object, 2: .program, 3: .positionIndependentProgram, 4: .coreDump,
    ]
    #expect(profile.kind == expected[type] ?? .other)
    #expect(profile.isLoadable == (2...3).contains(type))
    #expect(profile.isStaticProgram == (2...3).contains(type))
  }

  @Test("a processor has the name that people call it by")
  func processors() throws {
    func name(_ machine: UInt16, is64Bit: Bool = true, isBigEndian: Bool = false) throws -> String {
      let file = SyntheticELF(is64Bit: is64Bit, isBigEndian: isBigEndian, machine: machine)
      return try Self.profile(file.bytes()).processor.name
    }
    #expect(try name(183) == "aarch64")
    #expect(try name(62, is64Bit: false) == "x32")
    #expect(try name(21) == "powerpc64le")
    #expect(try name(21, isBigEndian: true) == "powerpc64")
    #expect(try name(9999, is64Bit: false, isBigEndian: true) == "machine 9999, 32-bit, big-endian")
    #expect(ELFProcessor.names.count == Set(ELFProcessor.names).count)
  }

  @Test("what is no ELF file, or ends before its tables do, is malformed")
  func malformed() throws {
    let whole = SyntheticELF().bytes()
    for (bytes, message) in [
      (Array("#!/bin/sh\n".utf8), "is not an ELF file"), (Array(whole.prefix(4)), "ends in its header"),
      (Array(whole.prefix(63)), "ends in its header"),
      (Array(whole.prefix(100)), "has program headers that are not in the file"),
      (Array(whole.dropLast()), "is truncated"),
    ] {
      let error = expectError(.elfMalformed) { _ = try Self.profile(bytes) }
      #expect(error?.message == message)
      #expect(error?.object == "lib/m.so")
    }
    var strange = whole
    strange[4] = 3
    expectError(.elfMalformed) { _ = try Self.profile(strange) }
    var none = whole
    none[56] = 0
    #expect(expectError(.elfMalformed) { _ = try Self.profile(none) }?.message == "has no program headers")
    // DT_SONAME refers to a name far behind the strings.
    var lost = whole
    let tag: [UInt8] = [14, 0, 0, 0, 0, 0, 0, 0]
    let entry = try #require(stride(from: 344, to: lost.count, by: 8).first { lost[$0...].starts(with: tag) })
    lost[entry + 10] = 0xff
    let error = expectError(.elfMalformed) { _ = try Self.profile(lost) }
    #expect(error?.message == "has a name that is not in its string table")
  }

  @Test("a failure to read is not taken for damage")
  func unreadable() throws {
    struct Broken: ByteSource {
      let path = "broken"
      let size = 4096
      func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
        throw SignetError(.fileReadFailed, path, "cannot be read")
      }
    }
    expectError(.fileReadFailed) { _ = try ELFProfile(Broken(), path: "m.so") }
  }
}
