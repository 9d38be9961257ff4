import Foundation
import Keyless
import SignetModules
import SignetNames
import TestSupport
import Testing

@testable import SignetVerify

/// Trust policies with the field `sigstore`.
@Suite struct SigstorePolicyTests {
  private static let document = PrivateSigstore.shared
  private func sigstore() throws -> PrivateSigstore { try #require(Self.document) }

  /// The codes under a policy that differ from those of the verification alone: the verifier compares the statement itself.
  private static let others = [
    "a statement about another artifact": "digest.mismatch",
    "a statement that is none": "statement.malformed",
    "a file's statement of Signet": "statement.predicate-type",
    "a statement with a name twice": "statement.malformed",
    "a statement without subjects": "statement.subject-count",
    "a subject with a digest that cannot be read": "statement.digest-form",
    "a statement of another type": "statement.type",
    "another type of payload": "envelope.payload-type",
    "a subject whose digests are of two artifacts": "digest.mismatch",
  ]

  private func codes<Proof>(_ verdict: Verdict<Proof>) -> [String] {
    switch verdict {
    case .verified: ["ok"]
    case .refused(let refusal): refusal.reasons.map(\.code.rawValue)
    }
  }

  @Test("each case ends under a policy as it does alone", arguments: document?.names ?? [])
  func verdict(name: String) throws {
    let sigstore = try sigstore()
    let expected = try #require(sigstore.testCase(name)["expected"] as? String)
    let policy = try sigstore.policy([sigstore.entry("s", sigstore.signers(name), formats: ["dsse", "message"])])
    let found = codes(try sigstore.verify([name], policy))
    // The verifier's own reader of bundles names the fault of a form.
    let forms = ["bundle.", "envelope.", "signature.", "keyless.bundle"]
    let isForm = expected == "keyless.bundle" && found.contains { code in forms.contains { code.hasPrefix($0) } }
    #expect(isForm || found.contains(Self.others[name] ?? expected), "\(found)")
  }

  @Test("a signature of bytes alone counts where an entry's formats name it, and for no module")
  func message() throws {
    let (sigstore, name) = (try sigstore(), "message in a log, v0.3")
    let signers = try sigstore.signers(name)
    let strict = try sigstore.policy([sigstore.entry("s", signers)])
    #expect(codes(try sigstore.verify([name], strict)) == ["bundle.message-signature"])
    let policy = try sigstore.policy([sigstore.entry("s", signers, formats: ["message"])])
    let proof = try sigstore.verify([name], policy).get()
    #expect(proof.signatures.map(\.statement.predicateType) == [.message])
    #expect(proof.signatures.first?.statement.foreignPredicate == nil)
    // A file of that name, too, which no signature names.
    let content = try sigstore.artifact()
    let bundle = try sigstore.json(sigstore.testCase(name)["bundle"])
    func verify<Proof>(_ content: [UInt8], _ expectation: Verifier.Expectation<Proof>) throws -> Verdict<Proof> {
      try Verifier(policy: policy, clock: .fixed(sigstore.now())).verify(
        .bytes(content), signatures: .bytes([bundle]), expecting: expectation)
    }
    #expect(try verify(content, .file(named: "tool")).get().sha256 == Digest.of(content, .sha256))
    #expect(codes(try verify(content + [0], .file(named: "tool"))) == ["keyless.other-entry"])
    let host = try #require(ModuleIdentifier("com.example.a"))
    let manifest = try verify(content, .hostManifest(identifier: host, named: "tool", leastSequence: 1))
    #expect(codes(manifest) == ["bundle.message-signature"])
    // A statement in an envelope does not count where the bytes alone do.
    #expect(codes(try sigstore.verify(["dsse in a log, v0.3"], policy)) == ["signer.untrusted"])
  }

  @Test("an identity counts once, by however many signatures and entries; two identities count twice")
  func threshold() throws {
    let (sigstore, name) = (try sigstore(), "dsse in a log, v0.3")
    let signers = try sigstore.signers(name)
    let other = try sigstore.signers("an address of mail")
    func policy(_ entries: [[String: Any]]) throws -> TrustPolicy {
      try sigstore.policy(entries, ["threshold": 2])
    }
    let twice = try policy([sigstore.entry("a", signers), sigstore.entry("b", signers)])
    #expect(codes(try sigstore.verify([name, "dsse in a log, v0.2"], twice)) == ["policy.threshold"])
    let both = try policy([sigstore.entry("a", signers), sigstore.entry("b", other)])
    #expect(codes(try sigstore.verify([name, "dsse in a log, v0.2"], both)) == ["policy.threshold"])
  }

  @Test("an identity can be revoked, for all times and from one on")
  func revoked() throws {
    let (sigstore, name) = (try sigstore(), "dsse in a log, v0.3")
    let entry = sigstore.entry("s", try sigstore.signers(name))
    let identity = try sigstore.text("identity")
    func codes(_ more: [String: Any]) throws -> [String] {
      let revocation = ["identity": identity, "reason": "stolen"].merging(more) { $1 }
      return self.codes(try sigstore.verify([name], sigstore.policy([entry], ["revoked": [revocation]])))
    }
    #expect(try codes([:]) == ["signer.revoked"])
    #expect(try codes(["issuer": sigstore.text("issuer")]) == ["signer.revoked"])
    #expect(try codes(["issuer": "https://other.example.com"]) == ["ok"])
    #expect(try codes(["from": "2026-01-01T00:00:00Z"]) == ["signer.revoked"])
    #expect(try codes(["from": "2100-01-01T00:00:00Z"]) == ["ok"])
    let again = try sigstore.policy(
      [entry], ["revoked": [["identity": identity, "reason": "stolen", "from": "2100-01-01T00:00:00Z"]]])
    #expect(try TrustPolicy(json: again.canonicalBytes(), with: [.sigstore]) == again)
  }

  @Test("what is revoked of a signer's certificates is refused, for statements and for bytes alone")
  func revokedCertificates() throws {
    let sigstore = try sigstore()
    let root = try SigstoreRoot(json: sigstore.json(sigstore.fields["root"]))
    let chain = try #require(root.certificateAuthorities.first?.chain)
    for name in ["dsse in a log, v0.3", "message in a log, v0.3"] {
      let entry = sigstore.entry("s", try sigstore.signers(name), formats: ["dsse", "message"])
      guard
        case .certificate(let leaf, _) = try KeylessBundle(json: sigstore.json(sigstore.testCase(name)["bundle"]))
          .signer
      else {
        Issue.record("no certificate")
        continue
      }
      for certificate in [leaf] + chain {
        let serial = ["serial": certificate.serialNumber, "issuer": "\(certificate.issuer)", "reason": "stolen"]
        let policy = try sigstore.policy([entry], ["revoked": [serial]])
        #expect(codes(try sigstore.verify([name], policy)) == ["signer.revoked"], "\(certificate.name)")
        let key = ["key": "\(try certificate.publicKey().id)", "reason": "stolen"]
        #expect(
          codes(try sigstore.verify([name], sigstore.policy([entry], ["revoked": [key]]))) == ["signer.revoked"])
      }
    }
  }

  @Test("a key of an entry is as strong as the policy demands, and no published one")
  func keys() throws {
    let sigstore = try sigstore()
    func policy(_ name: String, _ more: [String: Any] = [:], allowsTestKeys: Bool = true) throws {
      let key = Base64.encode(try TestKeys.publicKey(name).der)
      let entry = sigstore.entry("s", ["root": "public-good", "key": key, "demands": "key"])
      let fields: [String: Any] = ["version": 1, "threshold": 1, "entries": [entry]].merging(more) { $1 }
      _ = try TrustPolicy(json: sigstore.json(fields), allowsTestKeys: allowsTestKeys, with: [.sigstore])
    }
    expectError(.policyTestKey) { try policy("p256", allowsTestKeys: false) }
    expectError(.policyWeakKey) { try policy("rsa2048") }
    expectError(.policyWeakKey) { try policy("rsa3072", ["strengths": ["leastRSABits": 4096]]) }
    try policy("rsa2048", ["strengths": ["leastRSABits": 2048]])
  }

  @Test("what an identity has stated of another type does not count, and does not refuse; one proof that fails does")
  func otherTypes() throws {
    let (sigstore, name) = (try sigstore(), "dsse in a log, v0.3")
    let policy = try sigstore.policy([sigstore.entry("s", sigstore.signers(name))])
    let content = try sigstore.artifact()
    func verify<Proof>(_ names: [String], _ expectation: Verifier.Expectation<Proof>) throws -> [String] {
      codes(
        try Verifier(policy: policy, clock: .fixed(sigstore.now())).verify(
          .bytes(content), signatures: .bytes(try names.map { try sigstore.json(sigstore.testCase($0)["bundle"]) }),
          expecting: expectation))
    }
    #expect(try verify([name], .file(named: "tool")) == ["statement.predicate-type"])
    #expect(
      try verify([name], .attestation(PredicateType("https://example.com"), about: "tool")) == [
        "statement.predicate-type"
      ])
    #expect(
      try verify([name], .attestation(PredicateType("https://slsa.dev/provenance/v1"), about: "tool")) == ["ok"])
    #expect(codes(try sigstore.verify([name, "another statement"], policy)) == ["keyless.other-entry"])
  }

  @Test("a window, a scope and a floor hold for identities as for keys")
  func scope() throws {
    let (sigstore, name) = (try sigstore(), "dsse in a log, v0.3")
    var entry = sigstore.entry("s", try sigstore.signers(name))
    entry["validUntil"] = "2020-01-01T00:00:00Z"
    #expect(codes(try sigstore.verify([name], sigstore.policy([entry]))) == ["signer.outside-window"])
    entry["validUntil"] = nil
    entry["files"] = ["other-*"]
    entry["modules"] = nil
    #expect(codes(try sigstore.verify([name], sigstore.policy([entry]))) == ["signer.out-of-scope"])
  }

  @Test("a policy is written as it was read, and reads to the same")
  func rewritten() throws {
    let sigstore = try sigstore()
    let root = try #require(sigstore.fields["root"])
    let key = Base64.encode(try TestKeys.publicKey("p256").der)
    for signers: [String: Any] in [
      [
        "root": "public-good", "identities": [["identity": "a@example.com", "issuer": "https://issuer.example.com"]],
      ],
      ["root": "github", "identities": [["identity": "https://dotcom.releases.github.com"]]],
      [
        "root": root, "identities": [["repository": "https://github.com/example/tool"]], "demands": ["timestamps": 1],
      ],
      [
        "root": "public-good",
        "identities": [
          [
            "repository": "https://github.com/example/tool", "workflow": ".github/workflows/release.yml",
            "ref": "refs/tags/v*", "commit": "c0ffee", "trigger": "push", "runner": "github-hosted",
            "issuer": "https://issuer.example.com",
          ]
        ],
      ], ["root": "public-good", "key": key], ["root": "public-good", "key": key, "demands": "key"],
    ] {
      var entry = sigstore.entry("s", signers, formats: ["dsse", "message"])
      entry["modules"] = nil
      let policy = try TrustPolicy(
        json: sigstore.json(["version": 1, "threshold": 1, "entries": [entry]]), allowsTestKeys: true,
        with: [.sigstore])
      let text = try policy.canonicalBytes()
      let again = try TrustPolicy(json: text, allowsTestKeys: true, with: [.sigstore])
      #expect(again == policy)
      #expect(try again.canonicalBytes() == text)
    }
  }

  @Test("what cannot be understood is refused, with its place")
  func malformed() throws {
    let sigstore = try sigstore()
    let good: [String: Any] = ["root": "public-good", "identities": [["identity": "a", "issuer": "b"]]]
    func code(_ signers: [String: Any], formats: [String] = ["dsse"]) -> String? {
      do {
        _ = try sigstore.policy([sigstore.entry("s", signers, formats: formats)])
        return nil
      } catch { return (error as? SignetError)?.code.rawValue }
    }
    #expect(code(good) == nil)
    let cases: [(String, Any?, String)] = [
      ("root", nil, "policy.malformed"), ("root", "other", "policy.malformed"), ("root", 7, "policy.malformed"),
      ("root", [Any](), "policy.entry"), ("root", ["github", 7], "policy.malformed"),
      ("root", Array(repeating: "github", count: 9), "policy.entry"),
      ("root", ["mediaType": "x"], "keyless.root"), ("identities", [Any](), "policy.entry"),
      ("identities", [["identity": "a", "issuer": "b"], ["identity": "a", "issuer": "b"]], "policy.entry"),
      ("identities", [["identity": "a"]], "policy.entry"),
      ("identities", [["identity": ""]], "policy.malformed"), ("identities", [["name": "a"]], "policy.malformed"),
      ("identities", [["identity": "a", "isuer": "b"]], "policy.unknown-field"),
      ("identities", [["repository": "example/tool"]], "policy.malformed"),
      ("identities", [["repository": "https://github.com/example/tool", "ref": "v*"]], "policy.malformed"),
      ("identities", [["repository": "https://github.com/example/../tool"]], "policy.malformed"),
      ("identities", [["repository": "https://example.com/example/tool"]], "policy.malformed"),
      (
        "identities", [["repository": "https://github.com/example/tool", "workflow": "release.yml"]],
        "policy.malformed"
      ),
      ("demands", "all", "policy.malformed"), ("demands", ["logs": 9], "policy.malformed"),
      ("demands", ["certificateLogs": 1], "policy.entry"), ("demands", ["entries": 1], "policy.unknown-field"),
      ("demands", "key", "policy.entry"), ("demands", ["logs": 0], "policy.entry"),
      ("more", 1, "policy.unknown-field"),
    ]
    for (name, value, expected) in cases {
      var signers = good
      signers[name] = value
      #expect(code(signers) == expected, "\(name)")
    }
    #expect(code(good, formats: ["message", "other"]) == "policy.malformed")
    let key: [String: Any] = [
      "name": "k", "key": Base64.encode(try TestKeys.publicKey("p256").der), "files": ["*"],
      "formats": ["message"],
    ]
    expectError(.policyEntry) {
      _ = try TrustPolicy(
        json: sigstore.json(["version": 1, "threshold": 1, "entries": [key]]), allowsTestKeys: true, with: [.sigstore]
      )
    }
    expectError(.policyEntry) {
      _ = try TrustPolicy(
        json: sigstore.json(["version": 1, "threshold": 1, "entries": [sigstore.entry("s", good)]]))
    }
  }
}
