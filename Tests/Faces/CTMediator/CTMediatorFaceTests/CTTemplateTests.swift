import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  /// docs/migrating/ctmediator.md, from an empty folder to a host that calls the module.
  @Suite(
    "From CTMediator", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil && Program.find("make") != nil, "clang or make is missing"))
  struct CTTemplateTests {
    private static let page = "docs/migrating/ctmediator.md"

    @Test(
      "the programs in the page are the ones that are compiled",
      arguments: ["CTMediatorHost/Host", "BusinessCCategory/BusinessC"])
    func program(_ name: String) throws {
      let program = try Repository.text("Fixtures/Host/Sources/\(name).swift")
      #expect(try Repository.text(Self.page).contains("```swift\n\(program)```"))
    }

    @Test(
      "CT1 CT8 CT11 HS6 HS8: a module is created, built, packed, signed and called, and the host runs without it, too"
    )
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await PluginBuilds.run(Walkthrough(Self.page), in: folder)
      #expect(walked.commands == 9)
      func run() async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/CTMediatorHost", [], in: folder.path)
      }
      let present = "BJHL5岁啦\ntouched: BJHL5岁啦\nhello BJHL\nfalse\n"
      let first = try await run()
      #expect(first.output == present, "\(first.errors)")
      #expect(first.status == 0)

      // The archive has nothing that was not built.
      let listed = try Shell.run("python3 -m zipfile -l businessc.zip", in: folder.path)
      let names = listed.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
      #expect(names.filter { !$0.hasSuffix("/") } == ["lib/com_example_businessc.so", "module.json"])

      // The module is refused, once a byte of it has changed, and then it is gone: it is the same program.
      let modules = folder.file("modules/modules/com.example.businessc")
      let release = try #require(FileManager.default.contentsOfDirectory(atPath: modules).first)
      try flip("\(modules)/\(release)/files/lib/com_example_businessc.so") { $0 / 2 }
      let absent = "BusinessC is not here\nno answer\nfalse\n"
      let refused = try await run()
      #expect(refused.output == absent, "\(refused.errors)")
      #expect(refused.status == 0)
      try FileManager.default.removeItem(atPath: folder.file("modules"))
      let missing = try await run()
      #expect(
        missing.output
          == "nobody answers Target_BusinessC Action_getViewControllerC_2:\nBusinessC is not here\n"
          + "nobody answers Target_BusinessC Action_greet:\nno answer\nfalse\n", "\(missing.errors)")
      #expect(missing.status == 0)

      // Neither side is built that imports the other one, or whatever else was not agreed.
      try FileManager.default.removeItem(atPath: folder.file("businessc/module"))
      func make(_ more: String = "") async throws -> Program {
        try await PluginBuilds.make("make -C businessc \(more)", in: folder.path)
      }
      try FileManager.default.createDirectory(
        atPath: folder.file("host/Sources"), withIntermediateDirectories: true)
      try folder.write("host/Sources/main.swift", Array("import BusinesscModule\n".utf8))
      let host = try await make("HOST=../host")
      #expect(host.status == 2)
      #expect(host.errors.contains("../host: imports BusinesscModule, but a host reaches"), "\(host.errors)")
      let source = "businessc/Sources/BusinesscModule/BusinesscPlugin.swift"
      try folder.write(source, Array("import Distributed\n".utf8) + folder.read(source))
      let module = try await make()
      #expect(module.status == 2)
      #expect(module.errors.contains("Sources: imports Distributed, but a module reaches"), "\(module.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.file("businessc/module")))
      let agreed = try await make("IMPORTS='CSignetPlugin PluginKit Distributed'")
      #expect(agreed.status == 0, "\(agreed.errors)")
    }
  }
#endif
