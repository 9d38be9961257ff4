import TestSupport
import Testing

@testable import Signet
@testable import SignetCrypto

@Suite struct VerifierTests {
  static let time = UnixTime(seconds: 1_800_000_000)

  struct Signed {
    let key: PrivateKey
    let artifact: [UInt8]
    let bundle: Bundle

    init(_ kind: PrivateKey.Kind = .ed25519, artifact: [UInt8] = patternBytes(40), notAfter: UnixTime? = nil) throws {
      key = try PrivateKey.generate(kind)
      self.artifact = artifact
      let claims = try Signer.FileClaims(name: "plugin.zip", signedAt: VerifierTests.time, notAfter: notAfter)
      bundle = try Signer(key).sign(.bytes(artifact), claims)
    }

    func verdict(
      _ artifact: [UInt8]? = nil, _ bundle: Bundle? = nil, policy: TrustPolicy? = nil,
      named name: String = "plugin.zip",
      at time: UnixTime = VerifierTests.time
    ) throws -> Verdict {
      try Verifier(policy: policy ?? TrustPolicy(trusting: [key.publicKey]), clock: .fixed(time)).verify(
        .bytes(artifact ?? self.artifact), signatures: .bytes([(bundle ?? self.bundle).canonicalBytes()]),
        expecting: .file(named: name))
    }
  }

  static func code(_ verdict: Verdict) -> SignetError.Code? {
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
    #expect(proof.fsverity == (try FSVerityDigest(of: signed.artifact)))
    #expect(proof.sha256 == nil, "the tree digest was used; the flat one was not established")
    #expect(proof.signatures.first?.statement.subjectDigest == (try Digest.of(signed.artifact, .sha256)))
    guard case .bytes(let bytes) = proof.artifact else { return }
    #expect(bytes == signed.artifact)
  }

  @Test("every single changed bit of artifact, payload and signature is refused")
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
      let bundle = Bundle(
        payload: flip(envelope.payload, bit), signature: envelope.signature, key: signed.key.publicKey.id)
      #expect(Self.code(try signed.verdict(nil, bundle)) == .signatureInvalid)
    }
    for bit in 0..<envelope.signature.count * 8 {
      let bundle = Bundle(
        payload: envelope.payload, signature: flip(envelope.signature, bit), key: signed.key.publicKey.id)
      #expect(Self.code(try signed.verdict(nil, bundle)) == .signatureInvalid)
    }
  }

  @Test("every single changed byte of the bundle's text either changes nothing that is signed or is refused")
  func everyByte() throws {
    let signed = try Signed(artifact: [1])
    let text = try signed.bundle.canonicalBytes()
    let verifier = Verifier(policy: TrustPolicy(trusting: [signed.key.publicKey]), clock: .fixed(Self.time))
    for index in text.indices {
      for bit in 0..<8 as Range<UInt8> {
        var changed = text
        changed[index] ^= 1 << bit
        let verdict = try verifier.verify(
          .bytes([1]), signatures: .bytes([changed]), expecting: .file(named: "plugin.zip"))
        guard case .verified = verdict else { continue }
        let bundle = try Bundle(json: changed)
        #expect(bundle.envelope.payload == signed.bundle.envelope.payload)
        #expect(bundle.envelope.signature == signed.bundle.envelope.signature)
        #expect(bundle.claimedKeyIDs != signed.bundle.claimedKeyIDs, "only a hint may differ")
      }
    }
  }

  @Test("an empty policy trusts nobody")
  func emptyPolicy() throws {
    #expect(Self.code(try Signed().verdict(policy: TrustPolicy(trusting: []))) == .signerUntrusted)
  }

  @Test("no bundle is signature.missing")
  func missing() throws {
    let verdict = try Verifier(policy: TrustPolicy(trusting: []), clock: .fixed(Self.time))
      .verify(.bytes([]), signatures: .none, expecting: .file(named: "x"))
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
    let bundle = try Bundle(payload: payload, signature: signature, key: key.publicKey.id).canonicalBytes()
    func verdict(_ policy: TrustPolicy) throws -> Verdict {
      try Verifier(policy: policy, clock: .fixed(Self.time))
        .verify(.bytes([]), signatures: .bytes([bundle]), expecting: .file(named: "x"))
    }
    let keys = [key.publicKey]
    #expect(Self.code(try verdict(TrustPolicy(trusting: keys, allowsTestKeys: true))) == .policyWeakKey)
    #expect(Self.code(try verdict(TrustPolicy(trusting: keys, leastRSABits: 2048))) == .policyTestKey)
    guard case .verified = try verdict(TrustPolicy(trusting: keys, leastRSABits: 2048, allowsTestKeys: true)) else {
      Issue.record("refused")
      return
    }
  }

  @Test(
    "the IDs of the keys in keys/ are compiled in",
    arguments: ["ed25519", "encrypted", "rsa2048", "rsa3072", "rsa4096", "p256", "p384"])
  func testKeys(name: String) throws {
    let key = try PublicKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-\(name).pub")))
    #expect(TestKeys.contains(key.id))
    #expect(!TestKeys.contains(try PrivateKey.generate(.ed25519).publicKey.id))
  }

  @Test("all reasons come at once, the most telling first, and every check is listed")
  func allReasons() throws {
    let signed = try Signed(notAfter: Self.time)
    let later = UnixTime(seconds: Self.time.seconds + 1)
    guard case .refused(let refusal) = try signed.verdict(patternBytes(40, seed: 9), named: "other.zip", at: later)
    else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.reasons.map(\.code) == [.digestMismatch, .statementExpired, .subjectName])
    #expect(
      refusal.checks.map(\.step) == [
        .bundle, .signer, .signature, .statement, .predicateType, .name, .size, .fsverity, .sha256, .freshness,
      ])
    for check in refusal.checks
    where [.bundle, .signer, .signature, .statement, .predicateType, .size].contains(check.step) {
      guard case .passed = check.outcome else {
        Issue.record("\(check)")
        continue
      }
    }
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
    let bundle = Bundle(
      envelope: signed.bundle.envelope, material: signed.bundle.material, logEntries: [entry], timestamps: [[5]],
      mediaType: .v02)
    let verdict = try signed.verdict(nil, bundle)
    let skipped = verdict.checks.filter { if case .skipped = $0.outcome { true } else { false } }
    #expect(skipped.map(\.step) == [.transparencyLog, .timestamps, .sha256])
  }

  @Test("a signature that cannot be checked is an error, never a verdict")
  func couldNotCheck() throws {
    let signed = try Signed()
    let key = signed.key.publicKey
    let odd = PublicKey(der: key.der, algorithm: .rsa(bits: 3072), id: key.id, handle: key.handle)
    expectError(.cryptoFailure) { _ = try signed.verdict(policy: TrustPolicy(trusting: [odd])) }
  }
}
