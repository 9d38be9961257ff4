import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  @Suite(
    "the samples", .slow, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct SampleTests {
    @Test("every command of Fixtures/README.md runs where all is built, and its output is the one shown")
    func commands() async throws {
      let host = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      // What a checkout has when Fixtures/build has ended.
      try FileManager.default.createDirectory(
        atPath: folder.file(".build-fixtures/debug"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: folder.file(".build"), withIntermediateDirectories: true)
      for (name, target) in [
        ("Fixtures", Repository.root + "/Fixtures"), (".build/debug", host.products),
        (".build-fixtures/debug/modules", host.modules),
      ] {
        try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
      }
      let walked = try await Walkthrough("Fixtures/README.md").run(in: folder)
      #expect(walked.commands == 11)
    }

    @Test("the README's package finds Signet in the folder beside it, and the product that it names")
    func package() async throws {
      let folder = try TemporaryFolder()
      let text = try Repository.text("README.md")
      let blocks = text.components(separatedBy: "```swift\n// swift-tools-version")
      try #require(blocks.count == 2)
      let package = try #require(blocks[1].components(separatedBy: "```").first)
      try FileManager.default.createDirectory(
        atPath: folder.file("check/Sources/Check"), withIntermediateDirectories: true)
      try folder.write("check/Package.swift", Array("// swift-tools-version\(package)".utf8))
      try folder.write("check/Sources/Check/main.swift", [])
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("signet"), withDestinationPath: Repository.root)
      // It finds the commands of a package only after it has found all products.
      let result = try await Shell.runAside(
        "swift package --disable-dependency-cache plugin --list", in: folder.file("check"),
        variables: FixtureBuilds.localGit)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect(result.output.contains("signet-gate"))
    }
  }
#endif
