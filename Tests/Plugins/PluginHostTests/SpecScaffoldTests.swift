import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite(
    "A new module with a spec", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: Program.find("make") != nil, "make is missing"))
  struct SpecScaffoldTests {
    @Test(
      "PO3: the tree of a module in Swift builds, its tests pass, and they fail when a page is not what was recorded")
    func swift() async throws {
      let folder = try TemporaryFolder()
      func run(_ command: String) async throws -> Program { try await PluginBuilds.make(command, in: folder.path) }
      let begun = try await run(
        "signet spec init player --tests swift-testing --view-tests --prefix AB --signet '\(Repository.root)' < /dev/null"
      )
      try #require(begun.status == 0, "\(begun.errors)")
      for target in ["", "test"] {
        let made = try await run("make -C player \(target)")
        #expect(made.status == 0, "\(target): \(made.output)\(made.errors)")
      }
      let packed = try await run("signet pack player/module --out player.zip")
      #expect(packed.status == 0, "\(packed.errors)")
      #expect(packed.output.contains("com.example.player"))

      let changed = try await run(
        "sed -i 's/player is here/player was here/' player/Sources/ABPlayerModule/ABPlayerPlugin.swift && make -C player test"
      )
      #expect(changed.status == 2)
      #expect(changed.output.contains("a page is as it was recorded"), "\(changed.output)\(changed.errors)")
      let recorded = try await run(
        "RECORD_VIEWS=1 make -C player test && cat player/Tests/ABPlayerModuleTests/Views/*")
      #expect(recorded.status == 0, "\(recorded.output)\(recorded.errors)")
      #expect(recorded.output.hasSuffix("player was here\nplayer shows 7\n"), "\(recorded.output)")
    }
  }
#endif
