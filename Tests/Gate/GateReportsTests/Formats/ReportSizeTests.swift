import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct ReportSizeTests {
  private static func finding(_ number: Int, _ level: GateReport.Level, _ text: String = "x") -> GateReport.Finding {
    GateReport.Finding(rule: "rule-\(number)", level: level, path: "file-\(number)", message: text, found: text)
  }

  @Test("texts that JSON makes longer count as it writes them")
  func size() throws {
    let findings = (0..<100).map { Self.finding($0, .error, String(repeating: "\u{1}\"\\", count: 500)) }
    let limit = FindingLimit(count: 1000, size: 100_000)
    let limited = limit.limited(findings)
    #expect(limited.count > 3 && limited.count < 20)
    let report = try JSONReport().text(of: SampleReport.report([], limited))
    #expect(report.count < limit.size + 5_000)
  }

  @Test("the state of an artifact is that of all findings, also of those that are left out")
  func states() throws {
    let count = FindingLimit().count
    let files = try ["early", "late"].map { try SampleReport.file($0, HTMLExamples.signed(.file, by: [])) }
    let findings = [GateReport.Finding](
      repeating: GateReport.Finding(rule: "r", level: .error, path: "early", message: "is odd"), count: count)
    let last = GateReport.Finding(rule: "r", level: .error, path: "late", message: "is worse")
    let report = try SampleReport.report(files, findings + [last])
    #expect(report.findings.count == count)
    #expect(report.findings.last?.message == "has 2 more findings than a report can hold")
    #expect(report.artifacts.map(\.state) == [.refused, .refused])
    #expect(!report.isClean)
    // JUnit has a failure for the artifact whose findings have no room.
    let text = String(decoding: JUnitReport().text(of: report), as: UTF8.self)
    #expect(text.contains(#"<failure type="r" message="is worse">"#))
  }

  @Test("a JSON report that could not be read again is not written")
  func reportSize() throws {
    let report = try SampleReport.clean.report()
    let size = try JSONReport().text(of: report).count
    #expect(try JSONReport(limits: JSONLimits(size: size, depth: 16, values: 100)).text(of: report).count == size)
    let error = expectError(.gateReportSize) {
      _ = try JSONReport(limits: JSONLimits(size: size - 1, depth: 16, values: 100)).text(of: report)
    }
    #expect(error?.object == "report")
    // The values are counted as the reader counts them.
    let limits = (1...100).map { JSONLimits(size: size, depth: 16, values: $0) }
    let text = try JSONReport().text(of: report)
    for limit in limits {
      let isRead = (try? JSONReader.read(text, limits: limit)) != nil
      #expect(((try? JSONReport(limits: limit).text(of: report)) != nil) == isRead, "\(limit.values)")
    }
  }
}
