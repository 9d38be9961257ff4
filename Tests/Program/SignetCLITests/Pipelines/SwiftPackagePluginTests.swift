import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite("The commands of SwiftPM", .slow, .serialized, .timeLimit(.minutes(60)))
  struct SwiftPackagePluginTests {
    /// A package that depends on Signet, and has nothing else to do with it.
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "sample",
          platforms: [.macOS(.v15)],
          dependencies: [.package(name: "signet", path: "\(Repository.root)")],
          targets: [.target(name: "Sample", path: ".", sources: ["Sample.swift"])])

        """
      try folder.write("Package.swift", Array(manifest.utf8))
      try folder.write("Sample.swift", Array("let sample = 1\n".utf8))
    }

    private func package(_ arguments: [String], with signet: FakeSignet) async throws -> Program {
      try await package(arguments, programs: (signet.path as NSString).deletingLastPathComponent)
    }

    /// Runs a command of SwiftPM, with a folder in which it looks for signet.
    private func package(_ arguments: [String], programs: String) async throws -> Program {
      let swift = try #require(Program.find("swift"))
      let path = programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
      return try await FixtureBuilds.run(
        swift, ["package"] + arguments, in: folder.path,
        environment: FixtureBuilds.localGit.merging(["PATH": path]) { $1 })
    }

    @Test("pass their arguments on, and end as Signet does")
    func commands() async throws {
      let signet = try FakeSignet(output: "all is well\n")
      let gate = ["rel ease", "--report", "html=$(touch pwned)", "--policy=\"'`touch pwned`", "--", "-x", "*"]
      let gated = try await package(["signet-gate"] + gate, with: signet)
      #expect(gated.status == 0, "\(gated.output)\(gated.errors)")
      #expect((gated.output + gated.errors).contains("all is well\n"))
      let sign = ["--each", "release", "--key", "publisher"]
      let signed = try await package(["--allow-writing-to-package-directory", "signet-sign"] + sign, with: signet)
      #expect(signed.status == 0, "\(signed.output)\(signed.errors)")
      #expect(try signet.calls().map(\.arguments) == [["gate"] + gate, ["sign"] + sign])
      #expect(try !folder.listing().contains("pwned"))

      let refusing = try FakeSignet(status: 1, errors: "refused it\n")
      let refused = try await package(["signet-gate", "release"], with: refusing)
      #expect(refused.status != 0)
      #expect((refused.output + refused.errors).contains("refused it\n"))
      // Nobody is there to give the permission that signing needs.
      #expect(try await package(["signet-sign", "release"], with: signet).status != 0)
      #expect(try signet.calls().count == 2)
    }

    @Test("sign and gate a release with hostile names, and refuse it once a file has changed")
    func realProgram() async throws {
      let release = try UnsignedRelease(in: folder)
      let signed = try await package(
        [
          "--allow-writing-to-package-directory", "signet-sign",
          "--each=release", "--key", release.keyFile,
        ], programs: Shell.programs)
      #expect(signed.status == 0, "\(signed.output)\(signed.errors)")
      #expect(try release.found() == release.signedNames)
      let gate = ["signet-gate", "--policy=release.json", "--policy-sha256=" + release.pin, "--", "release"]
      let clean = try await package(gate, programs: Shell.programs)
      #expect(clean.status == 0, "\(clean.output)\(clean.errors)")
      #expect((clean.output + clean.errors).contains("✓ clean  "))
      try release.tamper()
      let refused = try await package(gate, programs: Shell.programs)
      // SwiftPM has one status for all failures of a command.
      #expect(refused.status == 1)
      #expect((refused.output + refused.errors).contains("\(UnsignedRelease.tampered): is not what was signed"))
      #expect(try release.found() == release.signedNames)
      #expect(try !folder.listing().contains("pwned"))
    }

    @Test("are the same program but for the word that they add")
    func sources() throws {
      var sign = try Repository.text("Integrations/swiftpm/SignetSign/SignetSign.swift")
      for (word, other) in [
        ("SignetSign", "SignetGate"), ("signet-sign", "signet-gate"), ("signet sign", "signet gate"),
        ("[\"sign\"]", "[\"gate\"]"),
      ] {
        sign = sign.replacingOccurrences(of: word, with: other)
      }
      #expect(try sign == Repository.text("Integrations/swiftpm/SignetGate/SignetGate.swift"))
    }
  }
#endif
