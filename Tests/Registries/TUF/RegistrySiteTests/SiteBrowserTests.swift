import Foundation
import TestSupport
import Testing

@testable import RegistrySite
@testable import RegistryTestSupport

@Suite struct SiteBrowserTests {
  private static let chromium = ["chromium", "chromium-browser", "google-chrome"].compactMap(Program.find).first

  @Test(
    "a browser finds a module, clicks through the site, runs no text, and shows every page well on every screen",
    .slow,
    .enabled(if: chromium != nil && Program.find("python3") != nil, "needs chromium and python3"))
  func browser() throws {
    let fixture = try SiteFixture()
    try fixture.write(url: "https://modules.example.com/registry")
    let run = try Program.run(
      Repository.root + "/Tests/Registries/TUF/RegistrySiteTests/browser",
      [fixture.path, "com.example.player", "example"])
    #expect(run.output == "")
    #expect(run.status == 0, "\(run.errors)")
  }
}
