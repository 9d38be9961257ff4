import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite("A package that depends on Signet", .slow, .timeLimit(.minutes(60)))
  struct DependencyTests {
    @Test("gets by a repository and a tag, as the README writes it, no other package")
    func alone() async throws {
      let folder = try TemporaryFolder()
      let signet = folder.path + "/signet"
      // The package manager reads the manifest alone before it builds. It has tests and plugins where these folders are.
      for place in ["signet/Tests", "signet/Integrations/swiftpm", "check"] {
        try FileManager.default.createDirectory(atPath: folder.file(place), withIntermediateDirectories: true)
        try folder.write(place + "/.keep", [])
      }
      try folder.write("signet/Package.swift", Array(try Repository.text("Package.swift").utf8))
      let git = try #require(Program.find("git"))
      for arguments in [
        ["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "-m", "Begin"], ["tag", "0.1.0"],
        ["clone", "--quiet", "--bare", signet, folder.path + "/bare/signet.git"],
      ] {
        let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        let ended = try Program.run(git, author + arguments, in: signet, environment: FixtureBuilds.localGit)
        try #require(ended.status == 0, "\(arguments): \(ended.errors)")
      }

      let manifest = try #require(
        try Repository.text("README.md").components(separatedBy: "```swift\n").map {
          $0.components(separatedBy: "```")[0]
        }.first { $0.hasPrefix("// swift-tools-version") })
      let here = #".package(name: "signet", path: "../signet", traits: [])"#
      let there = #".package(url: "file://\#(folder.path)/bare/signet.git", exact: "0.1.0", traits: [])"#
      #expect(manifest.contains(here))
      #expect(try Repository.text("README.md").contains(#".package(url: ADDRESS, exact: "0.1.0", traits: [])"#))
      try folder.write("check/Package.swift", Array(manifest.replacingOccurrences(of: here, with: there).utf8))
      let swift = try #require(Program.find("swift"))
      let resolved = try await FixtureBuilds.run(
        swift, ["package", "--cache-path", folder.path + "/cache", "resolve"], in: folder.path + "/check",
        environment: FixtureBuilds.localGit)
      #expect(resolved.status == 0, "\(resolved.output)\(resolved.errors)")
      let pins = try #require(
        try JSONSerialization.jsonObject(with: Data(folder.read("check/Package.resolved"))) as? [String: Any])
      let names = (pins["pins"] as? [[String: Any]])?.compactMap { $0["identity"] as? String }
      #expect(names == ["signet"])
    }
  }
#endif
