import Foundation
import Keyless
import SignetCMS
import SignetNames
import SignetVerify
import TestSupport
import Testing

/// The instances whose trusted roots come with Signet, and what others have signed by them.
@Suite struct SigstoreInstanceTests {
  private func read(_ name: String) throws -> [UInt8] { try Repository.bytes("Tests/Vectors/keyless/public/\(name)") }

  @Test("their trusted roots are whole, canonical, and count now")
  func roots() throws {
    let now = try #require(UnixTime("2026-11-28T00:00:00Z"))
    for (instance, authorities, clocks, logs, certificateLogs) in [
      (SigstoreInstance.publicGood, 2, 1, 2, 2), (.github, 6, 6, 0, 0),
    ] {
      let root = try instance.root()
      #expect(root.certificateAuthorities.count == authorities)
      #expect(root.timestampAuthorities.count == clocks)
      #expect(root.logs.count == logs)
      #expect(root.certificateLogs.count == certificateLogs)
      #expect(root.certificateAuthorities.contains { $0.window.contains(now) })
      #expect(root.timestampAuthorities.contains { $0.window.contains(now) })
      let text = Array(instance.text.utf8)
      #expect(try CanonicalJSON.write(JSONReader.read(text, limits: .bundle)) == text)
    }
    #expect(SigstoreInstance.publicGood.demands == .publicGood)
    #expect(SigstoreInstance.github.demands == .github)
  }

  /// Verifies bytes by the workflows of a repository, in an instance.
  private func codes(
    _ file: String, _ bundles: [[UInt8]], _ repository: String, in instance: SigstoreInstance,
    _ change: (inout WorkflowIdentity) -> Void = { _ in }
  ) throws -> [String] {
    var workflow = try #require(WorkflowIdentity(repository))
    change(&workflow)
    let anchor = try TrustAnchor.vouched(
      SigstoreSigners([.instance(instance)], .identities([ExpectedIdentity(workflow)])))
    let policy = try TrustPolicy(entries: [TrustEntry("s", anchor, scope: .everything)])
    let content = try read(file)
    let verdict = try Verifier(policy: policy, clock: .fixed(#require(UnixTime("2026-11-28T00:00:00Z")))).verify(
      .bytes(content), sha256: Digest.of(content, .sha256), signatures: .bytes(bundles),
      expecting: .attestation(nil, aboutBytesCalled: file, as: .unnamed))
    switch verdict {
    case .verified(let proof): return proof.signatures.map(\.statement.predicateType.uri)
    case .refused(let refusal): return refusal.reasons.map(\.code.rawValue)
    }
  }

  @Test("what GitHub and npm have published is verified, and only by whom it is")
  func published() throws {
    let provenance = "https://slsa.dev/provenance/v1"
    let github = [try read("github.jsonl").filter { $0 != UInt8(ascii: "\n") }]
    #expect(try codes("github.whl", github, "actions/attest-demo", in: .github) == [provenance])
    #expect(try codes("github.whl", github, "actions/attest", in: .github) == ["keyless.identity"])
    #expect(try codes("github.whl", github, "actions/attest-demo", in: .publicGood) == ["timestamp.authority"])
    #expect(try codes("npm.tgz", github, "actions/attest-demo", in: .github) == ["digest.mismatch"])
    let npm = try read("npm.jsonl").split(separator: UInt8(ascii: "\n")).map { Array($0) }
    #expect(npm.count == 2)
    #expect(Set(try codes("npm.tgz", npm, "sigstore/sigstore-js", in: .publicGood)) == [provenance])
    let reusable = [try read("reusable.sigstore.json")]
    #expect(try codes("reusable", reusable, "malancas/attest-demo", in: .publicGood) == ["keyless.identity"])
    #expect(
      try codes("reusable", reusable, "malancas/attest-demo", in: .publicGood) {
        $0.workflow =
          "https://github.com/github/artifact-attestations-workflows/.github/workflows/attest.yml"
      } == [provenance])
  }

  @Test("files in which npm, PyPI and conda keep bundles are read as the bundles in them")
  func shapes() throws {
    func text(_ bundles: [[UInt8]]?) -> [String]? { bundles?.map { String(decoding: $0, as: UTF8.self) } }
    func shape(_ text: String) throws -> [String]? {
      try ForeignShapes.bundles(in: Array(text.utf8))?.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      try shape(#"{"attestations":[{"predicateType":"x","bundle":{"b":1}},{"bundle":{"a":2}}]}"#) == [
        #"{"b":1}"#, #"{"a":2}"#,
      ])
    #expect(try shape(#"[{"b":1},{"a":2}]"#) == [#"{"b":1}"#, #"{"a":2}"#])
    let pep =
      #"{"version":1,"verification_material":{"certificate":"QQ==","transparency_entries":[{"logIndex":"1"}]},"envelope":{"statement":"Qg==","signature":"Qw=="}}"#
    let bundle =
      #"{"dsseEnvelope":{"payload":"Qg==","payloadType":"application/vnd.in-toto+json","signatures":[{"sig":"Qw=="}]},"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","verificationMaterial":{"certificate":{"rawBytes":"QQ=="},"tlogEntries":[{"logIndex":"1"}]}}"#
    #expect(try shape(pep) == [bundle])
    #expect(
      try shape(
        #"{"version":1,"attestation_bundles":[{"publisher":{"kind":"GitHub"},"attestations":[\#(pep),\#(pep)]}]}"#)
        == [bundle, bundle])
    for other in [#"{"mediaType":"x"}"#, "7", "{", ""] { #expect(try shape(other) == nil) }
    for broken in [
      #"{"attestations":[{"predicateType":"x"}]}"#, #"{"attestations":7}"#, #"{"attestation_bundles":[7]}"#,
      pep.replacing(#""version":1"#, with: #""version":2"#), pep.replacing(#""statement""#, with: #""state""#),
      "[\(Array(repeating: "{}", count: 17).joined(separator: ","))]",
    ] { expectError(.keylessBundle) { _ = try shape(broken) } }
  }
}
