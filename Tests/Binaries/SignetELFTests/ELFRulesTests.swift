import Signet
import SignetBase
import TestSupport
import Testing

@testable import SignetELF

/// What a loader refuses in a library by itself: as linkers make it, and as none does.
@Suite(.enabled(if: ELFWorkshop.compiler != nil, ELFWorkshop.isMissing)) struct ELFRulesTests {
  @Test(
    "what a linker is asked for and a loader refuses has its code",
    arguments: [
      (["-Wl,-z,execstack"], "elf.executable-stack"),
      (["-Wl,--build-id=none"], "elf.build-id"),
      (["-Wl,-f,libother.so"], "elf.dynamic-tag"),
      (["-Wl,-F,libother.so"], "elf.dynamic-tag"),
      (["-Wl,-z,interpose"], "elf.dynamic-tag"),
      (["-Wl,-z,initfirst"], "elf.dynamic-tag"),
      (["-Wl,-z,nodlopen"], "elf.dynamic-tag"),
    ])
  func linked(_ flags: [String], _ code: String) throws {
    #expect(try ELFWorkshop.faults(ELFWorkshop.build(ELFWorkshop.source, flags)) == [code])
  }

  @Test("what does no harm is accepted", arguments: ["norelro", "nodelete", "origin", "nodefaultlib"])
  func harmless(_ word: String) throws {
    #expect(try ELFWorkshop.faults(ELFWorkshop.build(ELFWorkshop.source, ["-Wl,-z,\(word)"])) == [])
  }

  @Test("code that is relocated is refused")
  func textRelocations() throws {
    let code = "asm(\".text\\n.globl player_main\\n.type player_main,@function\\nplayer_main: .quad helper\\n\");"
    let bytes = try ELFWorkshop.build(code, ["-Wl,-z,notext"])
    #expect(try ELFWorkshop.faults(bytes) == ["elf.dynamic-tag", "elf.relocation"])
  }

  @Test("a needed name with a slash or a dollar sign is refused", arguments: ["", "$ORIGIN/libdep.so", "$LIB.so"])
  func neededNames(_ soname: String) throws {
    let folder = try TemporaryFolder()
    let flags = soname.isEmpty ? [] : ["-Wl,-soname,\(soname)"]
    _ = try ELFWorkshop.build("int helper(int x) { return x; }", flags, in: folder, named: "libdep.so")
    let bytes = try ELFWorkshop.build(ELFWorkshop.source, ["./libdep.so"], in: folder)
    let image = try ELFWorkshop.image(bytes)
    #expect(image.needed == [soname.isEmpty ? "./libdep.so" : soname])
    #expect(image.faults().map(\.code) == [.elfNeededName])
    let whole = ModuleBinary(
      of: ELFWorkshop.identifier, on: ELFWorkshop.platform, main: image, libraries: [], declared: [],
      principal: ELFWorkshop.principal)
    #expect(whole.findings().errors.map(\.code) == [.elfNeededName])
  }

  @Test("what is no shared library is refused, and says what it is")
  func types() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.c", Array("void _start(void) {}".utf8))
    let compiler = try #require(ELFWorkshop.compiler)
    for (flags, code, found) in [
      (["-c"], SignetError.Code.elfType, "ET_REL"), (["-nostdlib", "-static", "-no-pie"], .elfType, "ET_EXEC"),
    ] {
      try Program.run(compiler, flags + ["-o", "out", "a.c"], in: folder.path)
      let bytes = try folder.read("out")
      let error = expectError(code) { _ = try ELFWorkshop.image(bytes) }
      #expect(error?.found?.hasPrefix(found) == true)
    }
    let source = "int player_main(void) { return 0; } void _start(void) {}"
    try folder.write("b.c", Array(source.utf8))
    try Program.run(
      compiler, ["-nostdlib", "-fPIE", "-pie"] + ELFWorkshop.soundFlags + ["-o", "out", "b.c"], in: folder.path)
    #expect(try ELFWorkshop.faults(folder.read("out")).contains("elf.type"))
  }

  @Test("a library for another processor is refused, and says for which it is")
  func machines() throws {
    let bytes = try ELFWorkshop.sound.get()
    let error = expectError(.elfArchitecture) {
      _ = try ELFImage(LibraryBytes(bytes), path: "m.so", for: ELFWorkshop.otherMachine)
    }
    #expect(error?.found?.hasPrefix("64-bit") == true)
    #expect(error?.hint?.contains(ELFWorkshop.otherMachine.platform) == true)
  }

  @Test("platforms whose binaries are no ELF files have no processor of theirs")
  func platforms() {
    #expect(ModulePlatform.all.map(\.machine) == [.arm, .x86, nil, nil])
  }

  /// Offsets in the header and what stands there instead.
  @Test(
    "a header that the dynamic linker would not take is refused",
    arguments: [
      (0, 0x7e, "elf.malformed"), (4, 0, "elf.malformed"), (4, 1, "elf.architecture"), (4, 3, "elf.malformed"),
      (5, 2, "elf.architecture"), (5, 0, "elf.malformed"), (6, 2, "elf.malformed"), (7, 9, "elf.architecture"),
      (7, 3, ""), (8, 1, "elf.architecture"), (9, 1, "elf.malformed"), (15, 1, "elf.malformed"), (16, 1, "elf.type"),
      (16, 4, "elf.type"), (16, 9, "elf.type"), (18, 40, "elf.architecture"), (20, 2, "elf.malformed"),
      (32, 63, "elf.malformed"), (39, 0x80, "elf.malformed"), (38, 0xff, "elf.malformed"), (52, 52, "elf.malformed"),
      (54, 32, "elf.malformed"), (56, 0, "elf.malformed"), (56, 65, "elf.malformed"), (57, 0xff, "elf.malformed"),
      // The entry, the flags, and all about sections: nobody looks at them.
      (24, 1, ""), (40, 1, ""), (47, 0xff, ""), (58, 1, ""), (60, 0xff, ""), (62, 0xff, ""),
    ])
  func headers(_ offset: Int, _ byte: Int, _ code: String) throws {
    var bytes = try ELFWorkshop.sound.get()
    bytes[offset] = UInt8(byte)
    do {
      _ = try ELFWorkshop.image(bytes)
      #expect(code.isEmpty)
    } catch {
      #expect(error.code.rawValue == code)
    }
  }

  @Test("dynamic tags that are not known are refused, also when they merely end like one")
  func tags() throws {
    for tag: UInt64 in [
      17, 22, 32, 38, 0x6000_0000, 0x6fff_fefa, 0x6fff_fefb, 0x6fff_fefc, 0x7000_0007, 0x7fff_fffd, 0x7fff_fffe,
      0x7fff_ffff, 0x1_7fff_ffff, 0xffff_ffff_7fff_fffd, 1 << 63,
    ] {
      var patch = ELFPatch(try ELFWorkshop.sound.get())
      try patch.replaceSpare(tag, 0)
      #expect(try ELFWorkshop.faults(patch.bytes) == ["elf.dynamic-tag"], "\(String(tag, radix: 16))")
    }
  }

  @Test("dynamic tags may not stand twice, needed libraries excepted")
  func repeatedTags() throws {
    let sound = try ELFWorkshop.sound.get()
    for tag in [ELFDynamicTag.strings, .symbols, .gnuHash, .stringsSize] {
      var patch = ELFPatch(sound)
      try patch.replaceSpare(tag.rawValue, try patch.value(tag))
      #expect(try ELFWorkshop.faults(patch.bytes) == ["elf.repeated-tag"], "\(tag.name)")
    }
    let folder = try TemporaryFolder()
    _ = try ELFWorkshop.build("int a;", ["-Wl,-soname,liba.so"], in: folder, named: "liba.so")
    _ = try ELFWorkshop.build("int b;", ["-Wl,-soname,libb.so"], in: folder, named: "libb.so")
    let bytes = try ELFWorkshop.build(ELFWorkshop.source, ["-Wl,--no-as-needed", "liba.so", "libb.so"], in: folder)
    #expect(try ELFWorkshop.image(bytes).needed == ["liba.so", "libb.so"])
    #expect(try ELFWorkshop.faults(bytes) == [])
  }

  @Test("flags that are not known are refused")
  func flags() throws {
    let sound = try ELFWorkshop.sound.get()
    for (tag, value, code) in [
      (ELFDynamicTag.flags1, UInt64(2), "elf.dynamic-tag"), (.flags1, 0x0800_0000, "elf.type"),
      (.flags1, 1 << 40, "elf.dynamic-tag"), (.flags1, 0x20, "elf.dynamic-tag"),
    ] {
      var patch = ELFPatch(sound)
      try patch.setValue(tag, to: value)
      #expect(try ELFWorkshop.faults(patch.bytes) == [code], "\(tag.name) \(value)")
    }
    for value: UInt64 in [4, 0x20, 1 << 63] {
      var patch = ELFPatch(sound)
      // Some linkers say that all is bound at once with DT_FLAGS, others with the older DT_BIND_NOW.
      let tag = (try? patch.entry(.flags)) == nil ? ELFDynamicTag.bindNow : .flags
      try patch.setValue(tag, to: value)
      try patch.setTag(tag, to: ELFDynamicTag.flags.rawValue)
      #expect(try ELFWorkshop.faults(patch.bytes) == ["elf.dynamic-tag"], "\(value)")
    }
  }

  @Test("segments may not be written and executed, and the stack needs its header")
  func segments() throws {
    let sound = try ELFWorkshop.sound.get()
    var patch = ELFPatch(sound)
    patch.set(try patch.segment(.load) + 4, 7, width: 4)
    #expect(try ELFWorkshop.faults(patch.bytes) == ["elf.writable-executable"])
    patch = ELFPatch(sound)
    patch.set(try patch.segment(.stack), 0, width: 4)
    #expect(try ELFWorkshop.faults(patch.bytes) == ["elf.executable-stack"])
  }

  @Test("all that is wrong is told at once")
  func several() throws {
    let bytes = try ELFWorkshop.build(ELFWorkshop.source, ["-Wl,-z,execstack", "-Wl,--build-id=none", "-Wl,-f,x"])
    #expect(try ELFWorkshop.faults(bytes) == ["elf.dynamic-tag", "elf.executable-stack", "elf.build-id"])
  }
}
