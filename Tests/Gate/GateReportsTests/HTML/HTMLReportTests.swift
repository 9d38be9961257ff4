import SignetBase
import SignetCrypto
import Testing

@testable import GateReports
@testable import ReleaseGate

@Suite struct HTMLReportTests {
  private func page(_ report: GateReport) throws -> ScannedPage { try ScannedPage(HTMLReport().text(of: report)) }

  @Test("the same report gives the same bytes")
  func deterministic() throws {
    for report in [HTMLExamples.refused, HTMLExamples.hostile] {
      #expect(try HTMLReport().text(of: report) == HTMLReport().text(of: report))
    }
  }

  @Test("each artifact adds as many bytes as the one before")
  func linearSize() throws {
    let sizes = try [520, 720, 920].map { try HTMLReport().text(of: HTMLExamples.large($0)).count }
    let differences = zip(sizes, sizes.dropFirst()).map { $1 - $0 }
    #expect(differences[0] > 0)
    #expect(Set(differences).count == 1, "\(sizes)")
  }

  // MARK: Verdict

  @Test("a refused release says so in the title, a heading, a sentence and counts")
  func refused() throws {
    let page = try page(HTMLExamples.refused)
    #expect(page.all("title").map(\.text) == ["✗ Release refused - Signet"])
    #expect(page.all("h1").map(\.text) == ["Release refused"])
    #expect(page.all(style: "seal").map(\.text) == ["✗"])
    #expect(
      page.all(style: "verdict")[0].text.contains(
        "3 of 7 artifacts are refused; 4 errors keep the release from its users."))
    #expect(
      page.all("li").filter { $0.parents.last == "ul" && $0.parents.contains("header") }.map(\.text) == [
        "4 verified", "3 refused", "4 errors", "3 warnings", "2 excluded",
      ])
  }

  @Test("an accepted release says so")
  func accepted() throws {
    let page = try page(HTMLExamples.accepted)
    #expect(page.all("title").map(\.text) == ["✓ Release accepted - Signet"])
    #expect(page.all("h1").map(\.text) == ["Release accepted"])
    #expect(page.all(style: "seal").map(\.text) == ["✓"])
    #expect(
      page.all(style: "verdict")[0].text.contains(
        "All 6 artifacts are verified, and nothing keeps the release from its users."))
    #expect(page.element("by-rule") == nil)
    #expect(page.all(style: "quiet")[0].text.contains("6 rules without findings"))
  }

  @Test("a warning refuses only where warnings do, and the sentence counts what refuses")
  func warnings() throws {
    let finding = GateReport.Finding(rule: "run-path", level: .warning, message: "something")
    let lenient = try page(HTMLExamples.report(files: [], findings: [finding]))
    #expect(
      lenient.all(style: "verdict")[0].text.contains(
        "The release has no artifacts. 1 warning does not keep the release from its users."))
    let strict = try page(HTMLExamples.report(files: [], findings: [finding], failingLevel: .warning))
    #expect(
      strict.all(style: "verdict")[0].text.contains(
        "The release has no artifacts; 1 warning keeps the release from its users."))
  }

  @Test("the facts name the time, the policy with its whole digest, and the version")
  func facts() throws {
    let facts = try page(HTMLExamples.refused).all(style: "facts")[0].text
    #expect(facts.contains("2026-10-26 07:33 UTC"))
    #expect(facts.contains("release/policy.json\(HTMLExamples.digest(-1))"))
    #expect(facts.contains("1.4.0"))
    #expect(facts.contains("11, 42.4 MiB"))
  }

  // MARK: Findings

  @Test("findings stand once by rule, the gravest rules first, and once by file")
  func groups() throws {
    let page = try page(HTMLExamples.refused)
    let headings = page.all("h4").map(\.text)
    #expect(
      headings == [
        "signature Every artifact is signed by a trusted signer.", "private-key No private key is in the release.",
        "sequence The sequence grows with every release.", "debug-information Libraries are stripped.",
        "certificate-expiry Certificates are valid for 30 more days.", "run-path No library has a run path.",
        "The release", "modules/com.example.editor-2.0.0.zip", "modules/com.example.maps-0.9.1.zip",
        "modules/com.example.player-1.2.0.zip", "tools/install.sh",
      ])
    #expect(page.all(style: "finding").count == 2 * HTMLExamples.refused.findings.count)
    #expect(
      page.element("file-3")?.text.filter { $0 != "\n" }.contains(
        "✗errormodules/com.example.player-1.2.0.zip2 errors, 1 warning")
        == true)
    #expect(page.all(style: "help").map(\.text) == HTMLExamples.rules.map(\.help))
  }

  @Test("a finding shows all that is known about it")
  func finding() throws {
    let page = try page(HTMLExamples.refused)
    let text = try #require(page.element("rule-1")).text
    for part in [
      "the file holds a private key gate.private-key",
      "modules/com.example.player-1.2.0.zip, entry resources/certs/dev.pem, line 1",
      "Found\n-----BEGIN EC PRIVATE KEY-----", "Next step\nremove the file, and revoke the key",
    ] { #expect(text.contains(part), "\(part) in \(text)") }
  }

  @Test("a rule that the report does not describe has a group all the same")
  func unknownRule() throws {
    let finding = GateReport.Finding(rule: "other", level: .error, path: "a", message: "something")
    let page = try page(HTMLExamples.report(files: [], findings: [finding], rules: []))
    #expect(page.all("h4").map(\.text) == ["other", "a"])
  }

  @Test("names that Unicode calls equivalent are two files, and two chains")
  func equivalentNames() throws {
    let names = ["caf\u{e9}", "cafe\u{301}"]
    let findings = names.map { GateReport.Finding(rule: "signature", level: .error, path: $0, message: "something") }
    let files = names.enumerated().map { number, name in
      let link = GateReport.ChainLink(subject: "CN=" + name, identity: nil, notAfter: HTMLExamples.time)
      let signer = GateReport.Signer(entries: [], keyID: "", algorithm: "", signedAt: nil, chain: [link])
      return HTMLExamples.file(name, number, HTMLExamples.signed(.file, by: [signer]))
    }
    let page = try page(HTMLExamples.report(files: files, findings: findings))
    for (number, name) in names.enumerated() {
      #expect(page.element("artifact-\(number)")?.text.unicodeScalars.contains(name.unicodeScalars) == true)
      #expect(page.element("file-\(number)")?.text.unicodeScalars.contains(name.unicodeScalars) == true)
      #expect(page.element("chain-\(number)")?.text.unicodeScalars.contains(name.unicodeScalars) == true)
    }
  }

  // MARK: Artifacts

  @Test("refused artifacts come first, then those with findings")
  func artifactOrder() throws {
    let rows = try page(HTMLExamples.refused).all("tr").compactMap { $0.attributes["id"] }
    #expect(rows == [1, 3, 6, 2, 0, 4, 5].map { "artifact-\($0)" })
  }

  @Test("a row names the result, the module, the signers, the size and the whole SHA-256")
  func artifactRow() throws {
    let text = try #require(try page(HTMLExamples.refused).element("artifact-2")).text
    for part in [
      "✓verified", "modules/com.example.maps-0.9.1.zip!1 warning", "module, sequence 91", "com.example.maps 0.9.1",
      "Example Software chain 1", "2026-10-26 06:10 UTC, ECDSA P-256",
      "release key SHA256:5zYb3hVZL1a6o7V9qvR2kPpU5cO8sQm1xq0S4a7gXyA", "7.0 MiB", HTMLExamples.digest(6).hex,
    ] { #expect(text.contains(part), "\(part) in \(text)") }
  }

  @Test("rows beyond 200 are folded, and no table has more")
  func folds() throws {
    let page = try page(HTMLExamples.large(450))
    let rows = page.all("tr").filter { $0.attributes["id"] != nil }
    #expect(rows.count == 450)
    #expect(rows.filter { $0.parents.contains("details") }.count == 250)
    #expect(page.all("summary").filter { $0.text == "250 more artifacts" }.count == 1)
    #expect(page.all("table").map { $0.text.ranges(of: "refused").count } == [200, 200, 50])
  }

  // MARK: Changes and other files

  @Test("changes are counted, and listed with their differences")
  func changes() throws {
    let section = try #require(try page(HTMLExamples.refused).element("changes")).text
    #expect(section.contains("1 added, 1 removed, 1 changed since releases/2026-09/gate.json."))
    #expect(section.contains("−removed\nmodules/com.example.legacy-0.4.0.zip"))
    #expect(section.contains("\n~ lib/player.so 12,288 to 14,336 bytes"))
  }

  @Test("a release like the last one says so")
  func noChanges() throws {
    let report = HTMLExamples.report(files: [], comparison: GateReport.Comparison(baseline: "last", changes: []))
    #expect(try page(report).element("changes")?.text.contains("No file has changed since last.") == true)
    #expect(try page(HTMLExamples.accepted).element("changes") == nil)
  }

  @Test("excluded files and signatures are folded, with the reason")
  func otherFiles() throws {
    let page = try page(HTMLExamples.refused)
    let section = try #require(page.element("others"))
    #expect(
      page.all("h3").filter { $0.parents.contains("summary") }.map(\.text) == [
        "2 excluded files", "2 signature files",
      ])
    #expect(section.text.contains("docs/README.md\ndocs/**\n4.1 KiB"))
    #expect(section.text.contains("host/bundle.json.sigstore.json\nhost/bundle.json\n3.8 KiB"))
    #expect(!page.all("details").contains { $0.attributes["open"] != nil && $0.parents.last == "section" })
  }

  // MARK: Assistive technology

  @Test("headings go down one level at a time, and headers of tables say what they belong to")
  func structure() throws {
    for report in [HTMLExamples.refused, HTMLExamples.accepted, HTMLExamples.hostile] {
      let page = try page(report)
      let levels = page.elements.compactMap { ["h1": 1, "h2": 2, "h3": 3, "h4": 4][$0.name] }
      #expect(levels.first == 1)
      #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 })
      #expect(page.all("th").allSatisfy { $0.attributes["scope"] != nil })
      #expect(page.all("svg").filter { $0.parents.last != "svg" }.allSatisfy { $0.attributes["aria-label"] != nil })
      for landmark in ["header", "nav", "main", "footer"] { #expect(page.all(landmark).count == 1) }
    }
  }
}
