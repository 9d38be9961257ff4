import Foundation
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport

#if os(Linux)
  /// docs/migrating/pacore.md, from an empty folder to a host that shows the module's page.
  @Suite(
    "From PACore and PARuntime", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil && Program.find("make") != nil, "clang or make is missing"))
  struct PATemplateTests {
    private static let page = "docs/migrating/pacore.md"

    @Test("the host's program in the page is the one that is compiled")
    func program() throws {
      let program = try Repository.text("Fixtures/Host/Sources/PACoreHost/Host.swift")
      #expect(try Repository.text(Self.page).contains(".swift\n\(program)```"))
    }

    @Test(
      "PA14: a plugin is created, built, packed, signed and published, and a host gets it from the store and opens it"
    )
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await PluginBuilds.run(Walkthrough(Self.page), in: folder)
      #expect(walked.commands == 11)
      #expect(
        walked.shown == ["wechat/Sources/WechatModule/WechatPlugin.swift", "shop/Sources/Host/Host.swift"])
      let archive = try folder.read("site/wechat.zip")
      let server = try RawServer { request in
        request.line.hasPrefix("GET /wechat.zip ")
          ? [.file(archive.count), .send(archive)] : [.head("404 Not Found")]
      }
      func run() async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/PACoreHost", [], in: folder.path)
      }
      // The list as it is: nothing is at that address.
      let list = String(decoding: try folder.read("site/store.json"), as: UTF8.self)
      let moved = list.replacing("https://modules.example.com/wechat.zip", with: server.url("/wechat.zip"))
      try #require(moved != list)
      // A list that was changed on the way is ignored.
      try folder.write("site/store.json", Array(moved.utf8))
      let changed = try await run()
      #expect(changed.status != 0)
      #expect(changed.errors.contains("digest.mismatch"), "\(changed.errors)")
      #expect(server.requests.isEmpty)
      let signed = try Shell.run("signet sign site/store.json --key publisher --force", in: folder.path)
      try #require(signed.status == 0, "\(signed.errors)")
      let first = try await run()
      #expect(
        first.output == "installed com.example.wechat\nwechat is loaded\nwechat shows its first page\n",
        "\(first.errors)")
      #expect(first.status == 0)
      #expect(server.requests.count == 1)
      // The next start has it without a network.
      let second = try await run()
      #expect(second.output == "wechat is loaded\nwechat shows its first page\n", "\(second.errors)")
      #expect(server.requests.count == 1)
    }
  }
#endif
