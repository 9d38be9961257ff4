import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// What a policy demands beside its signers: ends, floors, revocations, windows.
@Suite struct PolicyTermsTests {
  static let time = UnixTime(seconds: 1_800_000_000)
  let key: PrivateKey
  let host: ModuleIdentifier

  init() throws {
    key = try PrivateKey.generate(.ed25519)
    host = try #require(ModuleIdentifier("com.example.player"))
  }

  private func policy(
    _ scope: TrustScope = .everything, _ window: TrustEntry.Window = .always,
    _ change: (inout TrustPolicy.Terms) throws -> Void = { _ in }
  ) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    try change(&terms)
    return try TrustPolicy(
      entries: [TrustEntry("one", .key(key.publicKey), scope: scope, window: window)], terms: terms)
  }

  private func manifest(_ policy: TrustPolicy, sequence: Int = 7) throws -> Verdict<VerifiedHostManifest> {
    let content = Array("{}".utf8)
    let claims = try Signer.HostManifestClaims(
      name: "bundle.json", identifier: host, sequence: sequence, signedAt: Self.time)
    let bundle = try Signer(key).sign(.bytes(content), claims)
    return try Verifier(policy: policy, clock: .fixed(Self.time)).verify(
      .bytes(content), signatures: .bytes([bundle.canonicalBytes()]),
      expecting: .hostManifest(identifier: host, named: "bundle.json", leastSequence: 1))
  }

  private func file(
    _ policy: TrustPolicy, at time: UnixTime = time, as role: ArtifactRole = .unnamed
  ) throws -> Verdict<VerifiedArtifact> {
    let bundle = try Signer(key).sign(.bytes([1]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
    return try Verifier(policy: policy, clock: .fixed(time)).verify(
      .bytes([1]), signatures: .bytes([bundle.canonicalBytes()]), expecting: .file(named: "a", as: role))
  }

  private func codes<Proof>(_ verdict: Verdict<Proof>) -> [SignetError.Code] {
    if case .refused(let refusal) = verdict { refusal.reasons.map(\.code) } else { [] }
  }

  @Test("a policy's floor refuses what is older, and no other module's")
  func floors() throws {
    #expect(codes(try manifest(policy { $0.floors = [host: 7] })) == [])
    #expect(codes(try manifest(policy { $0.floors = [host: 8] })) == [.policyRollback])
    let other = try #require(ModuleIdentifier("com.example.other"))
    #expect(codes(try manifest(policy { $0.floors = [other: 8] })) == [])
  }

  @Test("what has no sequence passes for no module of which the policy does not accept every release")
  func withoutSequence() throws {
    let other = try #require(ModuleIdentifier("com.example.other"))
    let range = try #require(VersionRange("<1.0.0"))
    let role = ArtifactRole(module: host)
    func codes(_ module: ModuleIdentifier) throws -> [[SignetError.Code]] {
      try [
        policy { $0.floors = [module: 1] },
        policy { $0.revocations = [Revocation(.sequence(module, 3), reason: "bad")] },
        policy { $0.revocations = [Revocation(.versions(module, range), reason: "bad")] },
      ].map { self.codes(try file($0, as: role)) }
    }
    #expect(try codes(host) == Array(repeating: [.policyRollback], count: 3))
    #expect(try codes(other) == Array(repeating: [], count: 3))
  }

  @Test("a release that is revoked is refused, the one beside it is not")
  func releases() throws {
    func revoking(_ sequence: Int) throws -> TrustPolicy {
      try policy { $0.revocations = [Revocation(.sequence(host, sequence), reason: "bad")] }
    }
    #expect(codes(try manifest(revoking(7))) == [.policyRevoked])
    #expect(codes(try manifest(revoking(8))) == [])
  }

  @Test("a manifest is spoken for by those who may speak for its host")
  func scopes() throws {
    let pattern = try #require(ModulePattern("com.example.*"))
    #expect(codes(try manifest(policy(TrustScope(modules: [pattern])))) == [])
    let elsewhere = try #require(ModulePattern("org.example.*"))
    #expect(codes(try manifest(policy(TrustScope(modules: [elsewhere])))) == [.signerOutOfScope])
    #expect(codes(try manifest(policy(TrustScope()))) == [.signerOutOfScope])
  }

  @Test("artifacts are revoked by either digest, and the proof then has both")
  func digests() throws {
    let flat = try Digest.of([1], .sha256)
    let tree = try FSVerityDigest(of: [1])
    for target in [Revocation.Target.sha256(flat), .fsverity(tree)] {
      #expect(
        codes(try file(policy { $0.revocations = [Revocation(target, reason: "bad")] })) == [.policyRevoked])
    }
    let other = Revocation(.sha256(try Digest.of([2], .sha256)), reason: "bad")
    let proof = try file(policy { $0.revocations = [other] }).get()
    #expect(proof.sha256 == flat)
    #expect(proof.fsverity == tree)
  }

  @Test("a certificate is revoked by its serial number and its issuer, and by no revocation of something else")
  func certificates() throws {
    func revokes(_ target: Revocation.Target) throws -> Bool {
      try policy { $0.revocations = [Revocation(target, reason: "bad")] }.revokesCertificate(
        serial: "0abc", issuer: "CN=x")
    }
    #expect(try revokes(.certificate(serial: "0abc", issuer: nil)))
    #expect(try revokes(.certificate(serial: "0abc", issuer: "CN=x")))
    #expect(try !revokes(.certificate(serial: "0abc", issuer: "CN=y")))
    #expect(try !revokes(.certificate(serial: "0abd", issuer: nil)))
    #expect(try !revokes(.key(PrivateKey.generate(.ed25519).publicKey.id)))
  }

  @Test("what no certificate or artifact can be known by is no revocation")
  func impossibleRevocations() throws {
    for serial in ["", "1", "AB", "00ab", "0:ab", "-01", String(repeating: "1", count: 42)] {
      let revocation = Revocation(.certificate(serial: serial, issuer: nil), reason: "bad")
      expectError(.policyEntry) { _ = try policy { $0.revocations = [revocation] } }
    }
    let long = Revocation(.sha256(try Digest.of([1], .sha512)), reason: "bad")
    expectError(.policyEntry) { _ = try policy { $0.revocations = [long] } }
    _ = try policy { $0.revocations = [Revocation(.certificate(serial: "0abc", issuer: nil), reason: "bad")] }
  }

  @Test("policies and entries hold up to and including their last second")
  func windows() throws {
    let before = UnixTime(seconds: Self.time.seconds - 1)
    #expect(codes(try file(policy { $0.expires = Self.time })) == [])
    #expect(codes(try file(policy { $0.expires = before })) == [.policyExpired])
    let exact = TrustEntry.Window(from: Self.time, until: Self.time)
    #expect(codes(try file(policy(.everything, exact))) == [])
    #expect(codes(try file(policy(.everything, exact), at: before)) == [.signerOutsideWindow])
    #expect(
      codes(try file(policy(.everything, exact), at: UnixTime(seconds: Self.time.seconds + 1)))
        == [.signerOutsideWindow])
  }

  @Test("exactly those the policy names have to sign: fewer, more and others are told")
  func exact() throws {
    let other = try PrivateKey.generate(.ed25519)
    let claims = try Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0))
    let bundles = try [key, other].map { try Signer($0).sign(.bytes([1]), claims).canonicalBytes() }
    func verdict(_ keys: [PrivateKey], _ present: [[UInt8]]) throws -> [SignetError.Code] {
      var terms = TrustPolicy.Terms()
      terms.requirement = .exact
      let entries = try keys.map { try TrustEntry("\($0.publicKey.id)", .key($0.publicKey), scope: .everything) }
      let policy = try TrustPolicy(entries: entries, terms: terms)
      return codes(
        try Verifier(policy: policy, clock: .fixed(Self.time)).verify(
          .bytes([1]), signatures: .bytes(present), expecting: .file(named: "a")))
    }
    #expect(try verdict([key, other], bundles) == [])
    #expect(try verdict([key], [bundles[0]]) == [])
    #expect(try verdict([key, other], [bundles[0]]) == [.policyExact])
    #expect(try verdict([key], bundles) == [.policyExact, .signerUntrusted])
    // Who has signed another statement, too, has not signed exactly this one.
    let later = try Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 1))
    let second = try Signer(key).sign(.bytes([1]), later).canonicalBytes()
    #expect(try verdict([key, other], bundles + [second]) == [.policyExact])
    #expect(try verdict([key], [bundles[0], second]) == [.policyExact])
  }

  @Test("advice names what is legal but unwise, and nothing else")
  func advice() throws {
    let now = Self.time
    let soon = UnixTime(seconds: now.seconds + 86400)
    let narrow = TrustScope(modules: [try #require(ModulePattern("com.example.*"))])
    #expect(try policy(narrow).advice(at: now).isEmpty)
    #expect(try policy().advice(at: now).map(\.topic) == ["wide-scope", "wide-scope"])
    #expect(try policy(TrustScope()).advice(at: now).map(\.topic) == ["no-scope"])
    #expect(try policy(narrow) { $0.expires = soon }.advice(at: now).map(\.topic) == ["expiry"])
    #expect(try policy(narrow, TrustEntry.Window(until: soon)).advice(at: now).map(\.topic) == ["expiry"])
    #expect(try policy(narrow) { $0.requirement = .threshold(2) }.advice(at: now).map(\.topic) == ["unreachable"])
    #expect(try policy(narrow) { $0.leastRSABits = 2048 }.advice(at: now).map(\.topic) == ["weak-keys"])
    #expect(try TrustPolicy(entries: []).advice(at: now).map(\.topic) == ["empty"])
    let revoked = Revocation(.key(key.publicKey.id), reason: "lost")
    #expect(
      try policy(narrow) { $0.revocations = [revoked] }.advice(at: now).map(\.topic) == ["unreachable", "revoked"])
    let weak = try PublicKey(file: SecretBytes(Repository.bytes("keys/insecure-test-rsa2048.pub")))
    var terms = TrustPolicy.Terms()
    terms.leastRSABits = 2048
    let accepting = try TrustPolicy(
      entries: [TrustEntry("weak", .key(weak), scope: narrow)], terms: terms, allowsTestKeys: true)
    #expect(accepting.advice(at: now).map(\.topic) == ["weak-keys", "weak-keys"])
    let authority = try TestAuthority()
    let any = try TrustEntry("any", .anyLeaf(of: [authority.certificate]), scope: narrow)
    let year2026 = UnixTime(seconds: authority.certificate.notBefore.seconds + 1)
    #expect(try TrustPolicy(entries: [any]).advice(at: year2026).map(\.topic) == ["any-leaf"])
    #expect(
      try TrustPolicy(entries: [any]).advice(at: authority.certificate.notAfter).map(\.topic) == [
        "any-leaf", "expiry",
      ])
  }
}
