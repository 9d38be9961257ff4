import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ReleaseGate

/// The binaries of modules, and what the modules' descriptions say of them.
@Suite(.enabled(if: CProgram.compiler != nil, CProgram.isMissing)) struct ModuleBinaryRulesTests {
  #if arch(arm64)
    private static let (platform, other) = ("linux-aarch64", "linux-x86_64")
    private static let (processor, otherProcessor) = ("aarch64", "x86-64")
  #else
    private static let (platform, other) = ("linux-x86_64", "linux-aarch64")
    private static let (processor, otherProcessor) = ("x86-64", "aarch64")
  #endif

  private static func description(_ platform: String, needed: [String], libraries: [String] = []) -> String {
    func list(_ texts: [String]) -> String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
    let needed = needed.isEmpty ? "" : ",\"needed\":\(list(needed))"
    let libraries = libraries.isEmpty ? "" : ",\"libraries\":\(list(libraries))"
    return """
      {"identifier":"com.example.player","version":"1.0.0","sequence":1,"principal":"show","binary":{"\(platform)":\
      {"path":"lib/m.so"\(needed)\(libraries)}}}
      """
  }

  /// An artifact that a trusted signer has signed as a module with this description and library.
  private static func artifact(_ description: String, _ library: [UInt8]) throws -> ExaminedArtifact {
    let folder = try TemporaryFolder()
    try folder.write("module.json", Array(description.utf8))
    try folder.write("m.so", library)
    let script = """
      import io, tarfile
      with tarfile.open('m.tar', 'w', format=tarfile.USTAR_FORMAT) as tar:
          for name, path in [('module.json', 'module.json'), ('lib/m.so', 'm.so')]:
              data = open(path, 'rb').read()
              entry = tarfile.TarInfo(name)
              entry.size, entry.mode = len(data), 0o644
              tar.addfile(entry, io.BytesIO(data))
      """
    let run = try Program.run(try #require(Program.find("python3")), ["-B", "-c", script], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let archive = try folder.read("m.tar")
    let (key, time) = (try PrivateKey.generate(.ed25519), UnixTime(seconds: 1_800_000_000))
    let bundle = try Signer(key).sign(module: .bytes(archive), Signer.ModuleClaims(name: "m.tar", signedAt: time))
    let verifier = Verifier(policy: try TrustPolicy(trusting: [key.publicKey]), clock: .fixed(time))
    let verdict = try verifier.verify(
      .bytes(archive), signatures: .bytes([bundle.canonicalBytes()]), expecting: .fileOrModule(named: "m.tar"))
    guard case .verified(.module(let proof)) = verdict else {
      throw SignetError(.signatureMissing, "m.tar", "is not verified as a module")
    }
    return ExaminedArtifact(
      path: "m.tar", isDirectory: false, size: archive.count, sha256: try Digest.of(archive, .sha256),
      .verified(proof.signatures, strangers: []))
  }

  private static let library = Result { try CProgram.build(CProgram.source, CProgram.hardenedLibrary) }

  private func findings(
    _ type: any GateRule.Type, _ description: String, entry: String = "lib/m.so", _ bytes: [UInt8]? = nil
  ) throws -> [[String?]] {
    let library = try Self.library.get()
    let artifact = try Self.artifact(description, library)
    let file = CheckedBinary(bytes ?? library, path: "m.tar", entry: entry).file
    return try CheckedBinary.findings(of: CheckedBinary.rule(type), file, artifact).map(\.facts)
  }

  @Test("a binary needs what its description says, or what its module brings")
  func needed() throws {
    #expect(try findings(NeededLibrariesRule.self, Self.description(Self.platform, needed: ["libc.so.6"])) == [])
    let undeclared = try findings(NeededLibrariesRule.self, Self.description(Self.platform, needed: ["libm.so.6"]))
    #expect(
      undeclared == [
        [
          "needed-libraries", "error", "m.tar", "lib/m.so", "DT_NEEDED, \(Self.platform)",
          "needs a library that the module neither declares nor brings", nil, "libm.so.6", "libc.so.6",
        ]
      ])
    // No description names another entry, or any entry of what is not signed.
    let none = Self.description(Self.platform, needed: [])
    #expect(try findings(NeededLibrariesRule.self, none, entry: "lib/other.so") == [])
    #expect(try CheckedBinary(Self.library.get()).findings(of: CheckedBinary.rule(NeededLibrariesRule.self)).isEmpty)
  }

  @Test("a library that the module brings may be needed by the name of its file")
  func brought() throws {
    let text = Self.description(Self.platform, needed: [], libraries: ["lib/libc.so.6"])
    let module = try ModuleDescription(json: Array(text.utf8))
    var found = RuleFindings("needed-libraries", .error, about: "m.tar")
    var options = RuleOptions.none
    try NeededLibrariesRule(&options).judge(
      CheckedBinary(Self.library.get(), entry: "lib/m.so").file, of: module, &found)
    #expect(found.all.isEmpty)
  }

  @Test("a binary is for the platform for which its module names it")
  func platforms() throws {
    #expect(try findings(ArchitectureRule.self, Self.description(Self.platform, needed: [])) == [])
    let text = Self.description(Self.other, needed: [])
    let message = "is not built for the platform for which the module names it"
    #expect(
      try findings(ArchitectureRule.self, text) == [
        [
          "architecture", "error", "m.tar", "lib/m.so", "ELF header", message, nil, Self.other, Self.processor,
        ]
      ])
    #expect(
      try findings(ArchitectureRule.self, text, Array("#!/bin/sh\n".utf8)) == [
        [
          "architecture", "error", "m.tar", "lib/m.so", "ELF header", message, nil, Self.other,
          "a file that is not ELF",
        ]
      ])
  }

  @Test("each binary is for one of the processors that the policy names")
  func processors() throws {
    let binary = CheckedBinary(try Self.library.get())
    func facts(_ options: String) throws -> [[String?]] {
      try binary.findings(of: CheckedBinary.rule(ArchitectureRule.self, options)).map(\.facts)
    }
    #expect(try facts("{}") == [])
    #expect(try facts(#"{"names": ["x86-64", "aarch64"]}"#) == [])
    #expect(
      try facts("{\"names\": [\"\(Self.otherProcessor)\", \"riscv64\"]}") == [
        [
          "architecture", "error", "linux/tool.zip", "bin/tool", "ELF header",
          "is built for another processor than those of the release", nil, "\(Self.otherProcessor) or riscv64",
          Self.processor,
        ]
      ])
  }
}
