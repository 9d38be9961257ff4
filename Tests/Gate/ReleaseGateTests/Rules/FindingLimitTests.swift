import SignetBase
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
