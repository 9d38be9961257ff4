import Foundation
import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

/// The files in `Tests/Vectors/reports`, which `Tests/Interop/report_checks.py` holds against the programs of others.
@Suite struct WrittenReportTests {
  static let files = [
    "json": "json", "sarif": "sarif", "junit": "junit.xml", "github": "github.txt", "markdown": "md",
    "gitlab": "gitlab.json", "sha256sums": "sha256sums",
  ]

  @Test(
    "each sample is written as the file that people have read; SIGNET_WRITE_REPORTS=1 writes the files anew",
    arguments: SampleReport.allCases, files.keys.sorted())
  func golden(sample: SampleReport, name: String) throws {
    let format = try #require(ReportFormats.named(name))
    let file = "Tests/Vectors/reports/\(sample).\(try #require(Self.files[name]))"
    let text = try format.text(of: sample.report())
    if ProcessInfo.processInfo.environment["SIGNET_WRITE_REPORTS"] == "1" {
      try Data(text).write(to: URL(fileURLWithPath: "\(Repository.root)/\(file)"))
    }
    #expect(String(decoding: text, as: UTF8.self) == (try Repository.text(file)), "\(file) differs")
    #expect(text == (try Repository.bytes(file)), "\(file) differs in its bytes")
  }

  @Test("every format has a word and a file, and no word chooses two")
  func names() {
    // A person looks at the page of HTML; HTMLReportTests are about it.
    #expect(ReportFormats.all.map { $0.name }.filter { $0 != "html" }.sorted() == Self.files.keys.sorted())
    #expect(ReportFormats.named("JSON") == nil)
  }

  @Test(
    "a text ends in one newline, also about nothing", arguments: files.keys.sorted())
  func empty(name: String) throws {
    let text = try #require(ReportFormats.named(name)).text(of: SampleReport.report([], []))
    #expect(text.last == 0x0a && text.dropLast().last != 0x0a)
    #expect(UTF8Check.firstFault(in: text) == nil)
  }

  @Test(
    "no format for people has a character that does not show itself",
    arguments: files.keys.filter { $0 != "json" && $0 != "sha256sums" }.sorted())
  func visible(name: String) throws {
    let everything = (0...0x2ff).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{feff}", "\u{fffe}", "\u{e0001}"]
    let text = String(String.UnicodeScalarView(everything))
    let finding = GateReport.Finding(
      rule: text, level: .error, path: text, entry: text, place: text, message: text, code: text, expected: text,
      found: text, hint: text)
    let artifact = try SampleReport.file(text, HTMLExamples.signed(.other(text), by: []))
    let report = try SampleReport.report([artifact], [finding])
    let written = String(decoding: try #require(ReportFormats.named(name)).text(of: report), as: UTF8.self)
    // check_name and ruleId are the identifiers of rules, which are ours.
    let identifiers = name == "gitlab" || name == "sarif" ? text : ""
    let odd = Set(written.unicodeScalars.filter { !$0.isASCII && !$0.isVisible })
    #expect(odd.subtracting(identifiers.unicodeScalars).isEmpty)
    #expect(
      !written.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7f && identifiers.isEmpty })
  }
}
