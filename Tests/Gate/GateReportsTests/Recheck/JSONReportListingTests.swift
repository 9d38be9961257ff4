import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct JSONReportListingTests {
  @Test("a report reads back as the files that were written", arguments: SampleReport.allCases)
  func roundTrip(sample: SampleReport) throws {
    let report = try sample.report()
    let listing = try JSONReport.Listing(reading: JSONReport().text(of: report))
    #expect(listing.isClean == (sample == .clean))
    #expect(listing.time == SampleReport.time)
    #expect(listing.entries.map { Array($0.path.utf8) } == report.files.map { Array($0.path.utf8) })
    #expect(listing.entries.map(\.size) == report.files.map(\.size))
    #expect(listing.entries.map(\.sha256) == report.files.map(\.sha256))
    #expect(listing.entries.map(\.kind) == report.files.map(\.kind))
    #expect(listing.entries.map(\.mode) == report.files.map(\.mode))
    #expect(listing.folders.map { Array($0.path.utf8) } == report.folders.map { Array($0.path.utf8) })
    #expect(listing.folders.map(\.mode) == report.folders.map(\.mode))
  }

  /// What is replaced in the clean sample, and by what.
  private static let faults: [(String, String)] = [
    ("\"signetGateReport\":1", "\"signetGateReport\":2"), ("\"signetGateReport\":1,", ""),
    ("\"verdict\":\"clean\"", "\"verdict\":\"Clean\""), ("\"verdict\":\"clean\"", "\"verdict\":\"clean\",\"more\":1"),
    ("\"failingLevel\":\"error\"", "\"failingLevel\":\"fatal\""),
    ("\"time\":\"2026", "\"time\":\"26"), ("\"name\":\"trust.json\",", ""),
    ("\"name\":\"signet\",", "\"nom\":\"x\","),
    ("\"findings\":[]", "\"findings\":{}"), ("\"findings\":[]", "\"findings\":[],\"comparison\":[]"),
    ("\"files\":[", "\"filed\":["), ("\"files\":[", "\"files\":[1,"), ("\"files\":[", "\"files\":[],\"files\":["),
    ("\"README.txt\"", "\"\""), ("\"README.txt\"", "\".\""), ("\"README.txt\"", "\"../README.txt\""),
    ("\"README.txt\"", "\"/README.txt\""), ("\"README.txt\"", "\"a//README.txt\""),
    ("\"README.txt\"", "\"a/./README.txt\""), ("\"README.txt\"", "\"README\\u0000.txt\""),
    ("\"README.txt\"", "\"player.zip\""), ("\"README.txt\"", "\"z\""), ("\"README.txt\"", "1"),
    ("\"size\":10", "\"size\":-1"), ("\"size\":10", "\"size\":1.0"), ("\"size\":10", "\"size\":\"10\""),
    ("\"size\":10", "\"size\":9007199254740992"), ("\"sha256\":\"b01e", "\"sha256\":\"B01E"),
    ("\"sha256\":\"b01e", "\"sha256\":\""), ("\"sha256\":\"8234", "\"sha256\":\"823"),
    ("\"type\":\"file\"", "\"type\":\"pipe\""), ("\"type\":\"file\"", "\"type\":\"file\",\"more\":1"),
    ("\"mode\":\"0644\",", ""), ("\"mode\":\"0644\"", "\"mode\":\"644\""), ("\"mode\":\"0644\"", "\"mode\":420"),
    ("\"mode\":\"0644\"", "\"mode\":\"0648\""), ("\"type\":\"file\"", "\"type\":\"link\""),
    ("\"folders\":[{", "\"folder\":[{"), ("\"path\":\"docs\"", "\"path\":\"../docs\""),
    ("\"folders\":[{", "\"folders\":[{\"mode\":\"0755\",\"path\":\"docs\"},{"),
    ("\"mode\":\"0755\",\"path\":\"docs\"", "\"path\":\"docs\""),
    ("\"mode\":\"0755\",\"path\":\"docs\"", "\"mode\":\"0755\",\"path\":\"docs\",\"more\":1"),
    ("\"role\":\"excluded\"", "\"role\":\"artifact\""), ("\"role\":\"excluded\"", "\"role\":\"bundle\""),
    ("\"role\":\"excluded\"", "\"role\":\"other\""), ("{\"failingLevel", "\u{feff}{\"failingLevel"),
    ("\"verdict\":\"clean\"}", "\"verdict\":\"clean\"}{}"), ("\"verdict\":\"clean\"}", "\"verdict\":\"clean\""),
  ]

  @Test("a report with a fault is refused", arguments: faults)
  func fault(part: String, replacement: String) throws {
    var text = String(decoding: try JSONReport().text(of: SampleReport.clean.report()), as: UTF8.self)
    text.replaceSubrange(try #require(text.firstRange(of: part)), with: replacement)
    expectError(.gateReportMalformed) { _ = try JSONReport.Listing(reading: Array(text.utf8)) }
  }

  @Test("other bytes are refused", arguments: [[], [0x0a], [0xff], Array("[]".utf8), Array("null".utf8), [0x7b]])
  func bytes(text: [UInt8]) {
    expectError(.gateReportMalformed) { _ = try JSONReport.Listing(reading: text) }
  }

  @Test("an error says where the fault is")
  func place() throws {
    let text = Array(#"{"signetGateReport":1,"#.utf8) + Array("\n\"verdict\":\"no\"}".utf8)
    let error = expectError(.gateReportMalformed) { _ = try JSONReport.Listing(reading: text) }
    #expect(error?.object == "line 2, column 11, report.verdict")
    #expect(error?.expected == "clean or refused")
    #expect(error?.found == "no")
  }

  @Test("spaces and another order of the fields are no fault")
  func notCanonical() throws {
    let text = String(decoding: try JSONReport().text(of: SampleReport.clean.report()), as: UTF8.self)
    let spaced = text.replacing(",\"findings\":[]", with: "").replacing(
      "{\"failing", with: " {\"findings\": [],\n\"failing")
    #expect(try JSONReport.Listing(reading: Array(spaced.utf8)).entries.count == 3)
  }
}
