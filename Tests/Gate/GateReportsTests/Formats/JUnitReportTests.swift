import Foundation
import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct JUnitReportTests {
  private func text(_ report: GateReport) -> String {
    String(decoding: JUnitReport().text(of: report), as: UTF8.self)
  }

  private func report(
    _ paths: [String], _ findings: [GateReport.Finding], failing: GateReport.Level = .error
  ) throws -> GateReport {
    let files = try paths.map { try SampleReport.file($0, .artifact(.init(.refused))) }
    let report = try SampleReport.report(files, findings)
    return GateReport(
      time: report.time, policy: report.policy, version: report.version, files: files, folders: [], rules: [],
      findings: findings,
      comparison: nil, failingLevel: failing)
  }

  @Test("two spellings of an accent are two files, and each has its own failure")
  func normalization() throws {
    let finding = GateReport.Finding(rule: "r", level: .error, path: "e\u{301}", message: "is odd")
    let text = text(try report(["e\u{301}", "\u{e9}"], [finding]))
    let parts = text.components(separatedBy: "<testcase ").dropFirst(2)
    #expect(parts.first?.contains("<failure ") == true)
    #expect(parts.last?.contains("<failure ") == false)
  }

  @Test("a newline in a name and its escape are two cases: GitLab drops the second of two with one name")
  func names() throws {
    let text = text(try report(["a\nb", #"a\u{a}b"#], []))
    #expect(text.contains(#"name="a\u{a}b" "#) && text.contains(#"name="a\u{5c}u{a}b" "#))
  }

  @Test("a warning fails the case if warnings refuse the release", arguments: GateReport.Level.allCases)
  func level(failing: GateReport.Level) throws {
    let finding = GateReport.Finding(rule: "r", level: .warning, path: "a", message: "is odd")
    let text = text(try report(["a"], [finding], failing: failing))
    #expect(text.contains("<failure ") == (failing == .warning))
    #expect(
      text.contains("<system-out>not verified, which the policy allows\nwarning, r: a: is odd</system-out>")
        == (failing == .error))
  }

  @Test("a case has one failure with every finding in it")
  func several() throws {
    let findings = ["is odd", "is old"].map {
      GateReport.Finding(rule: "r", level: .error, path: "a", place: "line 3", message: $0, hint: "mend it")
    }
    let expected = """
            <failure type="r" message="line 3: is odd (and 1 more)">error, r: a: line 3: is odd
        hint: mend it
      error, r: a: line 3: is old
        hint: mend it</failure>

      """
    #expect(text(try report(["a"], findings)).contains(expected))
  }

  @Test("a case of another file's finding says which, and that of the release what is about the release")
  func subjects() throws {
    let findings = ["link", nil].map { GateReport.Finding(rule: "r", level: .error, path: $0, message: "is odd") }
    let text = text(try report(["release"], findings))
    let lines = ["link: is odd (and 1 more)", "error, r: link: is odd", "error, r: the release: is odd"]
    for line in lines { #expect(text.contains(line), "\(line)") }
    let bundle = try SampleReport.file("a.sigstore.json", .bundle(of: "a"))
    let finding = GateReport.Finding(rule: "r", level: .error, path: "a.sigstore.json", message: "is odd")
    let files = [try SampleReport.file("a", HTMLExamples.signed(.file, by: [])), bundle]
    let other = self.text(try SampleReport.report(files, [finding]))
    #expect(other.contains(#"name="a" time="0">\#n      <failure type="r" message="a.sigstore.json: is odd">"#))
    // The bundle of a bundle is of no artifact, so it is in the case of the release.
    let orphan = try SampleReport.file("a.sigstore.json.sigstore.json", .bundle(of: "a.sigstore.json"))
    let about = GateReport.Finding(rule: "r", level: .error, path: orphan.path, message: "is odd")
    let third = self.text(try SampleReport.report(files + [orphan], [about]))
    #expect(
      third.contains(#"name="a" time="0"/>"#) && third.contains(#"message="a.sigstore.json.sigstore.json: is odd">"#))
  }

  @Test("XML's own characters are escaped in attributes and texts")
  func escapes() throws {
    let finding = GateReport.Finding(rule: "r", level: .error, path: "a", message: "<&>\"']]>\n\0")
    let text = text(try report(["a"], [finding]))
    #expect(text.contains(#"message="&lt;&amp;&gt;&quot;&apos;]]&gt;\u{a}\u{0}">"#))
  }
}
