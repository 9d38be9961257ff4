import Foundation
import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

/// What a check says of an artifact, and that every format says the same.
@Suite struct CheckedArtifactTests {
  private static func text(_ report: GateReport, _ format: String) throws -> String {
    String(decoding: try #require(ReportFormats.named(format)).text(of: report), as: UTF8.self)
  }

  /// The first cell of each artifact's row.
  private static func results(_ report: GateReport) throws -> [String] {
    try ScannedPage(HTMLReport().text(of: report)).all("td").map(\.text).filter { text in
      ["✓", "✗", "!"].contains { text.hasPrefix($0) }
    }
  }

  @Test("exchanged files are verified, but no format shows them so")
  func exchanged() throws {
    let release = try ReleaseFolder()
    try release.add("a/tool", "one")
    try release.add("b/tool", "two")
    for suffix in ["", ".sigstore.json"] {
      try FileManager.default.moveItem(atPath: release.file("a/tool\(suffix)"), toPath: release.file("x"))
      try FileManager.default.moveItem(
        atPath: release.file("b/tool\(suffix)"), toPath: release.file("a/tool\(suffix)"))
      try FileManager.default.moveItem(atPath: release.file("x"), toPath: release.file("b/tool\(suffix)"))
    }
    let report = try release.check()
    #expect(report.artifacts.map(\.state) == [.refused, .refused])
    #expect(report.artifacts.map(\.artifact.isVerified) == [true, true])
    #expect(try Self.results(report) == ["✗refused", "✗refused"])
    #expect(try Self.text(report, "html").contains("All 2 artifacts are refused; 2 errors keep"))
    #expect(try Self.text(report, "markdown").contains("| refused | `a/tool` | `file` |"))
    #expect(try Self.text(report, "junit").components(separatedBy: "<failure ").count == 3)
    for finding in report.findings { #expect(finding.hint == PublisherAdvice.misplaced) }
  }

  @Test("what nobody has signed is neither verified nor refused if the policy lets it pass")
  func allowed() throws {
    let release = try ReleaseFolder()
    try release.add("signed")
    try release.write("unsigned", "x")
    let report = try release.check(rules: #"{"signature": "off"}"#)
    #expect(report.isClean)
    #expect(report.artifacts.map(\.state) == [.clean, .unverified])
    #expect(try Self.results(report) == ["!not verified, which the policy allows", "✓verified"])
    #expect(
      try Self.text(report, "html").contains(
        "1 of 2 artifacts is not verified, which the policy allows. Nothing keeps the release from its users."))
    #expect(try Self.text(report, "markdown").contains("| not verified, which the policy allows | `unsigned` |"))
    #expect(
      try Self.text(report, "junit").contains("<system-out>not verified, which the policy allows</system-out>"))
    let warned = try release.check(rules: #"{"signature": "warning"}"#)
    #expect(warned.artifacts.map(\.state) == [.clean, .unverified])
    #expect(try release.check().artifacts.map(\.state) == [.clean, .refused])
    #expect(try Self.text(release.check(), "html").contains("1 of 2 artifacts is refused; 1 error keeps"))
  }

  @Test("a warning leaves an artifact verified, unless warnings refuse; what is found in a bundle is its artifact's")
  func warned() throws {
    let artifact = HTMLExamples.file("a", 1, HTMLExamples.signed(.file, by: [HTMLExamples.key]))
    let bundle = HTMLExamples.file("a.sigstore.json", 2, .bundle(of: "a"))
    let other = HTMLExamples.file("a.sigstore.json.sigstore.json", 3, .bundle(of: "a.sigstore.json"))
    func state(_ level: GateReport.Level, about path: String, failing: GateReport.Level = .error) -> GateReport.State?
    {
      let finding = GateReport.Finding(rule: "run-path", level: level, path: path, message: "is odd")
      return HTMLExamples.report(files: [artifact, bundle, other], findings: [finding], failingLevel: failing)
        .artifacts.first?.state
    }
    #expect(state(.warning, about: "a") == .warned)
    #expect(state(.warning, about: "a", failing: .warning) == .refused)
    #expect(state(.error, about: "a") == .refused)
    #expect(state(.error, about: "a.sigstore.json") == .refused)
    // It is the bundle of a bundle, and of no artifact.
    #expect(state(.error, about: "a.sigstore.json.sigstore.json") == .clean)
    #expect(state(.error, about: "b") == .clean)
  }

  @Test("a key that was given alone is shown once on the page, and a certificate by its name")
  func signers() throws {
    let key = HTMLExamples.key.keyID
    let alone = GateReport.Signer(entries: [key], keyID: key, algorithm: "Ed25519", signedAt: nil, chain: [])
    #expect(SignerWords(alone).name == nil)
    #expect(SignerWords(alone).full == "Ed25519 \(key)")
    let report = HTMLExamples.report(files: [HTMLExamples.file("a", 1, HTMLExamples.signed(.file, by: [alone]))])
    #expect(try Self.text(report, "html").components(separatedBy: key).count == 2)
    let certified = GateReport.Signer(
      entries: [], keyID: key, algorithm: "Ed25519", signedAt: nil, chain: HTMLExamples.chain)
    #expect(SignerWords(certified).full == "email:release@example.com (Ed25519 \(key))")
    #expect(SignerWords(HTMLExamples.key).full == "release key (Ed25519 \(key))")
  }
}
