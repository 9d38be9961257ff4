import SignetBase
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct CertificateVerificationTests {
  struct Signed {
    let authority: TestAuthority
    let key: PrivateKey
    let certificate: Certificate
    let bundle: SigstoreBundle

    init() throws {
      authority = try TestAuthority()
      key = try PrivateKey.generate(.p256)
      certificate = try authority.certify(key, names: ["email:release@example.com"])
      bundle = try Signer(key, certificates: [authority.certificate, certificate]).sign(
        .bytes([1]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
    }

    func verdict(_ bundle: SigstoreBundle, _ anchor: TrustAnchor) throws -> Verdict<VerifiedArtifact> {
      let policy = try TrustPolicy(entries: [TrustEntry("one", anchor, scope: .everything)])
      return try Verifier(policy: policy, clock: .system).verify(
        .bytes([1]), signatures: .bytes([bundle.canonicalBytes()]), expecting: .file(named: "a"))
    }
  }

  static func code(_ verdict: Verdict<VerifiedArtifact>) -> SignetError.Code? {
    if case .refused(let refusal) = verdict { refusal.reason.code } else { nil }
  }

  @Test("the bundle has the leaf alone, and the proof the whole path")
  func path() throws {
    let signed = try Signed()
    #expect(signed.bundle.material == .certificate(signed.certificate.der))
    let proof = try signed.verdict(signed.bundle, .anyLeaf(of: [signed.authority.certificate])).get()
    #expect(
      proof.signatures[0].certificatePath?.certificates == [signed.certificate, signed.authority.certificate])
    #expect(proof.signatures[0].entries == ["one"])
  }

  @Test("every single changed bit of the certificate is refused under its authority, and under itself", .slow)
  func everyBit() throws {
    let signed = try Signed()
    let anchors: [TrustAnchor] = [
      try .anyLeaf(of: [signed.authority.certificate]), try .anyLeaf(of: [signed.certificate]),
    ]
    // A night takes all; others take one of each byte.
    for bit in 0..<signed.certificate.der.count * 8 where Extent.isWhole || bit % 8 == bit / 8 % 8 {
      var der = signed.certificate.der
      der[bit / 8] ^= 1 << UInt8(bit % 8)
      let changed = SigstoreBundle(
        envelope: signed.bundle.envelope, material: .certificate(der), logEntries: [], timestamps: [],
        mediaType: .v03)
      for anchor in anchors { #expect(Self.code(try signed.verdict(changed, anchor)) != nil, "bit \(bit)") }
    }
  }

  @Test("a signature by a trusted signer's certificate that does not hold refuses, beside whatever good ones")
  func forged() throws {
    let signed = try Signed()
    let anchor = try TrustAnchor.anyLeaf(of: [signed.authority.certificate])
    let other = try Signer(signed.key).sign(
      .bytes([2]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
    let forged = SigstoreBundle(
      envelope: Envelope(
        payload: signed.bundle.envelope.payload, signature: other.envelope.signature, keyID: ""),
      material: signed.bundle.material, logEntries: [], timestamps: [], mediaType: .v03)
    #expect(Self.code(try signed.verdict(forged, anchor)) == .signatureInvalid)
    let policy = try TrustPolicy(entries: [TrustEntry("one", anchor, scope: .everything)])
    let verdict = try Verifier(policy: policy, clock: .system).verify(
      .bytes([1]), signatures: .bytes([signed.bundle.canonicalBytes(), forged.canonicalBytes()]),
      expecting: .file(named: "a"))
    #expect(Self.code(verdict) == .signatureInvalid)
  }

  @Test("a certificate that is none is a malformed signature, not a stranger's")
  func malformed() throws {
    let signed = try Signed()
    let broken = SigstoreBundle(
      envelope: signed.bundle.envelope, material: .certificate([0x30, 0]), logEntries: [], timestamps: [],
      mediaType: .v03)
    #expect(
      Self.code(try signed.verdict(broken, .anyLeaf(of: [signed.authority.certificate]))) == .signatureMalformed)
  }

  @Test("a certificate whose key is of a kind that Signet does not know is a stranger's")
  func unknownKey() throws {
    let signed = try Signed()
    let leaf = try Vector.named("secp256k1", in: "chains").bytes("leaf.pem")
    let certificate = try #require(Certificate.all(in: SecretBytes(leaf)).first)
    let bundle = SigstoreBundle(
      envelope: signed.bundle.envelope, material: .certificate(certificate.der), logEntries: [], timestamps: [],
      mediaType: .v03)
    let verdict = try signed.verdict(bundle, .anyLeaf(of: [signed.authority.certificate]))
    guard case .refused(let refusal) = verdict else {
      Issue.record("it is verified")
      return
    }
    #expect(refusal.reasons.map(\.code) == [.keyUnsupported])
  }

  @Test("certificates are put in order, the root is left out, and strangers are refused")
  func order() throws {
    let signed = try Signed()
    let key = signed.key.publicKey
    let chain = try SigningChain([signed.authority.certificate, signed.certificate], for: key)
    #expect(chain.certificates == [signed.certificate])
    let stranger = try TestAuthority("/CN=Stranger").certificate
    expectError(.signingCertificateChain) { _ = try SigningChain([signed.certificate, stranger], for: key) }
    expectError(.signingCertificateMismatch) { _ = try SigningChain([signed.authority.certificate], for: key) }
  }

  @Test("names that look alike are others")
  func identities() throws {
    let signed = try Signed()
    let anchors = [signed.authority.certificate]
    func code(_ identity: String) throws -> SignetError.Code? {
      let identity = try #require(SignerIdentity(identity))
      return Self.code(try signed.verdict(signed.bundle, .authority(anchors, identities: [identity])))
    }
    #expect(try code("email:release@example.com") == nil)
    #expect(try code("release@example.com") == nil)
    #expect(try code("subject:CN=Signer,O=Example,C=DE") == nil)
    for other in [
      "email:Release@example.com", "email:release@example.com.evil", "email:release@example.co",
      "dns:release@example.com",
      "uri:release@example.com", "subject:CN=Signer", "subject:CN=Signer,O=Example", "email:release@example.com ",
    ] {
      #expect(try code(other) == .signerIdentity, "\(other)")
    }
  }

  @Test("an organization of one authority is its country, its name and its units, as a whole")
  func sameAuthority() throws {
    let signed = try Signed()
    let host = try PrivateKey.generate(.p256)
    func code(_ subject: String, _ authority: TestAuthority? = nil) throws -> SignetError.Code? {
      let issuer = authority ?? signed.authority
      let certificate = try issuer.certify(host, subject)
      return Self.code(
        try signed.verdict(signed.bundle, .sameAuthority(as: certificate, issuer: issuer.certificate)))
    }
    #expect(try code("/C=DE/O=Example/CN=Host") == nil)
    for other in [
      "/C=DE/O=Other/CN=Host", "/C=FR/O=Example/CN=Host", "/C=DE/O=Example/OU=Unit/CN=Host", "/O=Example",
    ] {
      #expect(try code(other) == .signerIdentity, "\(other)")
    }
    // An authority of the same name is another one.
    #expect(try code("/C=DE/O=Example/CN=Host", TestAuthority()) != nil)
  }

  @Test("authorities overlap where they share a certificate and a name")
  func overlaps() throws {
    let (one, other) = (try TestAuthority().certificate, try TestAuthority("/CN=Other").certificate)
    func authority(_ certificates: [Certificate], _ names: String...) throws -> TrustAnchor {
      try .authority(certificates, identities: names.map { try #require(SignerIdentity($0)) })
    }
    let anchor = try authority([one], "dns:a.example")
    #expect(anchor.overlaps(try authority([other, one], "dns:b.example", "dns:a.example")))
    #expect(!anchor.overlaps(try authority([one], "dns:b.example")))
    #expect(!anchor.overlaps(try authority([other], "dns:a.example")))
    #expect(anchor.overlaps(try .anyLeaf(of: [one])))
    #expect(!anchor.overlaps(try .anyLeaf(of: [other])))
  }

  @Test("a bundle that anybody could have put there is worth what its signature is")
  func standing() throws {
    let signed = try Signed()
    let stranger = try PrivateKey.generate(.ed25519)
    func policy(_ key: PublicKey) throws -> TrustPolicy {
      try TrustPolicy(entries: [TrustEntry("one", .key(key), scope: .everything)])
    }
    let claims = try Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0))
    let bare = try Signer(stranger).sign(.bytes([2]), claims)
    let forged = SigstoreBundle(
      envelope: Envelope(payload: bare.envelope.payload, signature: signed.bundle.envelope.signature, keyID: ""),
      material: signed.bundle.material, logEntries: [], timestamps: [], mediaType: .v03)
    let claimed = SigstoreBundle(
      envelope: forged.envelope, material: bare.material, logEntries: [], timestamps: [], mediaType: .v03)
    let unreadable = SigstoreBundle(
      envelope: bare.envelope, material: .certificate([0x30, 0]), logEntries: [], timestamps: [], mediaType: .v03)
    let trusting = try policy(stranger.publicKey)
    #expect(try trusting.standing(of: bare) == .signed)
    #expect(try trusting.standing(of: claimed) == .forged)
    #expect(try trusting.standing(of: signed.bundle) == .other)
    #expect(try trusting.standing(of: forged) == .forged)
    #expect(try trusting.standing(of: unreadable) == .signed)
    func chained(_ envelope: Envelope, _ chain: [[UInt8]]) -> SigstoreBundle {
      SigstoreBundle(
        envelope: envelope, material: .certificateChain(chain), logEntries: [], timestamps: [], mediaType: .v03)
    }
    let chain = [signed.certificate.der, signed.authority.certificate.der]
    #expect(try trusting.standing(of: chained(signed.bundle.envelope, chain)) == .other)
    #expect(try trusting.standing(of: chained(forged.envelope, chain)) == .forged)
    #expect(try trusting.standing(of: chained(signed.bundle.envelope, [])) == .forged)
    #expect(try policy(PrivateKey.generate(.ed25519).publicKey).standing(of: bare) == .other)
    #expect(try policy(PrivateKey.generate(.ed25519).publicKey).standing(of: unreadable) == .forged)
  }

  @Test("a name that is given twice does not count its owner's two keys as two signers")
  func identityTwice() throws {
    let signed = try Signed()
    let identity = try #require(SignerIdentity("email:release@example.com"))
    expectError(.policyEntry) {
      _ = try TrustAnchor.authority([signed.authority.certificate], identities: [identity, identity])
    }
  }
}
