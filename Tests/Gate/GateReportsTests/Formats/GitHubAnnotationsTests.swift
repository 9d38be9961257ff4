import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct GitHubAnnotationsTests {
  private func lines(_ report: GateReport) -> [String] {
    // A line ends where the runner ends it: at a newline or a carriage return.
    String(decoding: GitHubAnnotations().text(of: report), as: UTF8.self).unicodeScalars
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }.map { String($0) }
  }

  @Test("every line begins with a command of ours, whatever the names are")
  func commands() throws {
    let lines = lines(try SampleReport.hostile.report())
    #expect(lines.last == "")
    for line in lines.dropLast() {
      #expect(["::error ", "::warning ", "::notice "].contains { line.hasPrefix($0) }, "\(line)")
    }
  }

  @Test(
    "names are escaped as actions/toolkit escapes them",
    arguments: [
      ("a%0Ab", "a%250Ab", "a%250Ab"), ("a:b,c", "a%3Ab%2Cc", "a:b,c"),
      ("a\r\nb", #"a\u{d}\u{a}b"#, #"a\u{d}\u{a}b"#),
      ("::set-env name=x::y", "%3A%3Aset-env name=x%3A%3Ay", "::set-env name=x::y"),
    ])
  func escapes(path: String, property: String, data: String) throws {
    let finding = GateReport.Finding(rule: "r", level: .warning, path: path, place: "line 7", message: "is odd")
    let line = lines(try SampleReport.report([], [finding]))[0]
    #expect(line == "::warning file=\(property),line=7,title=Signet gate%3A r::\(data): line 7: is odd")
  }

  @Test("errors come before warnings, and a notice counts them and names the limit if there are more")
  func order() throws {
    func finding(_ level: GateReport.Level) -> GateReport.Finding {
      .init(rule: "r", level: level, message: "is odd")
    }
    let few = lines(try SampleReport.report([], [finding(.warning), finding(.error)]))
    #expect(
      few == [
        "::error title=Signet gate%3A r::the release: is odd",
        "::warning title=Signet gate%3A r::the release: is odd",
        "::notice title=Signet gate::refused: 1 error, 1 warning; 0 artifacts, 0 signature files, 0 excluded files",
        "",
      ])
    let ten = lines(try SampleReport.report([], Array(repeating: finding(.warning), count: 10)))
    #expect(ten[10].hasPrefix("::notice title=Signet gate::clean: 10 warnings;") && !ten[10].contains("GitHub shows"))
    let eleven = lines(try SampleReport.report([], Array(repeating: finding(.warning), count: 11)))
    #expect(eleven[11].hasSuffix("%0AGitHub shows 10 errors and 10 warnings of a step; the step's log has all."))
  }

  @Test(
    "a line is given where the place begins with one",
    arguments: [
      ("line 3", 3), ("line 3, column 5", 3), ("line 03", 3), ("line 0", nil), ("line", nil), ("line 3x", nil),
      ("line -3", nil), ("line +3", nil), ("offset 3", nil), ("line 2147483647", 2_147_483_647),
      ("line 2147483648", nil),
      ("line 99999999999999999999", nil), ("line ٣", nil), ("Line 3", nil), ("", nil),
    ] as [(String, Int?)])
  func line(place: String, line: Int?) {
    let finding = GateReport.Finding(rule: "r", level: .error, path: "p", place: place, message: "m")
    #expect(FindingText(finding).lineNumber == line)
    let inEntry = GateReport.Finding(rule: "r", level: .error, path: "p", entry: "e", place: place, message: "m")
    #expect(FindingText(inEntry).lineNumber == nil)
  }
}
