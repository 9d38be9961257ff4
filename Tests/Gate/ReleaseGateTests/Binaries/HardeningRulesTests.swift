import Signet
import SignetBase
import SignetELF
import TestSupport
import Testing

@testable import ReleaseGate

/// Programs and libraries of which one thing at most is not hardened.
@Suite(.enabled(if: CProgram.compiler != nil, CProgram.isMissing)) struct HardeningRulesTests {
  /// A program or library with one fault, and what is found.
  struct Fault: CustomTestStringConvertible, Sendable {
    let rule: String
    var source = CProgram.source
    var flags = CProgram.hardened
    let fault: [String]
    var level = "error"
    let place: String
    let message: String
    let expected: String
    let found: String

    var testDescription: String { "\(rule) \(fault)" }
  }

  /// A word in code that the dynamic linker has to change.
  private static let relocated = CProgram.source + "\n__asm__(\".text\\n.balign 8\\n.quad main\\n.previous\");"

  static let faults: [Fault] = [
    Fault(
      rule: "pie", fault: ["-fno-pie", "-no-pie"], place: "ELF header", message: "is a program for one fixed address",
      expected: "ET_DYN", found: "ET_EXEC"),
    Fault(
      rule: "relro", fault: ["-Wl,-z,norelro"], place: "program headers",
      message: "has no data that becomes read-only after loading", expected: "PT_GNU_RELRO", found: "none"),
    Fault(
      rule: "bind-now", fault: ["-fplt", "-Wl,-z,lazy"], level: "warning", place: "dynamic table",
      message: "leaves the table of its functions writable", expected: "BIND_NOW", found: "lazy binding"),
    Fault(
      rule: "executable-stack", fault: ["-Wl,-z,execstack"], place: "program headers",
      message: "has an executable stack", expected: "PT_GNU_STACK, not executable", found: "an executable one"),
    Fault(
      rule: "text-relocations", source: relocated, fault: ["-Wl,-z,notext"], place: "dynamic table",
      message: "has code that is changed while it is loaded", expected: "no text relocations", found: "DT_TEXTREL"),
    Fault(
      rule: "run-path", fault: ["-Wl,--enable-new-dtags", "-Wl,-rpath,/opt/signet"], place: "RUNPATH",
      message: "looks for libraries in a folder outside of the release",
      expected: "$ORIGIN and folders of the release", found: "/opt/signet"),
    Fault(
      rule: "run-path", fault: ["-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN/../../lib"], place: "RPATH",
      message: "looks for libraries in a folder outside of the release",
      expected: "$ORIGIN and folders of the release", found: "$ORIGIN/../../lib"),
    Fault(
      rule: "stack-protector", fault: ["-fno-stack-protector"], level: "warning", place: "dynamic symbols",
      message: "is C or C++ code without a stack protector", expected: "__stack_chk_fail", found: "none"),
    Fault(
      rule: "stack-protector", flags: CProgram.hardenedLibrary, fault: ["-fno-stack-protector"], level: "warning",
      place: "dynamic symbols", message: "is C or C++ code without a stack protector", expected: "__stack_chk_fail",
      found: "none"),
    Fault(
      rule: "fortify", fault: ["-U_FORTIFY_SOURCE"], level: "warning", place: "dynamic symbols",
      message: "is C or C++ code that does not check the sizes of buffers",
      expected: "functions such as __memcpy_chk", found: "printf, strcpy"),
    Fault(
      rule: "build-id", fault: ["-Wl,--build-id=none"], level: "warning", place: "notes",
      message: "has no build ID", expected: "NT_GNU_BUILD_ID", found: "none"),
  ]

  @Test("a fault has one finding, of its own rule", arguments: faults)
  func fault(_ each: Fault) throws {
    let binary = CheckedBinary(try CProgram.build(each.source, each.flags + each.fault))
    let expected = [
      each.rule, each.level, "linux/tool.zip", "bin/tool", each.place, each.message, nil, each.expected, each.found,
    ]
    let findings = try binary.allFindings()
    #expect(findings.map(\.facts) == [expected])
    #expect(findings.allSatisfy { $0.hint != nil })
  }

  @Test(
    "a hardened program and a hardened library have no finding",
    arguments: [CProgram.hardened, CProgram.hardenedLibrary])
  func hardened(_ flags: [String]) throws {
    #expect(try CheckedBinary(CProgram.build(CProgram.source, flags)).allFindings().map(\.facts) == [])
    // As a file of its own, it is not in a folder of an archive.
    let alone = CheckedBinary(
      try CProgram.build(CProgram.source, flags + ["-Wl,-rpath,$ORIGIN"]), path: "tool", entry: nil)
    #expect(try alone.allFindings().map(\.facts) == [])
  }

  @Test("a segment that is writable and executable is found at its address")
  func writableCode() throws {
    let source = CProgram.source + "\n__asm__(\".section .both,\\\"awx\\\",%progbits\\n.quad 0\\n.previous\");"
    let findings = try CheckedBinary(CProgram.build(source)).allFindings()
    #expect(findings.map(\.rule) == ["writable-code"])
    let finding = try #require(findings.first)
    #expect(finding.message == "has a segment that is writable and executable")
    #expect(finding.place?.hasPrefix("segment at 0x") == true)
    #expect(finding.level == .error && finding.expected == "one or the other" && finding.found == "PF_W and PF_X")
  }

  @Test("stack protector and fortified functions are asked of C alone, and only if there is evidence of C")
  func languages() throws {
    let bare = CProgram.hardened + ["-fno-stack-protector", "-U_FORTIFY_SOURCE"]
    func rules(_ source: String, _ flags: [String]) throws -> [String] {
      try CheckedBinary(CProgram.build(source, bare + flags)).allFindings().map(\.rule)
    }
    #expect(try rules(CProgram.source, []) == ["stack-protector", "fortify"])
    for section in ["swift5_types", ".go.buildinfo"] {
      let mark = "\n__asm__(\".section \(section),\\\"a\\\",%progbits\\n.quad 0\\n.previous\");"
      #expect(try rules(CProgram.source + mark, []) == [], "\(section)")
    }
    let comment = ".section .comment,\\\"MS\\\",%progbits,1\\n.asciz \\\"rustc version 1.93.1\\\"\\n.previous"
    #expect(try rules(CProgram.source + "\n__asm__(\"\(comment)\");", []) == [])
  }

  @Test(
    "Rust of older compilers is known by the paths of its library",
    arguments: [
      ("/rustc/84c898d65adf2f39a5a98507f1fe0ce10a2b8dbc/library/alloc/src/string.rscalled", true),
      ("/usr/src/rustc-1.63.0/library/core/src/fmt/mod.rs", true),
      ("/rustc/b8cedc00407a4c56a3bda1ed605c6fc166655447/src/libstd/io/mod.rs", true),
      ("library/core/srcs/a.rs and mylibrary/cores/src/a.rs", false), ("/src/libc/a.rs", false), ("/src", false),
    ])
  func oldRust(_ text: String, _ isRust: Bool) throws {
    let bare = CProgram.hardened + ["-fno-stack-protector", "-U_FORTIFY_SOURCE"]
    // Wherever the path lies: the constants are read in pieces of 64 KiB.
    for distance in [0, 65_480, 65_500, 65_520, 65_536] {
      let constant = """

        __asm__(".section .rodata\\n.zero \(distance)\\n.ascii \\"\(text)\\"\\n.zero 70000\\n.previous");
        """
      let rules = try CheckedBinary(CProgram.build(CProgram.source + constant, bare)).allFindings().map(\.rule)
      #expect(rules == (isRust ? [] : ["stack-protector", "fortify"]), "\(distance)")
    }
  }

  @Test("copies of values, which compilers make by themselves, are no evidence that nothing is fortified")
  func compilerCalls() throws {
    let bare = CProgram.hardened + ["-U_FORTIFY_SOURCE"]
    func found(_ statement: String) throws -> [String?] {
      let source = """
        #include <stdio.h>
        #include <string.h>
        int main(int count, char **words) { char text[16] = {0}; \(statement); return text[0]; }
        """
      return try CheckedBinary(CProgram.build(source, bare)).allFindings().filter { $0.rule == "fortify" }.map(
        \.found)
    }
    let copies = "memcpy(words[0], words[1], count); memmove(words[2], words[1], count); memset(words[3], 0, count)"
    #expect(try found(copies) == [])
    #expect(try found("\(copies); strcpy(text, words[1])") == ["memcpy, memmove, memset, strcpy"])
    #expect(try found("strncpy(words[0], words[1], count)") == ["strncpy"])
  }

  @Test(
    "symbols are where the policy wants them, and a file of separate symbols is not judged",
    .enabled(if: Program.find("objcopy") != nil && Program.find("strip") != nil, "no objcopy or no strip"))
  func symbols() throws {
    let folder = try TemporaryFolder()
    for (name, flags) in [
      ("full", ["-g"]), ("kept", []), ("separate", ["-s"]), ("bare", ["-s", "-Wl,--build-id=none"]),
    ] {
      _ = try CProgram.build(CProgram.source, CProgram.hardened + flags, in: folder, named: name)
    }
    let states: [(file: String, kept: String?, separate: String?, stripped: String?)] = [
      ("full", nil, "symbols and debug information", "symbols and debug information"),
      ("kept", nil, "symbols", "symbols"),
      ("separate", "no symbols", nil, nil), ("bare", "no symbols", "no debug link or build ID", nil),
    ]
    func found(_ file: String, _ options: String) throws -> [String?] {
      let rule = try CheckedBinary.rule(StrippedRule.self, options)
      return try CheckedBinary(folder.read(file)).findings(of: rule).map(\.found)
    }
    for state in states {
      #expect(try found(state.file, #"{"symbols": ["kept"]}"#) == [state.kept].filter { $0 != nil })
      #expect(try found(state.file, #"{"symbols": ["separate"]}"#) == [state.separate].filter { $0 != nil })
      #expect(try found(state.file, #"{"symbols": ["stripped"]}"#) == [state.stripped].filter { $0 != nil })
      #expect(try found(state.file, "{}") == [state.stripped].filter { $0 != nil })
      #expect(try found(state.file, #"{"symbols": ["kept", "stripped"]}"#) == [])
    }
    let kept = try CheckedBinary(folder.read("kept")).findings(of: CheckedBinary.rule(StrippedRule.self))
    #expect(
      kept.map(\.facts) == [
        [
          "stripped", "error", "linux/tool.zip", "bin/tool", "sections", "has its symbols", nil, "stripped",
          "symbols",
        ]
      ])
    let objcopy = try #require(Program.find("objcopy"))
    let run = try Program.run(objcopy, ["--only-keep-debug", "full", "full.debug"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let symbols = CheckedBinary(try folder.read("full.debug"))
    #expect(try symbols.file.profile()?.kind == .separateSymbols)
    #expect(try symbols.allFindings().map(\.facts) == [])
    #expect(try found("full.debug", "{}") == [])
  }

  @Test("objects are not judged")
  func objects() throws {
    let binary = CheckedBinary(try CProgram.build(CProgram.source, ["-c"]))
    #expect(try binary.file.profile()?.kind == .object)
    #expect(try binary.allFindings().map(\.facts) == [])
  }

  /// Code for no system, as linker scripts of firmware place it: at which address, with notes, and stored elsewhere.
  @Test(
    "firmware, boot loaders and kernels are not judged, and a program is, however it is linked",
    arguments: [
      ("0x100000", false, "", true), ("", true, "", false), ("0x9000", true, "", true),
      ("0x400000", true, "AT(0x800000)", true), ("0xffff800000000000", true, "", true),
    ])
  func firmware(address: String, hasNote: Bool, load: String, isFirmware: Bool) throws {
    let folder = try TemporaryFolder()
    let notes = hasNote ? ".note : { *(.note*) }" : ""
    let script = """
      SECTIONS { . = \(address); \(notes) .text : \(load) { *(.text*) *(.data*) *(.bss*) }
        /DISCARD/ : { *(.note*) *(.comment) *(.eh_frame*) } }
      """
    try folder.write("s.ld", Array(script.utf8))
    let source = "int word = 1; void _start(void) { for (;;) word++; }"
    let flags = [
      "-nostdlib", "-static", "-fno-pie", "-no-pie", "-Wl,-N",
      "-Wl,--build-id=\(hasNote ? "sha1" : "none")",
    ]
    let placed = address.isEmpty ? flags : flags + ["-Wl,-T,s.ld"]
    let binary = CheckedBinary(try CProgram.build(source, placed, in: folder))
    #expect(try binary.file.profile()?.kind == (isFirmware ? .firmware : .program))
    let rules = Set(try binary.allFindings().map(\.rule))
    #expect(isFirmware ? rules.isEmpty : rules.isSuperset(of: ["pie", "writable-code"]), "\(rules)")
  }

  @Test(
    "code in one piece is firmware, also with other data and with a note that is not loaded",
    arguments: [
      ("code PT_LOAD FLAGS(7); data PT_LOAD FLAGS(6);", "", ":data", true),
      ("code PT_LOAD FLAGS(5); data PT_LOAD FLAGS(7);", "", ":data", true),
      ("code PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6);", "", ":data", false),
      ("code PT_LOAD FLAGS(7); note PT_NOTE FLAGS(4);", ". = 0x1d4848; .note : { *(.note*) } :note", ":code", true),
      // It begins where nothing is.
      (
        "code PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6);", "ENTRY(elsewhere) elsewhere = ABSOLUTE(0x401);", ":data",
        true
      ),
      (
        "code PT_LOAD FLAGS(7); note PT_NOTE FLAGS(4);", ". = 0x400000; .note : { *(.note*) } :code :note", ":code",
        false
      ),
    ])
  func onePiece(headers: String, note: String, data: String, isFirmware: Bool) throws {
    let folder = try TemporaryFolder()
    let script = """
      PHDRS { \(headers) }
      SECTIONS { \(note) . = 0x401000; .text : { *(.text*) } :code . = 0x402000; .data : { *(.data*) *(.bss*) } \(data)
        /DISCARD/ : { *(.note*) *(.comment) *(.eh_frame*) } }
      """
    try folder.write("s.ld", Array(script.utf8))
    let source = "int word = 1; void _start(void) { for (;;) word++; }"
    let id = note.contains(".note") ? "sha1" : "none"
    let flags = ["-nostdlib", "-static", "-fno-pie", "-no-pie", "-Wl,-T,s.ld", "-Wl,--build-id=\(id)"]
    let binary = CheckedBinary(try CProgram.build(source, flags, in: folder))
    #expect(try binary.file.profile()?.kind == (isFirmware ? .firmware : .program))
  }

  @Test("a program that is said to be stored elsewhere is judged: Linux passes over that")
  func storedElsewhere() throws {
    let source = "int main(void) { return 42; }"
    let flags = ["-static", "-fno-pie", "-no-pie", "-Wl,-z,relro", "-Wl,--build-id=none"]
    var bytes = try CProgram.build(source, flags)
    func number(_ place: Int, _ count: Int) -> Int {
      bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    for header in (0..<number(56, 2)).map({ number(32, 8) + 56 * $0 }) where number(header, 4) == 1 {
      bytes[header + 27] = 0x40
    }
    #expect(try CheckedBinary(bytes).file.profile()?.kind == .program)
  }

  @Test("a table may be in two segments that follow each other, as patchelf writes it")
  func splitTable() throws {
    var bytes = try CProgram.build(CProgram.source, CProgram.hardened + ["-shared", "-fPIC"])
    let whole = CheckedBinary(bytes)
    func number(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    func put(_ value: Int, _ place: Int) {
      for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
    // The first segment ends within the names of libraries, and another one takes the place of a note.
    let headers = (0..<Int(bytes[56])).map { number(32) + 56 * $0 }
    let load = try #require(headers.first { bytes[$0] == 1 && bytes[$0 + 3] == 0 })
    let note = try #require(headers.first { bytes[$0] == 4 && bytes[$0 + 3] == 0 })
    let name = Array("libc.so.6".utf8)
    let cut = try #require((0..<bytes.count - 9).first { bytes[$0..<$0 + 9].elementsEqual(name) }) + 3
    let size = number(load + 32)
    try #require(number(load + 8) == 0 && number(load + 16) == 0 && cut < size)
    for (field, value) in [(32, cut), (40, cut)] { put(value, load + field) }
    for (field, value) in [(0, 1 | 4 << 32), (8, cut), (16, cut), (24, cut), (32, size - cut), (40, size - cut)] {
      put(value, note + field)
    }
    let split = CheckedBinary(bytes)
    #expect(try split.file.profile()?.kind == .sharedLibrary)
    #expect(try split.allFindings().map(\.rule) == whole.allFindings().map(\.rule))
  }

  @Test("a policy may allow binaries by their path, whole or without its beginning")
  func allowed() throws {
    let binary = CheckedBinary(
      try CProgram.build(CProgram.source, CProgram.hardened + ["-fno-pie", "-no-pie"]), entry: "data.tar.xz!boot/tool"
    )
    for (pattern, count) in [
      ("boot/**", 0), ("tool", 0), ("data.tar.xz/boot/*", 0), ("linux/tool.zip/**", 0), ("oot/**", 1),
      ("linux/boot/**", 1),
      ("*.c32", 1),
    ] {
      let rule = try CheckedBinary.rule(PositionIndependenceRule.self, #"{"allow": ["\#(pattern)"]}"#)
      #expect(try binary.findings(of: rule).count == count, "\(pattern)")
    }
    for type in RuleList.all
    where type.about.options.contains(where: { $0.meaning == AllowedPlaces.binaries.meaning }) {
      #expect(
        try binary.findings(of: CheckedBinary.rule(type, #"{"allow": ["boot/*"]}"#)).isEmpty, "\(type.about.id)")
      expectError(.jsonWrongValue) { _ = try CheckedBinary.rule(type, #"{"allow": ["/"]}"#) }
    }
  }

  @Test("options that a rule does not know are refused")
  func options() throws {
    for (type, options) in [
      (StrippedRule.self, #"{"symbols": ["hidden"]}"#), (ArchitectureRule.self, #"{"names": ["x86_64"]}"#),
      (RunPathRule.self, #"{"folders": ["lib"]}"#),
    ] as [(any GateRule.Type, String)] {
      expectError(.jsonWrongValue) { _ = try CheckedBinary.rule(type, options) }
    }
    expectError(.policyUnknownField) { _ = try CheckedBinary.rule(BuildIDRule.self, #"{"length": 20}"#) }
  }
}
