import Signet
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate
@testable import SignetCrypto

@Suite struct AttestationRuleTests {
  private static let demand = #"[{"type":"provenance","signers":["build"]}]"#
  private static let file = "tool.provenance.sigstore.json"

  /// A finding about an attestation that the verifier refuses.
  private func refused(
    _ message: String, path: String = "tool", _ code: String, _ expected: String? = nil, _ found: String? = nil
  ) -> Found {
    Found(
      "has an attestation that does not hold: it \(message)", path: path, place: "\(path).provenance.sigstore.json",
      code: code, expected: expected, found: found)
  }

  @Test("an artifact without the demanded attestation is a finding, and others need none")
  func missing() throws {
    let release = try AttestedRelease()
    try release.write("linux/tool.deb")
    try release.write("README.txt")
    let found = try release.findings(#"[{"type":"provenance","signers":["build"],"artifacts":["*.deb","tool"]}]"#)
    let type = AttestedRelease.provenanceType
    #expect(
      found == ["linux/tool.deb", "tool"].map { Found("has no provenance", path: $0, expected: type, found: "none") })
    let all = try release.findings(#"[{"type":"sbom","signers":["build"]}]"#)
    let types = "https://spdx.dev/Document or https://cyclonedx.org/bom"
    let paths = ["README.txt", "linux/tool.deb", "tool"]
    #expect(all == paths.map { Found("has no bill of materials", path: $0, expected: types, found: "none") })
  }

  @Test("an attestation that is left out is missing")
  func excluded() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance())
    #expect(try release.findings(Self.demand) == [])
    let missing = Found("has no provenance", expected: AttestedRelease.provenanceType, found: "none")
    #expect(try release.findings(Self.demand, excluding: ["*.sigstore.json"]) == [missing])
  }

  @Test("a trusted signer whom the demand does not name is a finding")
  func otherSigner() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance(), by: "release")
    let expected = Found(
      "has no provenance by the signers that the policy names", place: Self.file, expected: "build", found: "release")
    #expect(try release.findings(Self.demand) == [expected])
  }

  @Test("a stranger's attestation is refused with its code")
  func stranger() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance(), by: "stranger")
    let id = try release.key("stranger").publicKey.id
    let expected = refused(
      "is not signed by a trusted signer", "signer.untrusted", "a signature by build or release",
      "a bundle that names \(id)")
    #expect(try release.findings(Self.demand) == [expected])
  }

  @Test("an attestation about other bytes is refused")
  func otherBytes() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance(), bytes: [1])
    let expected = Found(
      "is not what its attestation is about", place: Self.file, code: "digest.mismatch",
      expected: "\(try Digest.of([1], .sha256))", found: "\(try Digest.of(Array("tool".utf8), .sha256))")
    #expect(try release.findings(Self.demand) == [expected])
  }

  @Test("an attestation under another name is refused, one under the path or the last name is not")
  func names() throws {
    let release = try AttestedRelease()
    let message = "is about an artifact of another name"
    try release.attest(AttestedRelease.provenance(), as: "other")
    #expect(try release.findings(Self.demand) == [refused(message, "subject.name-mismatch", "tool", "other")])
    try release.attest(AttestedRelease.provenance())
    try release.write("linux/tool")
    for name in ["linux/tool", "tool"] {
      try release.attest(AttestedRelease.provenance(), of: "linux/tool", as: name)
      #expect(try release.findings(Self.demand) == [])
    }
    try release.attest(AttestedRelease.provenance(), of: "linux/tool", as: "macos/tool")
    let exchanged = refused(message, path: "linux/tool", "subject.name-mismatch", "tool", "macos/tool")
    #expect(try release.findings(Self.demand) == [exchanged])
  }

  @Test("what is no bundle, no statement or no longer what was signed is refused with its code")
  func broken() throws {
    let release = try AttestedRelease()
    func expect(_ code: String, _ message: String, _ bytes: [UInt8]) throws {
      try release.write(Self.file, bytes)
      let found = try release.findings(Self.demand)
      #expect(found.count == 1)
      let fields = try #require(found.first).fields
      #expect(fields[4] == "has an attestation that does not hold: it \(message)")
      #expect(fields[5] == code)
    }
    try expect("signature.malformed", "is not a valid Sigstore bundle", [])
    try expect("signature.malformed", "is not a valid Sigstore bundle", Array("{".utf8))
    try expect("statement.malformed", "is not valid JSON", release.bundle(over: "\u{0}"))
    let digest = try Digest.of(Array("tool".utf8), .sha256).hex
    let start = #"{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://slsa.dev/provenance/v1","#
    let subject = #""subject":[{"name":"tool","digest":{"sha256":"\#(digest)"}}]"#
    let list = try release.bundle(over: #"\#(start)\#(subject),"predicate":[]}"#)
    try expect("statement.malformed", "has an invalid value", list)
    try expect("statement.malformed", "is missing", release.bundle(over: "\(start)\(subject)}"))
    let signed = try SigstoreBundle(json: release.bundle(over: #"\#(start)\#(subject),"predicate":{}}"#))
    let other = try SigstoreBundle(json: release.bundle(over: "{}"))
    let id = try release.key("build").publicKey.id
    let forged = SigstoreBundle(payload: signed.envelope.payload, signature: other.envelope.signature, key: id)
    try expect(
      "signature.invalid", "has an invalid signature: the signature or the statement was changed",
      forged.canonicalBytes())
  }

  @Test("one statement about all artifacts of a build, with several digests, holds for each of them")
  func manySubjects() throws {
    let release = try AttestedRelease()
    try release.write("linux/tool", [1])
    let digests = try [Array("tool".utf8), [1]].map { try Digest.of($0, .sha256).hex }
    let subjects = """
      [{"digest":{"sha256":"\(String(repeating: "0", count: 64))"}},
       {"name":"tool","uri":"pkg:generic/tool","digest":{"sha384":"0","sha256":"\(digests[1])"}},
       {"name":"tool","digest":{"sha256":"\(digests[0])","gitBlob":"0"}},{"name":"x","digest":{"sha1":"0"}}]
      """
    let payload = """
      {"_type":"https://in-toto.io/Statement/v0.1","predicateType":"https://slsa.dev/provenance/v1",
       "subject":\(subjects),"predicate":\(AttestedRelease.provenance())}
      """
    let bundle = try release.bundle(over: payload)
    try release.write("tool.provenance.sigstore.json", bundle)
    try release.write("linux/tool.provenance.sigstore.json", bundle)
    #expect(try release.findings(Self.demand) == [])
    try release.write("linux/tool", [2])
    let expected = Found(
      "is not what its attestation is about", path: "linux/tool", place: "linux/tool.provenance.sigstore.json",
      code: "digest.mismatch", expected: "sha256:\(digests[1])", found: "\(try Digest.of([2], .sha256))")
    #expect(try release.findings(Self.demand) == [expected])
  }

  @Test(
    "one attestation beside no artifact holds for all that it names, and is an orphan if it names none",
    arguments: ["provenance.sigstore.json", "dist/multiple.provenance.sigstore.jsonl"])
  func shared(path: String) throws {
    let release = try AttestedRelease()
    try release.write("linux/tool", [1])
    try release.write("other", [3])
    let digests = try [Array("tool".utf8), [1]].map { try Digest.of($0, .sha256).hex }
    func payload(_ type: String) -> String {
      """
      {"_type":"https://in-toto.io/Statement/v1","predicateType":"\(type)",\
      "subject":[{"name":"tool","digest":{"sha256":"\(digests[0])"}},{"name":"linux/tool","digest":{"sha256":"\(digests[1])"}}],\
      "predicate":\(AttestedRelease.provenance())}
      """
    }
    let orphan = try AttestedRelease.rule(OrphanBundleRule.self, "{}")
    let unverified = try AttestedRelease.rule(UnverifiedAttestationRule.self, "{}")
    try release.write(path, try release.bundle(over: payload(AttestedRelease.provenanceType)))
    #expect(try release.findings(Self.demand).map { $0.fields[1] } == ["other"])
    #expect(try release.findings(orphan, release.examined()) == [])
    #expect(try release.findings(unverified, release.examined()) == [])
    // By a stranger, it is refused for each.
    try release.write(path, try release.bundle(over: payload(AttestedRelease.provenanceType), by: "stranger"))
    #expect(try release.findings(unverified, release.examined()).map { $0.fields[1] } == ["linux/tool", "tool"])
    // Other bytes than it names: an orphan.
    try release.write(path, try release.bundle(over: payload(AttestedRelease.provenanceType)))
    try release.write("linux/tool", [2])
    try release.write("tool", [2])
    #expect(try release.findings(orphan, release.examined()).map { $0.fields[1] } == [path])
    #expect(try release.findings(Self.demand).count == 3)
    // Signet's own statements are no attestations, and neither is what cannot be read.
    try release.write("tool")
    try release.write(path, try release.bundle(over: payload("urn:signet:file:v1")))
    #expect(try release.findings(orphan, release.examined()).map { $0.fields[1] } == [path])
    try release.write(path, Array("{}".utf8))
    #expect(try release.findings(orphan, release.examined()).map { $0.fields[1] } == [path])
  }

  @Test("a build service can be trusted to attest, and not to release")
  func scope() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance())
    let policy = try release.policy(build: ["*.provenance.sigstore.json"], release: ["tool"])
    #expect(try release.findings(Self.demand, policy) == [])
    let bytes = Array("tool".utf8)
    let bundle = try Signer(release.key("build")).sign(
      .bytes(bytes), Signer.FileClaims(name: "tool", signedAt: AttestedRelease.time))
    let verdict = try Verifier(policy: policy, clock: .fixed(AttestedRelease.time)).verify(
      .bytes(bytes), signatures: .bytes([bundle.canonicalBytes()]), expecting: .file(named: "tool"))
    if case .refused(let refusal) = verdict {
      #expect(refusal.reasons.map(\.code) == [.signerOutOfScope])
    } else {
      Issue.record("the build service has released the tool")
    }
    let narrow = try release.policy(build: ["*.sbom.sigstore.json"], release: ["tool"])
    let expected = refused(
      "is signed by a signer who is not trusted for this artifact", "signer.out-of-scope",
      "build: file *.sbom.sigstore.json", "tool, which is taken for no module and no URI")
    #expect(try release.findings(Self.demand, narrow) == [expected])
  }

  @Test("a threshold for releases does not count for attestations, and an expired policy trusts nobody")
  func terms() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance())
    var terms = TrustPolicy.Terms()
    terms.requirement = .threshold(2)
    #expect(try release.findings(Self.demand, release.policy(terms)) == [])
    terms.requirement = .exact
    #expect(try release.findings(Self.demand, release.policy(terms)) == [])
    terms.expires = UnixTime(seconds: AttestedRelease.time.seconds - 1)
    let expected = refused(
      "cannot be verified: the trust policy has expired", "policy.expired", "a time up to 2026-11-21T02:36:36Z",
      "2026-11-21T02:36:37Z")
    #expect(try release.findings(Self.demand, release.policy(terms)) == [expected])
  }

  @Test("one good attestation is enough, whatever others are beside it")
  func several() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance(), label: "a", by: "stranger")
    try release.attest(AttestedRelease.provenance(), label: "b")
    try release.attest("{}", "https://example.com/test-result", label: "c", by: "release")
    let found = try release.findings(
      """
      [{"type":"provenance","signers":["build"]},
       {"type":"https://example.com/test-result","signers":["release"]}]
      """)
    #expect(found == [])
  }

  @Test("a directory is attested by the digest of its listing")
  func directories() throws {
    let release = try AttestedRelease()
    try release.write("app/main")
    let directory = try Directory(opening: release.folder.file("app"))
    let claims = try Signer.FileClaims(name: "app", signedAt: AttestedRelease.time)
    let bundle = try Signer(release.key("release")).sign(.directory(directory), claims).canonicalBytes()
    try release.write("app.sigstore.json", bundle)
    let verifier = Verifier(policy: try release.policy(), clock: .fixed(AttestedRelease.time))
    let proof = try verifier.verify(
      .directory(directory), signatures: .bytes([bundle]), expecting: .directory(named: "app")
    ).get()
    let listing = proof.listing
    func examined(_ outcome: ExaminedArtifact.Outcome) -> ExaminedArtifact {
      ExaminedArtifact(path: "app", isDirectory: true, size: listing.size, sha256: listing.digest, outcome)
    }
    try release.attest("{}", "https://example.com/t", of: "app", bytes: listing.canonicalBytes())
    let demand = #"[{"type":"https://example.com/t","signers":["build"],"artifacts":["app"]}]"#
    #expect(try release.findings(demand, nil, [examined(.verified(proof.signatures, strangers: []))]) == [])
    let expected = refused(
      "cannot be compared with a directory that is refused", path: "app", "signature.missing",
      "an attestation by a trusted signer")
    #expect(
      try release.findings(
        demand, nil, [examined(.refused([SignetError(.signatureMissing, "app", "has no signature")]))]) == [expected])
  }

  @Test("a demand that nothing can meet, or that demands nothing, is a finding about the policy")
  func policyFaults() throws {
    let release = try AttestedRelease()
    let none = Found(
      "cannot be checked for attestations, because the policy demands none", path: nil,
      place: "rules.attestation.demands", expected: "one demand or more", found: "none")
    #expect(try release.findings("[]") == [none])
    let found = try release.findings(
      """
      [{"type":"provenance","signers":["build"],"artifacts":["*.deb"]},
       {"type":"provenance","signers":["biuld"],"artifacts":["*.deb","tool.zip"]}]
      """)
    let message = "has no artifact that a demand for attestations is about"
    let expected = [
      Found(
        message, path: nil, place: "rules.attestation.demands[0].artifacts", expected: "*.deb", found: "none of them"),
      Found(
        "cannot be attested by a signer that the trust policy does not have", path: nil,
        place: "rules.attestation.demands[1].signers", expected: "build, release", found: "biuld"),
      Found(
        message, path: nil, place: "rules.attestation.demands[1].artifacts", expected: "*.deb, tool.zip",
        found: "none of them"),
    ]
    #expect(found == expected)
  }

  @Test(
    "demands are read strictly",
    arguments: [
      #"{"type":"provenance"}"#, #"{"type":"provenance","signers":[]}"#, #"{"type":"slsa","signers":["a"]}"#,
      #"{"type":"urn:signet:file:v1","signers":["a"]}"#, #"{"type":"provenance","signers":["a"],"artifacts":[]}"#,
      #"{"type":"provenance","signers":["a"],"artifacts":["/x"]}"#,
      #"{"type":"provenance","signers":["a"],"commit":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}"#,
      #"{"type":"provenance","signers":["a"],"source":"x","commit":"main"}"#,
      #"{"type":"provenance","signers":["a"],"builder":"https://*.example.com"}"#,
      #"{"type":"provenance","signers":["a"],"builder":"https://example.com/*"}"#,
      #"{"type":"verification-summary","signers":["a"],"policySHA256":"00"}"#,
    ])
  func strict(demand: String) {
    expectError(.jsonWrongValue) { _ = try AttestedRelease.rule(AttestationRule.self, #"{"demands":[\#(demand)]}"#) }
  }

  @Test("a field that the demanded type does not have is refused, and so is a demand without a type")
  func fields() {
    func refused(_ code: SignetError.Code, _ demand: String) {
      expectError(code) { _ = try AttestedRelease.rule(AttestationRule.self, #"{"demands":[\#(demand)]}"#) }
    }
    refused(.jsonMissingField, #"{"signers":["build"]}"#)
    refused(.policyUnknownField, #"{"type":"provenance","signers":["a"],"verifier":"x"}"#)
    refused(.policyUnknownField, #"{"type":"sbom","signers":["a"],"builder":"x"}"#)
  }
}
