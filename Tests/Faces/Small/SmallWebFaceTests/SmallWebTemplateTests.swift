import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  /// docs/migrating/small-web.md, from an empty folder to a host that shows the module's page.
  @Suite("From Small's web bundles", .slow, .serialized, .timeLimit(.minutes(60)))
  struct SmallWebTemplateTests {
    private static let page = "docs/migrating/small-web.md"

    @Test("the host's program in the page is the one that is compiled")
    func program() throws {
      let program = try Repository.text("Fixtures/Host/Sources/SmallWebHost/Host.swift")
      #expect(try Repository.text(Self.page).contains("```swift\n\(program)```"))
    }

    @Test("a web module and a manifest are written, packed and signed; a host shows the page and answers its call")
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await Walkthrough(Self.page).run(in: folder)
      #expect(walked.commands == 8)
      let run = try await FixtureBuilds.run("\(fixture.products)/SmallWebHost", [], in: folder.path)
      // First the page is loaded in advance, and then the one with the query.
      #expect(
        run.output == """
          https://com.example.about.invalid/index.html is index.html, text/html; charset=utf-8
          https://com.example.about.invalid/index.html?x=1 is index.html, text/html; charset=utf-8
          About us has ["action"]
          the page runs rightBar()
          {"greeting":"Hello, Ada"}

          """, "\(run.errors)")
      #expect(run.status == 0)
    }
  }
#endif
