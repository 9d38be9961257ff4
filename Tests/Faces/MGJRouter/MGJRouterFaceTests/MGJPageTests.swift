import Foundation
import MGJRouterFace
import PluginKit
import TestSupport
import Testing

@testable import HostTestSupport

/// A view controller, as far as the page needs one.
@MainActor private final class ViewController {
  var pages: [String] = []
  var isHighlighted = false
  func push(_ page: String) { pages.append(page) }
}

@MainActor private func showBeauty(_ router: MGJRouter, in list: ViewController) throws -> PluginError? {
  try router.registerURLPatternOnMain("mgj://beauty/:id") { routerParameters in
    let list = routerParameters.userInfo?["currentVC"] as? ViewController
    list?.push("beauty \(routerParameters["id"] ?? "")")
    routerParameters.completion?(list)
  }
  return router.openURLOnMain("mgj://beauty/13", withUserInfo: ["currentVC": list]) { result in
    (result as? ViewController)?.isHighlighted = true
  }
}

@Suite("The page for those who come from MGJRouter") struct MGJPageTests {
  private static let page = "docs/migrating/mgjrouter.md"

  @Test("the page's code is code that is compiled and run")
  func code() throws {
    let here = try Repository.text("Tests/Faces/MGJRouter/MGJRouterFaceTests/MGJPageTests.swift")
    let host = try Repository.text("Fixtures/Host/Sources/MGJRouterHost/Host.swift")
    let blocks = try Walkthrough(Self.page).blocks.filter { $0.language == "swift" && $0.path == nil }
    #expect(blocks.count == 2)
    for block in blocks {
      let text = block.lines.joined(separator: "\n") + "\n"
      #expect(host == text || here.contains(text.replacing("@MainActor func", with: "@MainActor private func")))
    }
  }

  @Test("the code for the main actor does what the page says")
  @MainActor func mainActor() throws {
    let list = ViewController()
    #expect(try showBeauty(MGJRouter(Switchboard()), in: list) == nil)
    #expect(list.pages == ["beauty 13"] && list.isHighlighted)
  }

  #if os(Linux)
    @Test(
      "G1 G6: the page's plugin is built, signed and installed, and the host reaches it; changed by a byte, it is refused",
      .slow, .timeLimit(.minutes(60)),
      .enabled(if: ModuleWorkshop.compiler != nil && Program.find("make") != nil, "clang or make is missing"))
    func whole() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walkthrough = try Walkthrough(Self.page)
      let walked = try await PluginBuilds.run(walkthrough, in: folder)
      #expect(walked.commands == 10)
      let outputs = walkthrough.blocks.filter { $0.language == "text" }.map {
        $0.lines.joined(separator: "\n") + "\n"
      }
      try #require(outputs.count == 2)
      func run() async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/MGJRouterHost", [], in: folder.path)
      }
      let first = try await run()
      #expect(first.output == outputs[0] && first.status == 0, "\(first.output)\(first.errors)")
      let library = try #require(
        FileManager.default.enumerator(atPath: folder.file("modules"))?.compactMap { $0 as? String }
          .first { $0.hasSuffix(".so") })
      try flip(folder.file("modules/\(library)")) { $0 / 2 }
      let second = try await run()
      let parts = outputs[1].components(separatedBy: "…")
      #expect(second.output.hasPrefix(parts[0]) && second.output.hasSuffix(parts[1]), "\(second.output)")
      #expect(second.output.contains("store.damaged") && second.status == 0, "\(second.output)\(second.errors)")
    }
  #endif
}
