import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  /// docs/migrating/small.md, from an empty folder to a host that opens the module's pages.
  @Suite(
    "From Small", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil && Program.find("make") != nil, "clang or make is missing"))
  struct SmallTemplateTests {
    private static let page = "docs/migrating/small.md"

    @Test("the host's program in the page is the one that is compiled")
    func program() throws {
      let program = try Repository.text("Fixtures/Host/Sources/SmallHost/Host.swift")
      #expect(try Repository.text(Self.page).contains("```swift\n\(program)```"))
    }

    @Test("a plugin and a manifest are created, built, packed and signed, and a host opens their URIs")
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await PluginBuilds.run(Walkthrough(Self.page), in: folder)
      #expect(walked.commands == 11)
      func run(_ uris: String...) async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/SmallHost", uris, in: folder.path)
      }
      let first = try await run(
        "detail?from=home&isAdmin=1", "detail.html", "detail/sub", "detail/other", "small://share?text=hi",
        "small://nope",
        "https://m.example.com/demo/detail")
      #expect(
        first.output == """
          http://m.example.com/demo/detail 1.0.0
          shows the detail, from home
          shows the detail, from nowhere
          shows a page below
          shows the web page http://m.example.com/demo/detail/other
          host shares hi
          route.not-found
          route.not-found

          """, "\(first.errors)")
      #expect(first.status == 0)
      // A manifest that was changed is not used.
      var manifest = String(decoding: try folder.read("app/bundle.json"), as: UTF8.self)
      manifest.replace("\"Sub\"", with: "\"Bus\"")
      try folder.write("app/bundle.json", Array(manifest.utf8))
      let changed = try await run("detail")
      #expect(changed.status != 0 && !changed.output.contains("shows"))
      #expect(changed.errors.contains("digest.mismatch"), "\(changed.errors)")
    }
  }
#endif
