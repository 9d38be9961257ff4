import Foundation
import Signet
import SignetBase
import TestSupport
import Testing

@testable import SignetELF

/// What is read from a shared library.
@Suite(.enabled(if: ELFWorkshop.compiler != nil, ELFWorkshop.isMissing)) struct ELFImageTests {
  @Test("a sound library is read, and nothing is wrong with it")
  func sound() throws {
    let image = try ELFWorkshop.image(ELFWorkshop.sound.get())
    #expect(image.faults().isEmpty && image.advice().isEmpty)
    #expect(image.needed == [] && image.soname == nil && image.searchPath == nil && image.bindsNow)
    #expect(image.buildID?.count == 20 && image.fileName == "m.so")
    #expect(image.undefinedSymbols.map(\.name).filter { !$0.hasPrefix("_") } == ["helper"])
    let principal = try #require(image.symbols.first { $0.name == "player_main" })
    #expect(principal.isDefined && principal.binding == .global && principal.kind == .function)
    #expect(principal.isVisible && !principal.isInterposable && principal.size > 0)
    #expect(!image.symbols.contains { $0.name == "state" })
  }

  @Test(
    "every linker's library is read alike: bfd, gold and lld, as far as they are there",
    arguments: ELFWorkshop.linkers)
  func linkers(_ linker: String) throws {
    for style in ["gnu", "sysv", "both"] {
      let image = try ELFWorkshop.image(
        ELFWorkshop.build(ELFWorkshop.source, ["-fuse-ld=\(linker)", "-Wl,--hash-style=\(style)"]))
      #expect(image.faults().isEmpty, "\(linker), \(style)")
      #expect(image.undefinedSymbols.contains { $0.name == "helper" }, "\(linker), \(style)")
      #expect(image.symbols.contains { $0.name == "player_main" && $0.isDefined }, "\(linker), \(style)")
    }
  }

  @Test(
    "bfd, gold and lld are here, so that each has linked a library",
    .enabled(if: ELFWorkshop.linkers.count == 3, "ld.bfd, ld.gold or ld.lld is missing"))
  func allLinkers() { #expect(ELFWorkshop.linkers == ["bfd", "gold", "lld"]) }

  /// Only clang builds for another processor, where its own linker is there.
  @Test(
    "libraries for both processors are read",
    .enabled(if: Program.find("clang") != nil && Program.find("ld.lld") != nil, "clang or ld.lld is missing"),
    arguments: [ELFMachine.x86, .arm])
  func processors(_ machine: ELFMachine) throws {
    let clang = try #require(Program.find("clang"))
    let folder = try TemporaryFolder()
    try folder.write("a.c", Array(ELFWorkshop.source.utf8))
    let target = "--target=\(machine == .x86 ? "x86_64" : "aarch64")-linux-gnu"
    let flags = [target, "-fuse-ld=lld", "-shared", "-fPIC", "-nostdlib", "-o", "m.so", "a.c"]
    let result = try Program.run(clang, flags + ELFWorkshop.soundFlags, in: folder.path)
    try #require(result.status == 0, "\(result.errors)")
    let bytes = LibraryBytes(try folder.read("m.so"))
    let image = try ELFImage(bytes, path: "m.so", for: machine)
    #expect(image.faults().isEmpty && image.advice().isEmpty)
    #expect(image.symbols.contains { $0.name == "player_main" && $0.isDefined })
    let other = machine == .x86 ? ELFMachine.arm : .x86
    expectError(.elfArchitecture) { _ = try ELFImage(bytes, path: "m.so", for: other) }
  }

  @Test("a library that defines nothing still shows what it needs")
  func nothingHashed() throws {
    let source = "extern int helper(int); __attribute__((visibility(\"hidden\"))) int (*p)(int) = helper;"
    let image = try ELFWorkshop.image(ELFWorkshop.build(source))
    #expect(image.undefinedSymbols.contains { $0.name == "helper" })
  }

  @Test("no more is read than headers and tables, in pieces")
  func bounded() throws {
    let source = ELFWorkshop.source + "\nconst char large[8 << 20] = {1}; char more[8 << 20] = {2};"
    let bytes = LibraryBytes(try ELFWorkshop.build(source, ["-fvisibility=hidden"]))
    #expect(bytes.size > 1 << 20)
    _ = try ELFImage(bytes, path: "large.so", for: ELFWorkshop.machine)
    #expect(bytes.totalRead < 16 << 10 && bytes.largestRead < 8 << 10)
  }

  @Test("no beginning of a library is one, unless only what nobody reads is missing")
  func truncations() throws {
    let bytes = try ELFWorkshop.sound.get()
    let whole = try ELFWorkshop.image(bytes)
    let loaded = try #require(whole.memory.loads.map(\.range.upperBound).max())
    for count in 0..<bytes.count {
      do {
        _ = try ELFWorkshop.image(Array(bytes[..<count]))
        #expect(count >= loaded)
      } catch {
        #expect(error.code == .elfMalformed, "\(count): \(error)")
      }
    }
  }

  @Test("a library with a changed byte is read or refused with a code", .seeded(7))
  func mutations() throws {
    let bytes = try ELFWorkshop.sound.get()
    let image = try ELFWorkshop.image(bytes)
    // Headers and tables, where it matters; 2,000 of all bytes besides.
    let tables = Array(0..<(64 + 56 * 12)) + Array(image.dynamic.range) + Array(image.symbols.range)
    var random = SeededRandom()
    for index in tables + (0..<2000).map({ _ in Int.random(in: 0..<bytes.count, using: &random) }) {
      var changed = bytes
      changed[index] = UInt8.random(in: 0...255, using: &random)
      Self.feed(changed, "byte \(index): \(changed[index])")
    }
  }

  @Test("a library with many changed bytes is read or refused with a code", .seeded(20_250_101))
  func fuzz() throws {
    let sources = [
      try ELFWorkshop.sound.get(),
      try ELFWorkshop.build(ELFWorkshop.source, ["-Wl,--hash-style=both", "-Wl,-soname,m.so", "-Wl,-rpath,/x"]),
    ]
    var random = SeededRandom()
    for round in 0..<2000 {
      var bytes = sources[round % sources.count]
      // The tables of so small a library stand in its first pages, and its dynamic table where it is found.
      let dynamic = try ELFPatch(bytes).segment(.dynamic)
      let start = Int(ELFPatch(bytes).u64(dynamic + 8))
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Bool.random(using: &random) ? 0..<min(1400, bytes.count) : start..<min(start + 400, bytes.count)
        let index = Int.random(in: place, using: &random)
        bytes[index] =
          [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      Self.feed(bytes, "round \(round)")
    }
  }

  private static func feed(_ bytes: [UInt8], _ comment: Comment) {
    do throws(SignetError) {
      let image = try ELFWorkshop.image(bytes)
      let binary = ModuleBinary(
        of: ELFWorkshop.identifier, on: ELFWorkshop.platform, main: image, libraries: [image], declared: [],
        principal: ELFWorkshop.principal)
      _ = binary.findings()
      #expect(image.symbols.allSatisfy { $0.nameBytes.count < bytes.count }, comment)
    } catch {
      let codes: Set<SignetError.Code> = [.elfMalformed, .elfArchitecture, .elfType]
      #expect(codes.contains(error.code), comment)
    }
  }
}
