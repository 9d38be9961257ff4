import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  /// docs/migrating/jlroutes.md, from an empty folder to a host that routes URLs to the module.
  @Suite(
    "From JLRoutes", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil && Program.find("make") != nil, "clang or make is missing"))
  struct JLTemplateTests {
    private static let page = "docs/migrating/jlroutes.md"

    @Test("the program in the page is the one that is compiled")
    func program() throws {
      let program = try Repository.text("Fixtures/Host/Sources/JLRoutesHost/Host.swift")
      #expect(try Repository.text(Self.page).contains("```swift\n\(program)```"))
    }

    @Test("JL1 JL4 JL7 JL8: a module is created, built, packed, signed and routed to; the host runs without it, too")
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await PluginBuilds.run(Walkthrough(Self.page), in: folder)
      #expect(walked.commands == 9)
      func run() async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/JLRoutesHost", [], in: folder.path)
      }
      let first = try await run()
      #expect(
        first.output == """
          touched: BJHL5岁啦
          profile of joel levin
          posts of joeldev
          search: ["shoes", "red"]
          about this app
          false

          """, "\(first.errors)")
      #expect(first.status == 0)

      // The archive has nothing that was not built.
      let listed = try Shell.run("python3 -m zipfile -l user.zip", in: folder.path)
      let names = listed.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
      #expect(names.filter { !$0.hasSuffix("/") } == ["lib/com_example_user.so", "module.json"])

      // The module is refused, once a byte of it has changed: its URLs are then nobody's, and its scheme stays its own.
      let modules = folder.file("modules/modules/com.example.user")
      let release = try #require(FileManager.default.contentsOfDirectory(atPath: modules).first)
      try flip("\(modules)/\(release)/files/lib/com_example_user.so") { $0 / 2 }
      let refused = try await run()
      let code = "route.module-refused\n"
      #expect(
        refused.output == code + code + code + code + "nobody handles shop://about\nfalse\n", "\(refused.errors)")
      #expect(refused.status == 0)

      // Then it is gone, and it is the same program.
      try FileManager.default.removeItem(atPath: folder.file("modules"))
      let missing = try await run()
      #expect(
        missing.output == """
          nobody handles myapp://c2/BJHL?age=5
          nobody handles myapp://user/view/joel%20levin
          nobody handles https://www.example.com/user/view/joeldev/posts
          nobody handles shop://search/shoes/red
          about this app
          false

          """, "\(missing.errors)")
      #expect(missing.status == 0)
    }
  }
#endif
