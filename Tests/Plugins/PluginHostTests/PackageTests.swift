import Foundation
import PluginKit
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

#if os(Linux)
  /// Packages of modules, from the commit to the host.
  @Suite(
    "A package", .slow, .timeLimit(.minutes(60)),
    .enabled(if: Program.find("clang") != nil && Program.find("make") != nil, "clang or make is missing"))
  struct PackageTests {
    private let workshop: ModuleWorkshop
    private let key: String

    init() throws {
      workshop = try ModuleWorkshop()
      key = workshop.folder.file("publisher")
      try run("signet keygen --out publisher --no-passphrase -q")
      try run("signet new module lamp --language c --signet '\(Repository.root)' -q && echo MIT > lamp/LICENSE")
      try run("cd lamp && git init -q . && git config user.name Ada && git config user.email ada@example.com")
      try run("cd lamp && git add . && git commit -qm First && git tag 1.0.0")
      let commit = try run("git -C lamp rev-parse HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
      try workshop.folder.write(
        "lamp/Lamp.modspec.json",
        Array(
          """
          {"name": "Lamp", "version": "1.0.0", "summary": "Shines.", "homepage": "https://example.com/lamp",
           "license": {"type": "MIT", "file": "LICENSE"}, "authors": [{"name": "Ada"}],
           "source": {"git": "https://example.com/lamp.git", "tag": "1.0.0", "commit": "\(commit)"},
           "source_files": ["*.c", "Makefile"]}
          """.utf8))
    }

    @discardableResult
    private func run(_ command: String, status: Int32 = 0) throws -> String {
      let result = try Shell.run("export SIGNET='\(Repository.root)'; \(command)", in: workshop.folder.path)
      try #require(result.status == status, "\(command): \(result.output)\(result.errors)")
      return result.output + result.errors
    }

    /// What pages of a module in an archive answer, in a host of a workshop.
    private func answers(
      of archive: String, in workshop: ModuleWorkshop, trusting publisher: PublicKey
    ) async throws -> [String?] {
      let host = try workshop.host(workshop.policy([publisher]))
      try await host.load(host.install(self.workshop.folder.file(archive)).module)
      var answers: [String?] = []
      for url in ["ui://lamp", "ui://lamp/7"] { answers.append(try await host.open(url) as? String) }
      return answers
    }

    @Test(
      "PO11: a package is signed, is not replaced without --force, keeps no dependencies out of a shared library, and source and binary answer the same call"
    )
    func package() async throws {
      let package = "signet release lamp/Lamp.modspec.json --key publisher"
      try run(package)
      #expect(try run(package, status: 1).contains("[package.exists]"))
      #expect(try run("\(package) --force --exclude-deps", status: 1).contains("[package.exclude-deps]"))
      try run("\(package) --force")
      try run("signet verify Lamp-1.0.0/Lamp-1.0.0.zip --key publisher.pub --module com.example.lamp")
      try run("signet verify Lamp-1.0.0/Lamp-1.0.0-source.zip --key publisher.pub")
      // The sources alone, built somewhere else and signed by somebody else.
      try run("mkdir there && cd there && unzip -q ../Lamp-1.0.0/Lamp-1.0.0-source.zip && make -s -C source")
      try run("signet pack there/source/module --out built.zip -q")
      try workshop.write(workshop.sign(workshop.folder.file("built.zip")), beside: workshop.folder.file("built.zip"))
      let publisher = try PublicKey(trustedFile: key + ".pub")
      let binary = try await answers(of: "Lamp-1.0.0/Lamp-1.0.0.zip", in: workshop, trusting: publisher)
      let source = try await answers(of: "built.zip", in: ModuleWorkshop(), trusting: workshop.key.publicKey)
      #expect(binary == ["lamp is here", "lamp shows 7"])
      #expect(source == binary)
    }
  }
#endif
