import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct VerifierTests {
  static let time = UnixTime(seconds: 1_800_000_000)

  struct Signed {
    let key: PrivateKey
    let artifact: [UInt8]
    let bundle: SigstoreBundle

    init(_ kind: PrivateKey.Kind = .ed25519, artifact: [UInt8] = patternBytes(40), notAfter: UnixTime? = nil) throws {
      key = try PrivateKey.generate(kind)
      self.artifact = artifact
      let before = UnixTime(seconds: VerifierTests.time.seconds - 1)
      let claims = try Signer.FileClaims(name: "plugin.zip", signedAt: before, notAfter: notAfter)
      bundle = try Signer(key).sign(.bytes(artifact), claims)
    }

    func verdict(
      _ artifact: [UInt8]? = nil, _ bundle: SigstoreBundle? = nil, policy: TrustPolicy? = nil,
      named name: String = "plugin.zip",
      at time: UnixTime = VerifierTests.time
    ) throws -> Verdict<VerifiedArtifact> {
      try Verifier(policy: policy ?? TrustPolicy(trusting: [key.publicKey]), clock: .fixed(time)).verify(
        .bytes(artifact ?? self.artifact), signatures: .bytes([(bundle ?? self.bundle).canonicalBytes()]),
        expecting: .file(named: name))
    }
  }

  static func code<Proof>(_ verdict: Verdict<Proof>) -> SignetError.Code? {
    if case .refused(let refusal) = verdict { return refusal.reason.code }
    return nil
  }

  @Test("what is signed verifies, with every kind of key", arguments: PrivateKey.Kind.allCases)
  func kinds(kind: PrivateKey.Kind) throws {
    let signed = try Signed(kind)
    guard case .verified(let proof) = try signed.verdict() else {
      Issue.record("refused")
      return
    }
    #expect(proof.name == "plugin.zip")
    #expect("\(proof)" == "plugin.zip, signed by \(signed.key.publicKey.id)")
    #expect(proof.fsverity == (try FSVerityDigest(of: signed.artifact)))
    #expect(proof.sha256 == nil, "the tree digest was used; the flat one was not established")
    #expect(proof.signatures.first?.statement.subjectDigest == (try Digest.of(signed.artifact, .sha256)))
    #expect(proof.artifact.bytes == signed.artifact)
  }

  @Test("a refusal says whom the policy trusts, and if that is nobody")
  func trusted() throws {
    let signed = try Signed()
    let other = try PrivateKey.generate(.ed25519).publicKey
    for (policy, expected) in [
      (try TrustPolicy(entries: []), "nobody: the policy is empty"),
      (try TrustPolicy(entries: [TrustEntry("release", .key(other), scope: .everything)]), "a signature by release"),
    ] {
      guard case .refused(let refusal) = try signed.verdict(policy: policy) else {
        Issue.record("was verified")
        continue
      }
      #expect(refusal.reason.code == .signerUntrusted)
      #expect(refusal.reason.expected == expected)
    }
  }

  @Test("every single changed bit of artifact, payload and signature is refused", .slow)
  func everyBit() throws {
    let signed = try Signed()
    func flip(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
      var bytes = bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return bytes
    }
    for bit in 0..<signed.artifact.count * 8 {
      #expect(Self.code(try signed.verdict(flip(signed.artifact, bit))) == .digestMismatch)
    }
    let envelope = signed.bundle.envelope
    for bit in 0..<envelope.payload.count * 8 {
      let bundle = SigstoreBundle(
        payload: flip(envelope.payload, bit), signature: envelope.signature, key: signed.key.publicKey.id)
      #expect(Self.code(try signed.verdict(nil, bundle)) == .signatureInvalid)
    }
    for bit in 0..<envelope.signature.count * 8 {
      let bundle = SigstoreBundle(
        payload: envelope.payload, signature: flip(envelope.signature, bit), key: signed.key.publicKey.id)
      #expect(Self.code(try signed.verdict(nil, bundle)) == .signatureInvalid)
    }
  }

  @Test("every single changed byte of the bundle's text either changes nothing that is signed or is refused", .slow)
  func everyByte() throws {
    let signed = try Signed(artifact: [1])
    let text = try signed.bundle.canonicalBytes()
    let verifier = Verifier(policy: try TrustPolicy(trusting: [signed.key.publicKey]), clock: .fixed(Self.time))
    for index in text.indices {
      for bit in 0..<8 as Range<UInt8> {
        var changed = text
        changed[index] ^= 1 << bit
        let verdict = try verifier.verify(
          .bytes([1]), signatures: .bytes([changed]), expecting: .file(named: "plugin.zip"))
        guard case .verified = verdict else { continue }
        let bundle = try SigstoreBundle(json: changed)
        #expect(bundle.envelope.payload == signed.bundle.envelope.payload)
        #expect(bundle.envelope.signature == signed.bundle.envelope.signature)
        #expect(bundle.claimedKeyIDs != signed.bundle.claimedKeyIDs, "only a hint may differ")
      }
    }
  }

  @Test("an empty policy trusts nobody")
  func emptyPolicy() throws {
    #expect(Self.code(try Signed().verdict(policy: try TrustPolicy(trusting: []))) == .signerUntrusted)
  }

  @Test("no bundle is signature.missing")
  func missing() throws {
    let verdict = try Verifier(policy: try TrustPolicy(trusting: []), clock: .fixed(Self.time))
      .verify(.bytes([]), signatures: .absent, expecting: .file(named: "x"))
    #expect(Self.code(verdict) == .signatureMissing)
    #expect(verdict.checks.map(\.step) == [.presence])
  }

  @Test("a weak RSA key is refused unless the policy says otherwise")
  func weakKey() throws {
    let pem = try Repository.bytes("keys/insecure-test-rsa2048")
    let key = try PrivateKey(file: SecretBytes(pem)) { nil }
    expectError(.signingWeakKey) { _ = try Signer(key) }
    let statement = Statement(
      file: "x", digest: try Digest.of([], .sha256),
      FilePredicate(size: 0, fsverity: try FSVerityDigest(of: []), signedAt: Self.time))
    let payload = try statement.canonicalBytes()
    let signature = try key.sign(Envelope.preAuthenticationEncoding(of: payload))
    let bundle = try SigstoreBundle(payload: payload, signature: signature, key: key.publicKey.id).canonicalBytes()
    func verdict(_ policy: TrustPolicy) throws -> Verdict<VerifiedArtifact> {
      try Verifier(policy: policy, clock: .fixed(Self.time))
        .verify(.bytes([]), signatures: .bytes([bundle]), expecting: .file(named: "x"))
    }
    let keys = [key.publicKey]
    expectError(.policyWeakKey) { _ = try TrustPolicy(trusting: keys, allowsTestKeys: true) }
    expectError(.policyTestKey) { _ = try TrustPolicy(trusting: keys, leastRSABits: 2048) }
    let policy = try TrustPolicy(trusting: keys, leastRSABits: 2048, allowsTestKeys: true)
    #expect(try verdict(policy).get().signatures.map(\.key) == keys)
  }

  @Test(
    "the IDs of the keys in keys/ are compiled in",
    arguments: ["ed25519", "encrypted", "rsa2048", "rsa3072", "rsa4096", "p256", "p384"])
  func testKeys(name: String) throws {
    let key = try PublicKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-\(name).pub")))
    #expect(TestKeys.contains(key.id))
    #expect(!TestKeys.contains(try PrivateKey.generate(.ed25519).publicKey.id))
  }

  @Test("all reasons come at once that need no content, the most telling first, and every check is listed")
  func allReasons() throws {
    let signed = try Signed(notAfter: Self.time)
    let later = UnixTime(seconds: Self.time.seconds + 1)
    guard case .refused(let refusal) = try signed.verdict(patternBytes(40, seed: 9), named: "other.zip", at: later)
    else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.reasons.map(\.code) == [.statementExpired, .subjectName])
    #expect(refusal.checks.map(\.step) == [.policy, .presence] + FileKind.steps + [.quorum])
    #expect(
      refusal.checks.map(Self.word) == [
        "passed", "passed", "passed", "passed", "passed", "skipped", "skipped", "passed", "passed", "failed",
        "passed", "skipped", "skipped", "failed", "skipped", "skipped",
      ])
  }

  static func word(_ check: Check) -> String {
    switch check.outcome {
    case .passed: "passed"
    case .failed(let error): error.code == check.step.usualCode ? "failed" : "\(error.code)"
    case .skipped(let why): why.isEmpty ? "for no reason" : "skipped"
    }
  }

  @Test("of a bundle that a step refuses the later steps are skipped, and say why")
  func laterSteps() throws {
    let signed = try Signed()
    var text = try signed.bundle.canonicalBytes()
    text[0] = 0x20
    let verifier = Verifier(policy: try TrustPolicy(trusting: [signed.key.publicKey]), clock: .fixed(Self.time))
    let verdict = try verifier.verify(
      .bytes(signed.artifact), signatures: .bytes([text]), expecting: .file(named: "plugin.zip"))
    #expect(verdict.checks.map(\.step) == [.policy, .presence] + FileKind.steps + [.quorum])
    for check in verdict.checks.dropFirst(3).dropLast() {
      guard case .skipped(let why) = check.outcome else {
        Issue.record("\(check)")
        continue
      }
      #expect(why == "not looked at: bundle failed")
    }
  }

  @Test("a stranger's bundle is no reason where somebody trusted has signed too, and one where nobody has")
  func strangers() throws {
    let signed = try Signed()
    let stranger = try Signed(artifact: signed.artifact)
    let verifier = Verifier(policy: try TrustPolicy(trusting: [signed.key.publicKey]), clock: .fixed(Self.time))
    func verdict(_ bundles: [SigstoreBundle]) throws -> Verdict<VerifiedArtifact> {
      try verifier.verify(
        .bytes(signed.artifact), signatures: .bytes(bundles.map { try $0.canonicalBytes() }),
        expecting: .file(named: "plugin.zip"))
    }
    func signers(_ verdict: Verdict<VerifiedArtifact>) -> [String] {
      verdict.checks.filter { $0.step == .signer }.map(Self.word)
    }
    let both = try verdict([stranger.bundle, signed.bundle])
    #expect(try both.get().signatures.map(\.key) == [signed.key.publicKey])
    #expect(signers(both) == ["skipped", "passed"])
    let alone = try verdict([stranger.bundle])
    #expect(Self.code(alone) == .signerUntrusted)
    #expect(signers(alone) == ["failed"])
    let forged = SigstoreBundle(
      payload: stranger.bundle.envelope.payload, signature: stranger.bundle.envelope.signature,
      key: signed.key.publicKey.id)
    for bundles in [[stranger.bundle, forged], [forged, stranger.bundle], [signed.bundle, forged]] {
      #expect(Self.code(try verdict(bundles)) == .signatureInvalid, "the most telling comes first")
    }
  }

  @Test("what somebody trusted says of a file in another program's type is another proof")
  func attestation() throws {
    let key = try PrivateKey.generate(.ed25519)
    let type = PredicateType("https://example.com/report")
    let payload = Array(
      """
      {"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"a","digest":{"sha256":"\(
      try Digest.of([1], .sha256).hex)"}}],"predicateType":"\(type)","predicate":{"passed":true}}
      """.utf8)
    let signature = try key.sign(Envelope.preAuthenticationEncoding(of: payload))
    let text = try SigstoreBundle(payload: payload, signature: signature, key: key.publicKey.id).canonicalBytes()
    let verifier = Verifier(policy: try TrustPolicy(trusting: [key.publicKey]), clock: .fixed(Self.time))
    func verify<Proof>(_ expectation: Verifier.Expectation<Proof>, _ bytes: [UInt8] = [1]) throws -> Verdict<Proof> {
      try verifier.verify(.bytes(bytes), signatures: .bytes([text]), expecting: expectation)
    }
    let proof = try verify(.attestation(type, about: "a")).get()
    #expect(proof.sha256 == (try Digest.of([1], .sha256)))
    #expect(proof.fsverity == nil)
    let both = try verify(.attestation(type, about: "a").establishingBothDigests()).get()
    #expect(both.sha256 == proof.sha256)
    #expect(both.fsverity == (try FSVerityDigest(of: [1])))
    #expect(proof.signatures[0].statement.foreignPredicate?.kind == "an object")
    #expect(Self.code(try verify(.file(named: "a"))) == .statementPredicateType)
    #expect(
      Self.code(try verify(.attestation(PredicateType("https://example.com/r"), about: "a")))
        == .statementPredicateType)
    #expect(Self.code(try verify(.attestation(type, about: "a"), [2])) == .digestMismatch)
    // A type of Signet's own never counts as another program's, even where the caller says so.
    let own = try Signed()
    let policy = try TrustPolicy(trusting: [own.key.publicKey])
    let verdict = try Verifier(policy: policy, clock: .fixed(Self.time)).verify(
      .bytes(own.artifact), signatures: .bytes([own.bundle.canonicalBytes()]),
      expecting: .attestation(.file, about: "plugin.zip"))
    #expect(Self.code(verdict) == .statementPredicateType)
  }

  @Test("a statement holds up to and including its last second")
  func freshness() throws {
    let signed = try Signed(notAfter: Self.time)
    guard case .verified = try signed.verdict() else {
      Issue.record("refused")
      return
    }
    #expect(Self.code(try signed.verdict(at: UnixTime(seconds: Self.time.seconds + 1))) == .statementExpired)
  }

  @Test("log entries and timestamps are reported as not checked")
  func unchecked() throws {
    let signed = try Signed()
    let entry = TransparencyLogEntry(
      logIndex: 1, logID: [1], kind: "dsse", kindVersion: "0.0.1", integratedTime: 2, inclusionPromise: [3],
      inclusionProof: nil, canonicalizedBody: [4])
    let bundle = SigstoreBundle(
      envelope: signed.bundle.envelope, material: signed.bundle.material, logEntries: [entry], timestamps: [[5]],
      mediaType: .v02)
    let verdict = try signed.verdict(nil, bundle)
    let skipped = verdict.checks.compactMap { if case .skipped(let why) = $0.outcome { why } else { nil } }
    #expect(skipped[0] == "1 in the bundle, not checked")
    #expect(skipped[1] == "1, no authority is trusted")
  }

  @Test("a signature that cannot be checked is an error, never a verdict")
  func couldNotCheck() throws {
    let signed = try Signed()
    let key = signed.key.publicKey
    let odd = PublicKey(der: key.der, algorithm: .rsa(bits: 3072), id: key.id, handle: key.handle)
    expectError(.cryptoFailure) { _ = try signed.verdict(policy: try TrustPolicy(trusting: [odd])) }
  }
}

extension Check.Step {
  /// The code that says it failed, where there is but one.
  fileprivate var usualCode: SignetError.Code? {
    let codes: [Check.Step: SignetError.Code] = [
      .presence: .signatureMissing, .signer: .signerUntrusted, .signature: .signatureInvalid,
      .predicateType: .statementPredicateType, .name: .subjectName, .size: .digestMismatch,
      .fsverity: .digestMismatch, .sha256: .digestMismatch, .freshness: .statementExpired,
    ]
    return codes[self]
  }
}
