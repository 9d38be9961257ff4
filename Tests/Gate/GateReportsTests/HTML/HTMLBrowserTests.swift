import Foundation
import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct HTMLBrowserTests {
  private static let chromium = ["chromium", "chromium-browser", "google-chrome"].compactMap(Program.find).first

  @Test(
    "a browser runs no text, loads nothing, and shows the page well on every screen and on paper", .slow,
    .enabled(if: chromium != nil && Program.find("python3") != nil, "needs chromium and python3"))
  func browser() throws {
    let folder = try TemporaryFolder()
    let examples = HTMLExamples.all + [HTMLExamples.Example(name: "real", report: try Self.realReport())]
    let pages = try examples.map { example in
      try folder.write("\(example.name).html", HTMLReport().text(of: example.report)) + ":"
        + Self.parts(of: example.report).joined(separator: ",")
    }
    let run = try Program.run(Repository.root + "/Tests/Gate/GateReportsTests/browser", pages)
    #expect(run.output == "")
    #expect(run.status == 0, "\(run.errors)")
  }

  /// What the page of a report must have.
  private static func parts(of report: GateReport) -> [String] {
    let artifacts = Set(report.artifacts.map { Array($0.file.path.utf8) })
    func isArtifact(_ path: String?) -> Bool { path.map { artifacts.contains(Array($0.utf8)) } ?? false }
    let changes = report.comparison?.changes ?? []
    return [
      report.findings.isEmpty ? nil : "findings",
      report.artifacts.contains { $0.deciding != nil } ? "badges" : nil,
      report.findings.contains { isArtifact($0.path) } ? "subjects" : nil,
      changes.contains { $0.kind != .removed && isArtifact($0.path) } ? "changes" : nil,
    ].compactMap(\.self)
  }

  /// The report of a real gate about a release of nothing but hostile names, in which every third is not signed.
  private static func realReport() throws -> GateReport {
    let last = try ReleaseFolder("last")
    let release = try ReleaseFolder(in: last.folder, signer: last.signer)
    // A file has no NUL in its name, and a name has 255 bytes at most.
    let names = HTMLExamples.hostileTexts.filter { name in
      !name.utf8.contains(0) && name.utf8.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count < 200 }
    }
    for (number, name) in names.enumerated() {
      try last.add(name, "old \(name)")
      if number % 3 == 0 { try release.write(name, "new") } else { try release.add(name, name) }
    }
    try release.write("a\u{1b}[31m/.env", "A=1")
    try release.sign("a\u{1b}[31m/.env")
    try release.link("<i>latest</i>", to: "../" + names[0])
    var options = Gate.Options()
    options.baseline = last.path
    let report = try release.check(exclude: ["漢字"], options)
    #expect(report.artifacts.count == names.count)
    #expect(
      report.findings.contains { $0.rule == "link" } && report.findings.contains { $0.code == "signature.missing" })
    return report
  }
}
