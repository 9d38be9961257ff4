import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  /// docs/migrating/hslink.md, from an empty folder to a host that asks the component.
  @Suite(
    "From HSLinkClass", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil && Program.find("make") != nil, "clang or make is missing"))
  struct HSTemplateTests {
    private static let page = "docs/migrating/hslink.md"

    @Test("the host's program in the page is the one that is compiled")
    func program() throws {
      let program = try Repository.text("Fixtures/Host/Sources/HSLinkHost/Host.swift")
      #expect(try Repository.text(Self.page).contains("```swift\n\(program)```"))
    }

    @Test(
      "HS4 HS5 HS7 HS8: a host asks a component, runs without it, and gets its changed resources with the next package"
    )
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await PluginBuilds.run(Walkthrough(Self.page), in: folder)
      #expect(walked.commands == 11)
      func run() async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/HSLinkHost", [], in: folder.path)
      }
      let present = "videos\nHeidi from second 90, loops: true\n1.0\n"
      let first = try await run()
      #expect(first.output == present, "\(first.errors)")
      #expect(first.status == 0)

      // The same program: one byte of the component changes, its library is deleted, and then all of it.
      let modules = folder.file("modules/modules/com.example.hsvideo")
      let release = try #require(FileManager.default.contentsOfDirectory(atPath: modules).first)
      let library = "\(modules)/\(release)/files/lib/com_example_hsvideo.so"
      let changes: [() throws -> Void] = [
        { try flip(library) { $0 / 2 } }, { try FileManager.default.removeItem(atPath: library) },
        { try FileManager.default.removeItem(atPath: folder.file("modules")) },
      ]
      for change in changes {
        try change()
        let absent = try await run()
        #expect(absent.output == "视频分类模块未加载\n", "\(absent.errors)")
        #expect(absent.status == 0)
      }

      // Nobody copies a resource by hand: what changes is in the next package, and what is removed is not.
      func contents() throws -> [String: String] {
        let read = try Shell.run(
          "python3 -c 'import json, zipfile; z = zipfile.ZipFile(\"hsvideo.zip\"); print(json.dumps({n: z.read(n).hex() for n in z.namelist() if not n.endswith(\"/\")}))'",
          in: folder.path)
        return try JSONDecoder().decode([String: String].self, from: Data(read.output.utf8))
      }
      func hex(_ text: String) -> String { text.utf8.map { String(format: "%02x", $0) }.joined() }
      #expect(try contents()["resources/play.svg"] == hex("<svg/>\n"))
      #expect(try contents().keys.sorted() == ["lib/com_example_hsvideo.so", "module.json", "resources/play.svg"])
      try folder.write("hsvideo/resources/play.svg", Array("<svg>new</svg>\n".utf8))
      try folder.write("hsvideo/resources/stop.svg", Array("<svg>stop</svg>\n".utf8))
      for command in ["make -C hsvideo", "signet pack hsvideo/module --out hsvideo.zip --force"] {
        let result = try await PluginBuilds.make(command, in: folder.path)
        try #require(result.status == 0, "\(command): \(result.output)\(result.errors)")
      }
      #expect(try contents()["resources/play.svg"] == hex("<svg>new</svg>\n"))
      #expect(try contents()["resources/stop.svg"] == hex("<svg>stop</svg>\n"))
      #expect(try contents().keys.allSatisfy { !$0.hasSuffix(".swift") })
    }
  }
#endif
