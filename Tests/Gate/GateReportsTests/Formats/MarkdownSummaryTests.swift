import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct MarkdownSummaryTests {
  private func summary(_ report: GateReport, limit: Int) -> String {
    String(decoding: MarkdownSummary(sizeLimit: limit).text(of: report), as: UTF8.self)
  }

  @Test("a summary that is too long loses the last rows of its tables, and says how many")
  func cut() throws {
    let report = try SampleReport.hostile.report()
    let whole = summary(report, limit: .max)
    #expect(!whole.contains("left out") && whole.utf8.count < MarkdownSummary.sizeLimit)
    for limit in stride(from: 3000, to: whole.utf8.count, by: 97) {
      let cut = summary(report, limit: limit)
      #expect(cut.utf8.count <= limit)
      #expect(cut.contains(" left out, because GitHub takes 1 MiB at most.\n"))
      // Each line that is left stands in the whole, too, or says what is not.
      let lines = Set(whole.split(separator: "\n"))
      #expect(cut.split(separator: "\n").allSatisfy { lines.contains($0) || $0.contains(" left out, because") })
      #expect(cut.hasSuffix("\n"))
    }
    #expect(summary(report, limit: whole.utf8.count + 500) == whole)
  }

  @Test("of findings that do not fit the errors stay")
  func gravest() throws {
    let findings = ["a", "b", "c"].map { path in
      GateReport.Finding(rule: "r", level: path == "c" ? .error : .warning, path: path, message: "is odd")
    }
    let report = try SampleReport.report([], findings)
    let whole = summary(report, limit: .max)
    let cut = summary(report, limit: whole.utf8.count + 40)
    #expect(cut.contains("| error | `r` | `c` | `is odd` |\n"))
    #expect(cut.contains("| warning | `r` | `a` | `is odd` |\n\n1 of 3 findings is left out, because"))
  }

  @Test("a limit of almost nothing leaves the verdict, and traps nowhere")
  func nothing() throws {
    #expect(summary(try SampleReport.hostile.report(), limit: 0).hasPrefix("# Signet gate: refused\n"))
  }
}
