import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetELF

/// Programs and libraries as `readelf` of GNU Binutils reads them.
@Suite(.enabled(if: Program.find("readelf") != nil, "no readelf")) struct ELFProfileReadelfTests {
  /// The number of the system's own files that are compared.
  private static let sampleSize = 60

  @Test("made-up libraries of all forms are read as readelf reads them", arguments: SyntheticELF.forms.indices)
  func forms(_ index: Int) throws {
    let folder = try TemporaryFolder()
    var form = SyntheticELF.forms[index]
    for (stack, load, flags) in [(6, 5, (8, 1)), (7, 7, (4, 0x0800_0000)), (nil, 5, (0, 0))]
      as [(UInt32?, UInt32, (UInt64, UInt64))]
    {
      (form.stackFlags, form.loadFlags, form.flags) = (stack, load, flags)
      form.hasReadOnlyRelocations = stack == 6
      form.runPath = stack == 6 ? nil : "/opt:$ORIGIN"
      try folder.write("m.so", form.bytes())
      try compare(folder.file("m.so"))
    }
  }

  @Test(
    "programs and libraries that were built here are read as readelf reads them",
    .enabled(if: CProgram.compiler != nil, CProgram.isMissing))
  func built() throws {
    let folder = try TemporaryFolder()
    let relocated = CProgram.source + "\n__asm__(\".text\\n.balign 8\\n.quad main\\n.previous\");"
    let both = CProgram.source + "\n__asm__(\".section .both,\\\"awx\\\",%progbits\\n.quad 0\\n.previous\");"
    let cases: [(source: String, flags: [String])] = [
      (CProgram.source, CProgram.hardened), (CProgram.source, CProgram.hardenedLibrary),
      (CProgram.source, ["-no-pie", "-fno-pie", "-Wl,-z,lazy"]),
      (CProgram.source, ["-Wl,-z,norelro", "-Wl,-z,execstack", "-Wl,--build-id=none"]),
      (CProgram.source, ["-Wl,-rpath,/opt:$ORIGIN/../lib", "-Wl,--enable-new-dtags", "-s"]),
      (CProgram.source, ["-Wl,-rpath,/opt", "-Wl,--disable-new-dtags"]),
      (CProgram.source, ["-shared", "-fPIC", "-Wl,-soname,libown.so.1", "-Wl,-z,lazy"]),
      (CProgram.source, CProgram.hardened + ["-Wl,--hash-style=sysv"]),
      (CProgram.source, CProgram.hardened + ["-Wl,--hash-style=gnu"]),
      (relocated, CProgram.hardened + ["-Wl,-z,notext"]), (both, CProgram.hardened), (CProgram.source, ["-c"]),
    ]
    for (index, each) in cases.enumerated() {
      _ = try CProgram.build(each.source, each.flags, in: folder, named: "m\(index)")
      try compare(folder.file("m\(index)"))
    }
  }

  @Test("a sample of the system's programs and libraries is read as readelf reads it", .slow)
  func system() throws {
    var compared = 0
    for folder in ["/usr/bin", "/usr/sbin", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"] {
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      let paths = names.map { "\(folder)/\($0)" }.filter(Self.isELF)
      for path in stride(from: 0, to: paths.count, by: max(1, paths.count / 25)).map({ paths[$0] }) {
        guard compared < Self.sampleSize else { break }
        try compare(path)
        compared += 1
      }
    }
    print("compared \(compared) files of the system with readelf")
    #expect(compared >= 20)
  }

  private static func isELF(_ path: String) -> Bool {
    guard let file = try? RegularFile(opening: path), file.size >= 64 else { return false }
    return (try? file.bytes(in: 0..<4)) == [0x7f, 0x45, 0x4c, 0x46]
  }

  private func compare(_ path: String) throws {
    let profile = try ELFProfile(RegularFile(opening: path), path: path)
    let lines = try readelf(["-h", "-l", "-d", "-n", "-S", "-W"], path)
    let file = ReadelfFile(lines)
    #expect(profile.kind == file.kind, "\(path)")
    guard profile.isLoadable else { return }
    #expect(profile.interpreter.map(text) == file.interpreter, "\(path)")
    #expect(profile.hasReadOnlyRelocations == file.has("GNU_RELRO"), "\(path)")
    #expect(profile.stack == file.stack, "\(path)")
    #expect(profile.writableCode == file.writableCode, "\(path)")
    #expect(profile.linking?.bindsNow ?? false == file.bindsNow, "\(path)")
    #expect(profile.linking?.hasTextRelocations ?? false == file.hasTextRelocations, "\(path)")
    #expect(profile.linking?.hasProcedureTable ?? false == file.hasTag("JMPREL"), "\(path)")
    #expect((profile.linking?.needed ?? []).map(text) == file.bracketed("NEEDED"), "\(path)")
    #expect([profile.linking?.soname].compactMap { $0.map(text) } == file.bracketed("SONAME"), "\(path)")
    #expect((profile.linking?.inheritedRunPaths ?? []).map(text) == file.bracketed("RPATH"), "\(path)")
    #expect((profile.linking?.runPaths ?? []).map(text) == file.bracketed("RUNPATH"), "\(path)")
    #expect(profile.buildID.map(Hexadecimal.encode) == file.buildIDs.first, "\(path)")
    #expect(profile.sections.hasSymbols == file.hasSection(".symtab"), "\(path)")
    #expect(profile.sections.hasDebugInformation == file.hasSection(".debug_info"), "\(path)")
    #expect(profile.sections.hasDebugLink == file.hasSection(".gnu_debuglink"), "\(path)")
    // Without section headers, readelf shows no symbols.
    if profile.sections.state == .read { try compareSymbols(profile, path) }
  }

  private func compareSymbols(_ profile: ELFProfile, _ path: String) throws {
    guard let protections = profile.protections else {
      #expect(profile.isStaticProgram || profile.linking == nil, "\(path): the symbols are not known")
      return
    }
    // NUMBER: VALUE SIZE TYPE BINDING VISIBILITY SECTION NAME@VERSION
    var rows: [[String]] = []
    for line in try readelf(["--dyn-syms", "-W"], path) {
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 8, words[0].hasSuffix(":"), Int(words[0].dropLast()) != nil else { continue }
      if words[4] != "LOCAL" { rows.append(words) }
    }
    func names(_ rows: [[String]]) -> Set<String> {
      Set(rows.compactMap { $0[7].split(separator: "@").first.map(String.init) })
    }
    let needed = names(rows.filter { $0[6] == "UND" })
    #expect(protections.hasStackProtector == names(rows).contains { $0.hasPrefix("__stack_chk_") }, "\(path)")
    let checked = needed.filter { $0.hasPrefix("__") && $0.hasSuffix("_chk") }
    #expect(protections.fortified.filter { $0.hasSuffix("_chk") } == checked.sorted(), "\(path)")
    for name in ["memcpy", "strcpy", "printf", "snprintf", "read", "realpath"] {
      #expect(protections.unfortified.contains(name) == needed.contains(name), "\(path): \(name)")
    }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func readelf(_ arguments: [String], _ path: String) throws -> [String] {
    let program = try #require(Program.find("readelf"))
    let result = try Program.run(program, arguments + [path], environment: ["LC_ALL": "C"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }
}

/// What `readelf -h -l -d -n -S -W` says of a file.
private struct ReadelfFile {
  private let lines: [String]

  init(_ lines: [String]) { self.lines = lines }

  /// The words of the program headers of a kind: TYPE OFFSET ADDRESS ADDRESS SIZE SIZE FLAGS… ALIGNMENT.
  private func segments(_ kind: String) -> [[String]] {
    lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.first == kind && $0.count >= 7 }
  }

  func has(_ segment: String) -> Bool { !segments(segment).isEmpty }
  func hasTag(_ tag: String) -> Bool { lines.contains { $0.contains("(\(tag))") } }
  func hasSection(_ name: String) -> Bool {
    lines.contains { $0.contains("] \(name) ") && !$0.contains(" NOBITS ") }
  }

  /// What stands in brackets after a dynamic tag.
  func bracketed(_ tag: String) -> [String] {
    lines.filter { $0.contains("(\(tag))") }.compactMap { $0.split(separator: "[").last?.split(separator: "]").first }
      .map(String.init)
  }

  var kind: ELFProfile.Kind {
    let type = lines.first { $0.hasPrefix("  Type:") } ?? ""
    if type.contains("EXEC (") { return .program }
    if type.contains("REL (") { return .object }
    // Only programs have a place for debuggers; not all linkers mark them otherwise.
    let isProgram = type.contains("Position-Independent Executable") || hasTag("DEBUG")
    return isProgram ? .positionIndependentProgram : .sharedLibrary
  }

  var interpreter: String? {
    lines.compactMap { $0.components(separatedBy: "[Requesting program interpreter: ").dropFirst().first }.first
      .map { String($0.dropLast()) }
  }

  var stack: ELFProfile.Stack {
    guard let words = segments("GNU_STACK").first else { return .unstated }
    return words[6].contains("E") ? .executable : .notExecutable
  }

  var writableCode: [UInt64] {
    segments("LOAD").filter { $0[6].contains("W") && $0.dropFirst(6).dropLast().joined().contains("E") }
      .compactMap { UInt64($0[2].dropFirst(2), radix: 16) }
  }

  private func flags(_ tag: String) -> [String] {
    lines.filter { $0.contains("(\(tag))") }.flatMap { $0.split(separator: " ").map(String.init) }
  }

  var bindsNow: Bool { hasTag("BIND_NOW") || flags("FLAGS").contains("BIND_NOW") || flags("FLAGS_1").contains("NOW") }
  var hasTextRelocations: Bool { hasTag("TEXTREL") || flags("FLAGS").contains("TEXTREL") }
  var buildIDs: [String] { lines.compactMap { $0.components(separatedBy: "Build ID: ").dropFirst().first } }
}
