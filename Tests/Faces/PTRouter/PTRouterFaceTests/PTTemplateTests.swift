import Foundation
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PTTestSupport

#if os(Linux)
  /// docs/migrating/ptrouter.md, from an empty folder to a host that starts by launch files.
  @Suite(
    "From PTRouter", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil && Program.find("make") != nil, "clang or make is missing"))
  struct PTTemplateTests {
    private static let page = "docs/migrating/ptrouter.md"

    @Test("the host's program in the page of PTRouter is the one that is compiled")
    func program() throws {
      let program = try Repository.text("Fixtures/Host/Sources/PTRouterHost/Host.swift")
      #expect(try Repository.text(Self.page).contains("```swift\n\(program)```"))
    }

    @Test(
      "PT6 PT7 PT8 PT11 PT12: a plugin is created and built, files are signed, and a host starts by them and opens URLs"
    )
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await PluginBuilds.run(Walkthrough(Self.page), in: folder)
      #expect(walked.commands == 10)
      func run(_ arguments: [String]) async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/PTRouterHost", arguments, in: folder.path)
      }
      let first = try await run([
        "hero.zip", "InnerJump://strategy/hero?heroID=9527", "InnerJump://strategy/hero", "tourelle://strategy/hero",
        "InnerJump://setting/browse?userID=007", "InnerJump://setting/browse?userID=8", "wx1234567://oauth?code=1",
      ])
      #expect(
        first.output == """
          share: 5ae2e01a
          hero: the host has started
          user: testUserID
          InnerJump://strategy/hero?heroID=9527: true
          InnerJump://strategy/hero: route.parameters
          tourelle://strategy/hero: route.not-found
          InnerJump://setting/browse?userID=007: true
          InnerJump://setting/browse?userID=8: false
          wx1234567://oauth?code=1: true
          shown: ["home", "hero 9527"]

          """, "\(first.errors)")
      #expect(first.status == 0)
      // A file that was changed on the way is refused, and nothing is done.
      let list = String(decoding: try folder.read("launch/AutoInitialize.plist"), as: UTF8.self)
      try folder.write(
        "launch/AutoInitialize.plist", Array(list.replacing("ShareConfigurator", with: "HeroViewController").utf8))
      let changed = try await run([])
      #expect(changed.status != 0)
      #expect(changed.errors.contains("launch.file: AutoInitialize.plist"), "\(changed.errors)")
      #expect(changed.errors.contains("digest.mismatch"), "\(changed.errors)")
    }
  }
#endif
