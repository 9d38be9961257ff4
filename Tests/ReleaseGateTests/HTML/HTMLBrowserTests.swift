import ReleaseGate
import TestSupport
import Testing

@Suite struct HTMLBrowserTests {
  private static let chromium = ["chromium", "chromium-browser", "google-chrome"].compactMap(Program.find).first

  @Test(
    "a browser runs no text, loads nothing, and shows the page well on every screen and on paper", .slow,
    .enabled(if: chromium != nil && Program.find("python3") != nil, "needs chromium and python3"))
  func browser() throws {
    let folder = try TemporaryFolder()
    let pages = try HTMLExamples.all.map { try folder.write("\($0.name).html", HTMLReport().text(of: $0.report)) }
    let run = try Program.run(Repository.root + "/Tests/ReleaseGateTests/browser", pages)
    #expect(run.output == "")
    #expect(run.status == 0, "\(run.errors)")
  }
}
