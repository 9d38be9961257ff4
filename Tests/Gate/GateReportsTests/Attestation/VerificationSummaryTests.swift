import Signet
import SignetBase
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate
@testable import SignetCrypto

@Suite struct VerificationSummaryTests {
  private static let policy = String(repeating: "1", count: 64)
  private static let otherPolicy = String(repeating: "2", count: 64)
  private static let type = "https://slsa.dev/verification_summary/v1"

  /// The report of a gate on the release's files.
  private func report(
    _ release: AttestedRelease, isClean: Bool = true, kind: GateReport.Artifact.Kind? = .file,
    refusing rules: [String] = ["stranger", "unverified-attestation"]
  ) throws -> GateReport {
    func file(_ path: String, _ role: GateReport.Role) throws -> GateReport.File {
      let bytes = try release.folder.read(path)
      return GateReport.File(
        path: path, size: bytes.count, sha256: try Digest.of(bytes, .sha256), mode: 0o644, role: role)
    }
    let outcome: GateReport.Artifact.Outcome = kind.map { .verified(.init(kind: $0, signers: [])) } ?? .refused
    var files = [try file("tool", .artifact(.init(outcome)))]
    for path in try release.folder.listing() where path.hasSuffix(".sigstore.json") {
      files.append(try file(path, .bundle(of: "tool")))
    }
    return GateReport(
      time: AttestedRelease.time,
      policy: .init(name: "/home/me/release policy.json", sha256: Digest(.sha256, hex: Self.policy)),
      version: "1.2.3", files: files, folders: [],
      rules: rules.map { GateReport.Rule(id: $0, title: "", help: "", level: .error) },
      findings: isClean ? [] : [.init(rule: "signature", level: .error, path: "tool", message: "is not signed")],
      comparison: nil, failingLevel: .error)
  }

  /// Signs the gate's verdict with `build`, and puts it into the release.
  private func sign(_ report: GateReport, _ options: VerificationSummary.Options, _ release: AttestedRelease) throws {
    let signed = try VerificationSummary(of: report, options).sign(by: Signer(release.key("build")))
    for each in signed { try release.write(each.path, each.bundle) }
  }

  @Test("a clean gate signs a statement that any reader of SLSA's summaries can read")
  func statement() throws {
    let release = try AttestedRelease()
    try release.write("tool.sigstore.json", [1])
    var options = VerificationSummary.Options()
    options.verifier = "https://example.com/gate"
    options.resource = "https://example.com/releases/"
    options.levels = ["SLSA_BUILD_LEVEL_3", "REVIEWED"]
    let signed = try VerificationSummary(of: report(release), options).sign(by: Signer(release.key("build")))
    #expect(signed.map(\.path) == ["tool.vsa.sigstore.json"])
    #expect(signed[0].bundle.last == UInt8(ascii: "\n"))
    let bundle = try SigstoreBundle(json: signed[0].bundle)
    #expect(
      String(decoding: bundle.envelope.payload, as: UTF8.self) == """
        {"_type":"https://in-toto.io/Statement/v1","predicate":{"inputAttestations":[{"digest":{"sha256":"\
        \(try Digest.of([1], .sha256).hex)"},"uri":"https://example.com/releases/tool.sigstore.json"}],"policy":{\
        "digest":{"sha256":"\(Self.policy)"},"uri":"urn:signet:policy:release%20policy.json"},"resourceUri":\
        "https://example.com/releases/tool","timeVerified":"2026-11-21T02:36:37Z","verificationResult":"PASSED",\
        "verifiedLevels":["SLSA_BUILD_LEVEL_3","REVIEWED"],"verifier":{"id":"https://example.com/gate","version":{\
        "signet":"1.2.3"}}},"predicateType":"https://slsa.dev/verification_summary/v1","subject":[{"digest":{\
        "sha256":"\(try Digest.of(Array("tool".utf8), .sha256).hex)"},"name":"tool"}]}
        """)
    let proof = try Verifier(policy: release.policy(), clock: .fixed(AttestedRelease.time)).verify(
      .bytes(Array("tool".utf8)), signatures: .bytes([signed[0].bundle]),
      expecting: .attestation(VerificationSummary.type, about: "tool")
    ).get()
    #expect(proof.signatures.map(\.entries) == [["build"]])
  }

  private static let module = GateReport.Artifact.Kind.module(
    GateReport.Module(identifier: "com.example.tool", version: "1.0.0", sequence: 1))

  @Test(
    "a list of attestations that may be incomplete or not verified is left out",
    arguments: [
      (module, ["stranger", "unverified-attestation"]),
      (
        .other("https://example.com/other"),
        [
          "stranger", "unverified-attestation",
        ]
      ), (nil, ["stranger", "unverified-attestation"]),
      (.file, ["stranger"]), (.file, ["unverified-attestation"]), (.file, []),
    ] as [(GateReport.Artifact.Kind?, [String])])
  func inputs(kind: GateReport.Artifact.Kind?, rules: [String]) throws {
    let release = try AttestedRelease()
    try release.write("tool.sigstore.json", [1])
    let summary = try VerificationSummary(of: report(release, kind: kind, refusing: rules))
    let bundle = try SigstoreBundle(json: summary.sign(by: Signer(release.key("build")))[0].bundle)
    let text = String(decoding: bundle.envelope.payload, as: UTF8.self)
    #expect(!text.contains("inputAttestations"))
    #expect(text.contains(#""verifiedLevels":["SLSA_BUILD_LEVEL_UNEVALUATED"],"verifier":{"id":"urn:signet:gate""#))
  }

  @Test("a refused release gets no statement, or one that says so")
  func refused() throws {
    let release = try AttestedRelease()
    let report = try report(release, isClean: false)
    let signer = try Signer(release.key("build"))
    #expect(try VerificationSummary(of: report).sign(by: signer).isEmpty)
    var options = VerificationSummary.Options()
    options.attestsRefusals = true
    let bundle = try SigstoreBundle(json: VerificationSummary(of: report, options).sign(by: signer)[0].bundle)
    let text = String(decoding: bundle.envelope.payload, as: UTF8.self)
    #expect(text.contains(#""verificationResult":"FAILED","verifiedLevels":["FAILED"]"#))
  }

  @Test(
    "what SLSA does not allow is not signed",
    arguments: [
      ("https://example.com/gate", ["SLSA_BUILD_LEVEL_1", "SLSA_BUILD_LEVEL_2"]),
      ("https://example.com/gate", ["SLSA_BUILD_LEVEL_4"]), ("https://example.com/gate", ["SLSA_MINE"]),
      ("https://example.com/gate", ["FAILED"]), ("https://example.com/gate", [""]), ("gate", []), ("", []),
      ("https://example.com/a b", []), ("https://example.com/\u{e9}", []),
    ])
  func options(verifier: String, levels: [String]) throws {
    let release = try AttestedRelease()
    var options = VerificationSummary.Options()
    options.verifier = verifier
    options.levels = levels
    let report = try report(release)
    expectError(.gateSummary) { _ = try VerificationSummary(of: report, options) }
  }

  @Test("a summary that cannot be a file beside the others is refused before anything is signed")
  func places() throws {
    let release = try ReleaseFolder()
    try release.add(String(repeating: "n", count: 237))
    _ = try VerificationSummary(of: release.check())
    let longer = try ReleaseFolder()
    try longer.add(String(repeating: "n", count: 238))
    let long = expectError(.gateSummary) { _ = try VerificationSummary(of: longer.check()) }
    #expect(long?.expected == "at most 255 bytes" && long?.found == "256 bytes")
    let other = try ReleaseFolder()
    try other.add("a/tool")
    try other.add("a/tool.vsa.sigstore.json/tool")
    let inFolder = expectError(.gateSummary) { _ = try VerificationSummary(of: other.check()) }
    #expect(inFolder?.object == "a/tool.vsa.sigstore.json")
  }

  @Test("a policy can demand what a gate has signed")
  func demanded() throws {
    let release = try AttestedRelease()
    try sign(report(release), VerificationSummary.Options(), release)
    #expect(try release.findings(#"[{"type":"verification-summary","signers":["build"]}]"#) == [])
    #expect(
      try release.findings(
        """
        [{"type":"\(Self.type)","signers":["build"],"verifier":"urn:signet:gate","resource":"urn:signet:artifact:",
          "policySHA256":"\(Self.policy)","levels":["SLSA_BUILD_LEVEL_UNEVALUATED"]}]
        """) == [])
  }

  @Test(
    "each difference from the demanded summary is a finding",
    arguments: [
      (
        #""verifier":"https://example.com/gate""#, "verifier.id", "was verified by another verifier",
        "https://example.com/gate", "urn:signet:gate"
      ),
      (
        #""resource":"https://example.com/""#, "resourceUri", "was verified as another resource",
        "https://example.com/tool", "urn:signet:artifact:tool"
      ),
      (
        #""policySHA256":"\#(otherPolicy)""#, "policy.digest.sha256", "was verified against another policy",
        otherPolicy, policy
      ),
      (
        #""levels":["SLSA_BUILD_LEVEL_2"]"#, "verifiedLevels",
        "was not verified for the levels that the policy demands", "SLSA_BUILD_LEVEL_2",
        "SLSA_BUILD_LEVEL_UNEVALUATED"
      ),
    ])
  func differences(fields: String, field: String, message: String, expected: String, found: String) throws {
    let release = try AttestedRelease()
    try sign(report(release), VerificationSummary.Options(), release)
    let finding = Found(
      message, place: "tool.vsa.sigstore.json, predicate.\(field)", expected: expected, found: found)
    #expect(
      try release.findings(#"[{"type":"verification-summary","signers":["build"],\#(fields)}]"#) == [finding])
  }

  @Test("a verification that failed does not meet a demand, by whatever name of the type")
  func failed() throws {
    let release = try AttestedRelease()
    var options = VerificationSummary.Options()
    options.attestsRefusals = true
    try sign(report(release, isClean: false), options, release)
    let place = "tool.vsa.sigstore.json, predicate"
    let expected = [
      Found(
        "did not pass its verification", place: "\(place).verificationResult", expected: "PASSED", found: "FAILED"),
      Found(
        "was not verified for the levels that the policy demands", place: "\(place).verifiedLevels",
        expected: "none that is FAILED", found: "FAILED"),
    ]
    for type in ["verification-summary", Self.type] {
      #expect(try release.findings(#"[{"type":"\#(type)","signers":["build"]}]"#) == expected)
    }
  }

  @Test(
    "a level of a track includes those below it",
    arguments: [
      ("SLSA_BUILD_LEVEL_3", "SLSA_BUILD_LEVEL_2", true), ("SLSA_BUILD_LEVEL_2", "SLSA_BUILD_LEVEL_2", true),
      ("SLSA_BUILD_LEVEL_1", "SLSA_BUILD_LEVEL_2", false), ("SLSA_SOURCE_LEVEL_4", "SLSA_BUILD_LEVEL_2", false),
      ("SLSA_BUILD_LEVEL_UNEVALUATED", "SLSA_BUILD_LEVEL_0", false), ("MINE", "MINE", true),
      ("SLSA_BUILD_LEVEL_9", "SLSA_BUILD_LEVEL_1", false), ("SLSA_BUILD_LEVEL_", "SLSA_BUILD_LEVEL_0", false),
    ])
  func levels(found: String, demanded: String, isIncluded: Bool) {
    #expect(SLSALevel.includes(found, demanded) == isIncluded)
  }
}
