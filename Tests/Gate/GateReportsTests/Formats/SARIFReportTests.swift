import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct SARIFReportTests {
  @Test(
    "a path is a relative reference that no reader takes for a scheme, a host or a query",
    arguments: [
      ("lib/player-1.0_a~b.so", "lib/player-1.0_a~b.so"), ("c:x", "c%3Ax"), ("//host/x", "%2F/host/x"),
      ("/x", "%2Fx"),
      ("a?b#c", "a%3Fb%23c"), ("a%0Ab", "a%250Ab"), ("é", "%C3%A9"), ("a\\b", "a%5Cb"), ("a\0\n", "a%00%0A"),
    ])
  func uri(path: String, expected: String) { #expect(ReleasePath.uri(of: path) == expected) }

  @Test(
    "a message has no placeholder and no link that is not ours",
    arguments: [
      ("{0}", "{{0}}"), ("[x](https://example.org)", #"[x]\u{{28}}https://example.org)"#), ("f(x)", "f(x)"),
      ("]]((", #"]]\u{{28}}("#), ("a\nb", #"a\u{{a}}b"#),
    ])
  func message(text: String, expected: String) { #expect(SARIFText.message(text) == expected) }

  @Test("a rule's description has 1024 characters at most")
  func description() {
    #expect(SARIFText.description(String(repeating: "é", count: 1024)).unicodeScalars.count == 1024)
    let cut = SARIFText.description(String(repeating: "é", count: 1025))
    #expect(cut.unicodeScalars.count == 1024 && cut.hasSuffix("é…"))
  }

  @Test("of too many results the gravest are written, and the run says how many are not")
  func limit() throws {
    let findings = ["a", "b", "c"].map { path in
      GateReport.Finding(rule: "odd-name", level: path == "c" ? .error : .warning, path: path, message: "is odd")
    }
    let text = try SARIFReport(resultLimit: 2).text(of: SampleReport.report([], findings))
    let written = String(decoding: text, as: UTF8.self)
    #expect(written.contains(#"{"text":"1 result was left out, none graver than the others."}"#))
    #expect(written.contains(#""uri":"c""#) && written.contains(#""uri":"a""#) && !written.contains(#""uri":"b""#))
    #expect(SARIFReport.resultLimit == 25_000)
  }

  @Test("a result of a rule that the report does not list has no index")
  func unknownRule() throws {
    let finding = GateReport.Finding(rule: "other", level: .warning, path: "", message: "is odd")
    let text = String(decoding: try SARIFReport().text(of: SampleReport.report([], [finding])), as: UTF8.self)
    #expect(text.contains(#""ruleId":"other""#) && !text.contains("ruleIndex"))
    #expect(text.contains(#""artifactLocation":{"uri":"(release)"}"#))
    #expect(text.contains(#""message":{"text":"the release: is odd."}"#))
  }
}

@Suite struct FindingFingerprintsTests {
  private func fingerprint(_ finding: GateReport.Finding) throws -> String {
    try #require(try FindingFingerprints.of([finding]).first)
  }

  private let finding = GateReport.Finding(
    rule: "r", level: .error, path: "p", entry: "e", place: "line 1", message: "m", code: "c", expected: "x",
    found: "f", hint: "h")

  @Test("a fingerprint is the SHA-256 of the rule, the path, the entry and the code, and a number")
  func value() throws {
    let digest = try Digest.of(Array(#"["r","p","e","c"]"#.utf8), .sha256)
    #expect(try fingerprint(finding) == "\(digest.hex):1")
  }

  @Test("lines, texts and levels do not change a fingerprint")
  func stable() throws {
    let other = GateReport.Finding(rule: "r", level: .warning, path: "p", entry: "e", message: "", code: "c")
    #expect(try fingerprint(other) == fingerprint(finding))
  }

  @Test("rule, path, entry and code change it, and a missing text is not an empty one")
  func different() throws {
    let others = [
      GateReport.Finding(rule: "R", level: .error, path: "p", entry: "e", message: "m", code: "c"),
      GateReport.Finding(rule: "r", level: .error, path: "P", entry: "e", message: "m", code: "c"),
      GateReport.Finding(rule: "r", level: .error, path: "p", entry: "E", message: "m", code: "c"),
      GateReport.Finding(rule: "r", level: .error, path: "p", entry: "e", message: "m", code: "C"),
      GateReport.Finding(rule: "r", level: .error, path: "p", message: "m", code: "c"),
      GateReport.Finding(rule: "r", level: .error, path: "p", entry: "", message: "m", code: "c"),
      GateReport.Finding(rule: "r", level: .error, path: "p\",\"e", message: "m", code: "c"), finding,
    ]
    #expect(Set(try others.map(fingerprint)).count == others.count)
  }

  @Test("equal findings are numbered")
  func numbers() throws {
    let all = try FindingFingerprints.of([finding, finding, finding])
    #expect(all.map { $0.suffix(2) } == [":1", ":2", ":3"])
    #expect(Set(all.map { $0.dropLast(2) }).count == 1)
  }
}
