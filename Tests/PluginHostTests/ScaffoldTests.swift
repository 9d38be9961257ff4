import Foundation
import SignetCrypto
import TestSupport
import Testing

@testable import PluginHost

#if os(Linux)
  @Suite(
    "A new plugin", .serialized, .timeLimit(.minutes(60)),
    .enabled(if: Program.find("clang") != nil && Program.find("make") != nil, "clang or make is missing"))
  struct ScaffoldTests {
    /// Begins a plugin, builds it as its README says, and packs it.
    private func archive(
      _ name: String, _ language: String, in folder: TemporaryFolder, _ variables: [String] = []
    ) async throws -> String {
      let make = try #require(Program.find("make"))
      for command in [
        [FixtureHost.signet, "new", "module", name, "--language", language, "--signet", Repository.root],
        [make, "-C", name] + variables,
        [FixtureHost.signet, "pack", "\(name)/module", "--out", "\(name).zip"],
      ] {
        let result = try await FixtureBuilds.run(
          command[0], Array(command.dropFirst()), in: folder.path, environment: FixtureBuilds.localGit)
        try #require(result.status == 0, "\(command): \(result.output)\(result.errors)")
        #expect(!result.output.contains("unwise"))
      }
      return folder.file("\(name).zip")
    }

    @Test("PA14 SM35: one in C is built, packed, signed, installed and loaded, and its pages open")
    func c() async throws {
      let workshop = try ModuleWorkshop()
      let path = try await archive("lamp", "c", in: workshop.folder)
      try workshop.write(workshop.sign(path), beside: path)
      let host = try workshop.host()
      try host.load(host.install(path).module)
      #expect(try host.open("ui://lamp") as? String == "lamp is here")
      #expect(try host.open("ui://lamp/7") as? String == "lamp shows 7")
    }

    @Test(
      "PA14 SM35: one in Swift is built, packed, signed, installed and loaded by a host of its own, and its pages open"
    )
    func swift() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      try await fixture.prepare(in: folder)
      let path = try await archive(
        "lantern", "swift", in: folder,
        ["CONFIGURATION=debug", "SWIFT_BUILD_FLAGS=--disable-dependency-cache --disable-index-store"])
      let signed = try await FixtureBuilds.run(
        FixtureHost.signet, ["sign", path, "--key", "publisher", "--attach"], in: folder.path)
      try #require(signed.status == 0, "\(signed.errors)")
      let first = try await fixture.run(["install lantern.zip"], in: folder)
      #expect(first.output == "> install lantern.zip\ninstalled com.example.lantern, sequence 1\n")
      let later = try await fixture.run(["open ui://lantern", "open ui://lantern/7"], in: folder)
      #expect(
        later.output == """
          loaded com.example.lantern 1.0.0
          > open ui://lantern
          lantern is here
          > open ui://lantern/7
          lantern shows 7

          """)
      #expect(later.status == 0)
    }
  }
#endif
