import Signet
import SignetBase
import TestSupport
import Testing

@testable import SignetELF

/// A module's code as a whole: its binary and the libraries that it brings.
@Suite(.enabled(if: ELFWorkshop.compiler != nil, ELFWorkshop.isMissing)) struct ModuleBinaryTests {
  /// A library of one function, linked against others in the same folder.
  private static func library(
    _ name: String, soname: String?, needs others: [String] = [], in folder: TemporaryFolder
  ) throws -> ELFImage {
    let symbol = name.split(separator: ".").first ?? "x"
    let source = "__attribute__((visibility(\"protected\"))) int \(symbol)(void) { return 1; }"
    let flags = (soname.map { ["-Wl,-soname,\($0)"] } ?? []) + ["-Wl,--no-as-needed"] + others.map { "./" + $0 }
    let bytes = try ELFWorkshop.build(source, flags, in: folder, named: name)
    return try ELFWorkshop.image(bytes, "lib/" + name)
  }

  private static func main(needs others: [String] = [], soname: String? = nil, in folder: TemporaryFolder) throws
    -> ELFImage
  {
    let flags = soname.map { ["-Wl,-soname,\($0)"] } ?? []
    let bytes = try ELFWorkshop.build(
      ELFWorkshop.source, flags + ["-Wl,--no-as-needed"] + others.map { "./" + $0 }, in: folder)
    return try ELFWorkshop.image(bytes)
  }

  private static func findings(
    _ main: ELFImage, _ libraries: [ELFImage] = [], declared: [String] = [], reserved: [String] = []
  ) -> BinaryFindings {
    ModuleBinary(
      of: ELFWorkshop.identifier, on: ELFWorkshop.platform, main: main, libraries: libraries, declared: declared,
      principal: ELFWorkshop.principal, reserved: [[], Set(reserved.map { Array($0.utf8) })]
    ).findings()
  }

  @Test("libraries that are declared or brought are accepted, in an order in which they can be opened")
  func accepted() throws {
    let folder = try TemporaryFolder()
    let outer = try Self.library("libouter.so.1", soname: "libouter.so.1", in: folder)
    let one = try Self.library("libone.so", soname: "libone.so", needs: ["libouter.so.1"], in: folder)
    let two = try Self.library("libtwo.so", soname: "libtwo.so", needs: ["libone.so"], in: folder)
    let main = try Self.main(needs: ["libtwo.so", "libone.so", "libouter.so.1"], in: folder)
    let found = Self.findings(main, [two, one], declared: ["libouter.so.1"])
    #expect(found.errors.map(\.code) == [] && found.advice.map(\.code) == [])
    let whole = ModuleBinary(
      of: ELFWorkshop.identifier, on: ELFWorkshop.platform, main: main, libraries: [two, one],
      declared: ["libouter.so.1"],
      principal: ELFWorkshop.principal)
    #expect(whole.loadOrder()?.map(\.fileName) == ["libone.so", "libtwo.so"])
    #expect(outer.soname == "libouter.so.1")
    // Undeclared, by the main library and by one that is brought.
    let missing = Self.findings(main, [two, one]).errors
    #expect(missing.map(\.code) == [.elfUndeclaredLibrary, .elfUndeclaredLibrary])
    #expect(missing.map(\.object) == ["lib/m.so", "lib/libone.so"] && missing[0].found == "libouter.so.1")
    let unused = Self.findings(main, [two, one], declared: ["libouter.so.1", "libc.so.6"])
    #expect(unused.errors.isEmpty && unused.advice.map(\.code) == [.elfUnusedLibrary])
    #expect(unused.advice.first?.found == "libc.so.6")
  }

  @Test("a library that is brought has the name of its file, and says how to get it")
  func sonames() throws {
    let folder = try TemporaryFolder()
    for soname in [nil, "libother.so"] {
      let library = try Self.library("libone.so", soname: soname, in: folder)
      let errors = Self.findings(try Self.main(in: folder), [library]).errors
      #expect(errors.map(\.code) == [.elfSoname])
      #expect(errors.first?.hint == "link it with -Xlinker -soname -Xlinker libone.so")
    }
  }

  @Test("no name is one that the process has for another library")
  func conflicts() throws {
    let folder = try TemporaryFolder()
    let library = try Self.library("libone.so", soname: "libone.so", in: folder)
    let main = try Self.main(needs: ["libone.so"], in: folder)
    let conflict = [SignetError.Code.elfSonameConflict]
    #expect(Self.findings(main, [library]).errors.isEmpty)
    #expect(Self.findings(main, [library], declared: ["libone.so"]).errors.map(\.code) == conflict)
    #expect(Self.findings(main, [library], reserved: ["libone.so"]).errors.map(\.code) == conflict)
    #expect(Self.findings(main, [library, library]).errors.map(\.code) == conflict)
    for name in ["libz.so.1", "libc.so.6", "libswiftCore.so", "libone.so"] {
      let captures = try Self.main(needs: ["libone.so"], soname: name, in: folder)
      #expect(Self.findings(captures, [library]).errors.map(\.code) == conflict, "\(name)")
    }
    let system = try Self.library("libz.so.1", soname: "libz.so.1", in: folder)
    #expect(Self.findings(main, [library, system]).errors.map(\.code) == conflict)
  }

  @Test("the binary has no name, or that of its file, which is called after the module")
  func mainName() throws {
    let folder = try TemporaryFolder()
    for (file, soname, code) in [
      ("com_example_player.so", nil, nil), ("libcom_example_player.so", nil, nil), ("m.so", nil, nil),
      ("com_example_player.so", "com_example_player.so", nil),
      ("libcom_example_player.so", "libcom_example_player.so", nil),
      // Its file's, and another module's or nobody's.
      ("libsqlite3.so.0", "libsqlite3.so.0", SignetError.Code.elfSoname), ("m.so", "m.so", .elfSoname),
      ("com_example_codec.so", "com_example_codec.so", .elfSoname),
      // The module's, and another file's.
      ("com_example_player.so", "libcom_example_player.so", .elfSoname),
      ("com_example_player.so", "/usr/lib/libsqlite3.so.0", .elfSoname),
      ("com_example_player.so", "UTF-16.so", .elfSoname),
    ] as [(String, String?, SignetError.Code?)] {
      let flags = soname.map { ["-Wl,-soname,\($0)"] } ?? []
      let main = try ELFWorkshop.image(
        ELFWorkshop.build(ELFWorkshop.source, flags, in: folder), "lib/" + file)
      #expect(Self.findings(main).errors.map(\.code) == [code].compactMap { $0 }, "\(file) \(soname ?? "none")")
    }
  }

  @Test("the names of systems are known with any version, and others are not taken for them")
  func systemLibraries() {
    for name in [
      "libc.so.6", "ld-linux-x86-64.so.2", "libstdc++.so.6", "libz.so.1.2.13", "libnss_files.so.2", "libswiftCore.so",
      "libswift_Concurrency.so", "libFoundationEssentials.so", "lib_FoundationICU.so", "libdispatch.so",
      "libcrypto.so.3",
    ] { #expect(SystemLibraries.contains(name), "\(name)") }
    for name in ["libcake.so", "libogg.so.0", "libswift-nio.so", "libzip.so", "c.so", "", ".so", "libC.so.6"] {
      #expect(!SystemLibraries.contains(name), "\(name)")
    }
  }

  @Test("libraries that need each other are refused")
  func cycles() throws {
    let folder = try TemporaryFolder()
    _ = try Self.library("libtwo.so", soname: "libtwo.so", in: folder)
    let one = try Self.library("libone.so", soname: "libone.so", needs: ["libtwo.so"], in: folder)
    let two = try Self.library("libtwo.so", soname: "libtwo.so", needs: ["libone.so"], in: folder)
    #expect(Self.findings(try Self.main(in: folder), [one, two]).errors.map(\.code) == [.elfLibraryCycle])
  }

  /// What a principal may not be, and what it may.
  @Test(
    "the principal is a global function, or data, of the library's own",
    arguments: [
      ("int player_main(void) { return 1; }", ""),
      ("int player_main = 1;", ""),
      ("__attribute__((visibility(\"protected\"))) int player_main[4];", ""),
      ("int other(void) { return 1; }", "no such symbol"),
      ("__attribute__((visibility(\"hidden\"))) int player_main(void) { return 1; }", "no such symbol"),
      ("static int player_main(void) { return 1; } int (*p)(void) = player_main;", "no such symbol"),
      ("int player_main(void); int (*p)(void) = player_main;", "a symbol that it needs from elsewhere"),
      ("__attribute__((weak)) int player_main(void) { return 1; }", "a weak symbol"),
      ("__thread int player_main;", "a symbol that is neither function nor data"),
      ("asm(\".globl player_main\\n.set player_main, 4096\\n\");", "a symbol outside of the library"),
      (
        "asm(\".data\\n.globl player_main\\nplayer_main: .long 1\\n\");", "a symbol that is neither function nor data"
      ),
      (
        "asm(\".data\\n.globl player_main\\n.type player_main, %function\\nplayer_main: .long 1\\n\");",
        "a function that is no code"
      ),
      (
        "static int one(void) { return 1; } static void *choose(void) { return one; }"
          + " int player_main(void) __attribute__((ifunc(\"choose\")));",
        "a function that code has to choose (IFUNC)"
      ),
      (
        "asm(\".data\\n.globl player_main\\n.type player_main, %gnu_unique_object\\n.size player_main, 4\\n"
          + "player_main: .long 1\\n\");", "a unique symbol"
      ),
    ])
  func principals(_ source: String, _ found: String) throws {
    let errors = Self.findings(try ELFWorkshop.image(ELFWorkshop.build(source))).errors
    #expect(errors.map(\.code) == (found.isEmpty ? [] : [.elfPrincipal]))
    #expect(errors.first?.found ?? "" == found)
  }

  @Test("what is unwise is advised against, and not refused")
  func advice() throws {
    let sources = [
      ("int other(void) { return 1; }", [String](), "elf.interposable-symbols"),
      ("int other(void) { return 1; }", ["-fvisibility=hidden"], ""),
      ("int other(void) { return 1; }", ["-Wl,-Bsymbolic"], ""),
      ("", ["-Wl,-rpath,/somewhere"], "elf.runpath"),
      ("", ["-Wl,--disable-new-dtags", "-Wl,-rpath,/somewhere"], "elf.runpath"),
      ("", ["-Wl,-z,lazy"], "elf.lazy-binding"),
      (
        "asm(\".data\\n.globl one\\n.type one, %gnu_unique_object\\n.size one, 4\\none: .long 1\\n\");", [],
        "elf.unique-symbols"
      ),
    ]
    for (source, flags, code) in sources {
      let found = Self.findings(try ELFWorkshop.image(ELFWorkshop.build(ELFWorkshop.source + source, flags)))
      #expect(found.errors.map(\.code) == [], "\(flags)")
      #expect(found.advice.map(\.code.rawValue) == (code.isEmpty ? [] : [code]), "\(source) \(flags)")
    }
  }

  @Test(
    "unique symbols of C++ are advised against",
    .enabled(if: Program.find("g++") != nil, "g++ is missing, and clang makes such symbols of its own accord"))
  func uniqueCPlusPlus() throws {
    let compiler = try #require(Program.find("g++"))
    let folder = try TemporaryFolder()
    let source = "template <class T> struct S { static int x; }; template <class T> int S<T>::x = 1;"
    try folder.write("a.cc", Array("\(source) extern \"C\" int player_main() { return S<int>::x; }".utf8))
    let arguments = ["-shared", "-fPIC", "-nostdlib"] + ELFWorkshop.soundFlags + ["-o", "m.so", "a.cc"]
    try #require(try Program.run(compiler, arguments, in: folder.path).status == 0)
    let found = Self.findings(try ELFWorkshop.image(folder.read("m.so")))
    #expect(found.errors.isEmpty)
    #expect(found.advice.first { $0.code == .elfUniqueSymbols }?.found == "_ZN1SIiE1xE")
  }

  @Test("a description's binaries are judged together, and one that cannot be read does not hide the others")
  func descriptions() throws {
    let name = ELFWorkshop.platform.rawValue
    let text = """
      {"identifier":"a.b","version":"1.0.0","sequence":1,"principal":"player_main","binary":{"\(name)":\
      {"path":"lib/m.so","libraries":["lib/libone.so"]}}}
      """
    let description = try ModuleDescription(json: Array(text.utf8))
    let folder = try TemporaryFolder()
    var files = [
      "lib/libone.so": try ELFWorkshop.build("int one;", ["-Wl,-soname,libone.so"], in: folder, named: "libone.so")
    ]
    files["lib/m.so"] = try ELFWorkshop.build(
      ELFWorkshop.source, ["-Wl,--no-as-needed", "./libone.so", "-Wl,-z,execstack"], in: folder)
    func findings() throws -> BinaryFindings {
      try description.binaryFindings { path throws(SignetError) in LibraryBytes(files[path] ?? []) }
    }
    #expect(try findings().errors.map(\.code) == [.elfExecutableStack])
    files["lib/libone.so"] = Array("#!/bin/sh\n".utf8)
    let found = try findings().errors
    #expect(found.map(\.code) == [.elfMalformed, .elfExecutableStack])
    #expect(found.map(\.object) == ["lib/libone.so", "lib/m.so"])
  }
}
