import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct FindingLimitTests {
  private static func finding(_ number: Int, _ level: GateReport.Level, _ text: String = "x") -> GateReport.Finding {
    GateReport.Finding(rule: "rule-\(number)", level: level, path: "file-\(number)", message: text, found: text)
  }

  @Test("what fits is left as it is")
  func fits() {
    let findings = (0..<5).map { Self.finding($0, .warning) }
    #expect(FindingLimit(count: 5, size: 10_000).limited(findings).map(\.rule) == findings.map(\.rule))
  }

  @Test("errors are kept before warnings, in their order, and the last finding counts the others")
  func count() throws {
    let findings = (0..<10).map { Self.finding($0, $0 % 2 == 0 ? .warning : .error) }
    let limited = FindingLimit(count: 8, size: 1 << 20).limited(findings)
    #expect(limited.dropLast().map(\.rule) == [0, 1, 2, 3, 5, 7, 9].map { "rule-\($0)" })
    let last = try #require(limited.last)
    #expect(last.level == .warning && last.path == nil)
    #expect(last.message == "has 3 more findings than a report can hold")
    #expect(last.found == "10 findings" && last.hint != nil)
  }

  @Test("if errors are left out, the last finding is an error, so that the release stays refused")
  func errors() {
    let findings = (0..<10).map { Self.finding($0, .error) }
    let limited = FindingLimit(count: 4, size: 1 << 20).limited(findings)
    #expect(limited.map(\.level) == [.error, .error, .error, .error])
    #expect(limited.last?.message == "has 7 more findings than a report can hold")
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

  @Test("differences beyond the limit are counted, and not listed")
  func differences() throws {
    let workshop = try ReleaseWorkshop()
    for name in ["a", "b", "c"] {
      try workshop.file(name, [1], in: .baseline)
      try workshop.file(name, [1, 2])
    }
    let pairs = ArtifactPairs(try workshop.artifacts(.baseline), try workshop.artifacts(.release)).all
    let all = ReleaseComparison.compare(pairs, baselineName: "last")
    let line = try #require(all.changes.first?.details.first)
    #expect(all.changes.map(\.details) == [[line], [line], [line]])
    let cut = ReleaseComparison.compare(pairs, baselineName: "last", limit: 2 * line.utf8.count)
    #expect(cut.changes.map(\.details) == [[line], [line], ["1 difference, not listed"]])
    #expect(cut.changes.map(\.path) == ["a", "b", "c"])
  }
}
