import Foundation
import Keyless
import SignetNames
import SignetVerify
import TestSupport
import Testing

/// Identities beside other signers of one policy: each signer counts once, and every proof must hold.
@Suite struct SigstoreCountTests {
  private static let names = ["dsse in a log, v0.3", "dsse in a log, v0.2"]

  private let sigstore: PrivateSigstore
  /// While the certificates of the signers are valid.
  private let time: UnixTime

  init() throws {
    sigstore = try #require(PrivateSigstore.shared)
    time = UnixTime(seconds: try sigstore.now().seconds - 600)
  }

  /// An entry that trusts the authority of the instance like any other, for the same identity.
  private func authority() throws -> [String: Any] {
    let root = try SigstoreRoot(json: sigstore.json(sigstore.fields["root"]))
    let chain = try #require(root.certificateAuthorities.first?.chain.map { Base64.encode($0.der) })
    return [
      "name": "a", "files": ["*"],
      "authority": [
        "certificates": [chain[1]], "intermediates": [chain[0]],
        "identities": ["uri:\(try sigstore.text("identity"))"],
      ],
    ]
  }

  private func bundle(_ name: String) throws -> [UInt8] { try sigstore.json(sigstore.testCase(name)["bundle"]) }

  private func codes(_ bundles: [[UInt8]], _ entries: [[String: Any]], _ more: [String: Any] = [:]) throws -> [String]
  {
    switch try sigstore.verify(bundles: bundles, sigstore.policy(entries, more), at: time) {
    case .verified(let proof): ["ok"] + proof.signatures.map { $0.identity == nil ? "no identity" : "identity" }
    case .refused(let refusal): refusal.reasons.map(\.code.rawValue)
    }
  }

  @Test("an authority and an instance that certify one identity are one signer")
  func authorities() throws {
    let own = sigstore.entry("s", try sigstore.signers(Self.names[0]))
    let bundles = try Self.names.map(bundle)
    #expect(try codes([bundles[0]], [authority()]) == ["ok", "no identity"])
    #expect(try codes([bundles[0]], [authority(), own]) == ["ok", "identity"])
    #expect(try codes(bundles, [authority(), own], ["threshold": 2]) == ["policy.threshold"])
    // One certificate, as a key of the policy and as an identity.
    guard case .certificate(let leaf, _) = try KeylessBundle(json: bundles[0]).signer else {
      Issue.record("no certificate")
      return
    }
    let key: [String: Any] = ["name": "k", "files": ["*"], "key": Base64.encode(try leaf.publicKey().der)]
    var bare = try #require(JSONSerialization.jsonObject(with: Data(bundles[0])) as? [String: Any])
    bare["verificationMaterial"] = ["publicKey": ["hint": ""]]
    #expect(try codes([sigstore.json(bare)], [key]) == ["ok", "no identity"])
    #expect(try codes([sigstore.json(bare), bundles[0]], [key, own], ["threshold": 2]) == ["policy.threshold"])
  }

  @Test("a proof that does not hold refuses, whoever else trusts the signer; and so does a revoked identity")
  func broken() throws {
    let own = sigstore.entry("s", try sigstore.signers(Self.names[0]))
    var bent = try #require(JSONSerialization.jsonObject(with: Data(bundle(Self.names[0]))) as? [String: Any])
    var material = try #require(bent["verificationMaterial"] as? [String: Any])
    var entries = try #require(material["tlogEntries"] as? [[String: Any]])
    var proof = try #require(entries[0]["inclusionProof"] as? [String: Any])
    proof["treeSize"] = "4"
    entries[0]["inclusionProof"] = proof
    material["tlogEntries"] = entries
    bent["verificationMaterial"] = material
    #expect(try codes([sigstore.json(bent)], [authority()]) == ["ok", "no identity"])
    #expect(try codes([sigstore.json(bent)], [own]) == ["log.proof"])
    #expect(try codes([sigstore.json(bent)], [authority(), own]) == ["log.proof"])
    let identity = try sigstore.text("identity")
    for name in [identity, String(identity.prefix { $0 != "@" })] {
      let revoked = ["revoked": [["identity": name, "reason": "stolen"]]]
      #expect(try codes([bundle(Self.names[0])], [authority(), own], revoked) == ["signer.revoked"])
    }
  }

  @Test("an identity signs a file for Signet, and its summary only where it is somebody else's")
  func summaries() throws {
    let publisher = sigstore.entry(
      "p",
      [
        "root": try #require(sigstore.fields["root"]),
        "identities": [["repository": "https://github.com/example/tool"]],
      ])
    func verify(_ bundles: [String], summaryBy signers: [String: Any]?) throws -> [String] {
      let entry = signers.map { sigstore.entry("g", $0) }
      let more: [String: Any] = entry.map { ["summary": ["signers": [$0]]] } ?? [:]
      let verdict = try Verifier(policy: sigstore.policy([publisher], more), clock: .fixed(time)).verify(
        .bytes(sigstore.artifact()), signatures: .bytes(bundles.map(bundle)), expecting: .file(named: "tool"))
      switch verdict {
      case .verified(let proof): return proof.signatures.map(\.statement.predicateType.uri)
      case .refused(let refusal): return refusal.reasons.map(\.code.rawValue)
      }
    }
    let (file, summary, other) = (
      "a file's statement of Signet", "a verification summary", "a verification summary by somebody else"
    )
    #expect(try verify([file], summaryBy: nil) == ["urn:signet:file:v1"])
    // What the identity states besides counts for nothing.
    #expect(try verify([file, "dsse in a log, v0.3"], summaryBy: nil) == ["urn:signet:file:v1"])
    #expect(try verify([file], summaryBy: sigstore.signers(other)) == ["policy.summary"])
    #expect(try verify([file, other], summaryBy: sigstore.signers(other)) == ["urn:signet:file:v1"])
    #expect(try verify([file, summary], summaryBy: sigstore.signers(summary)) == ["policy.summary"])
  }

  @Test(
    "bytes that are those of an envelope are no message, and of subjects with SHA-512 alone the artifact's is found")
  func envelopes() throws {
    let entry = sigstore.entry("s", try sigstore.signers("message in a log, v0.3"), formats: ["message"])
    let content = Array("DSSEv1 1 a 1 b".utf8)
    let verdict = try Verifier(policy: sigstore.policy([entry]), clock: .fixed(time)).verify(
      .bytes(content), signatures: .bytes([bundle("message in a log, v0.3")]), expecting: .file(named: "tool"))
    guard case .refused(let refusal) = verdict else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.reasons.map(\.code.rawValue) == ["bundle.message-signature"])
  }
}
