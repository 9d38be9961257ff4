import SignetBase
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// Revoking a certificate revokes its key: wherever in a chain it stands, and whatever other certificates the key has.
@Suite struct RevokedCertificateTests {
  let root: TestAuthority
  /// Two certificates of one authority's key, with the serial numbers 1 and 2, as after a renewal.
  let intermediates: [Certificate]
  let key: PrivateKey
  /// Certified by the key of the intermediates.
  let leaf: Certificate

  init() throws {
    root = try TestAuthority()
    let middle = try PrivateKey.generate(.p256)
    intermediates = try [1, 2].map { [root] serial in
      try root.certify(
        middle, "/C=DE/O=Example/CN=Middle", serial: serial, extensions: TestAuthority.authorityExtensions)
    }
    key = try PrivateKey.generate(.p256)
    leaf = try TestAuthority(middle, intermediates[0]).certify(key, serial: 3)
  }

  /// - Parameters:
  ///   - known: intermediates in the policy.
  ///   - brought: intermediates in the bundle.
  private func code(revoking serial: String, known: [Certificate], brought: [[Certificate]]) throws -> SignetError
    .Code?
  {
    var terms = TrustPolicy.Terms()
    terms.revocations = [Revocation(.certificate(serial: serial, issuer: nil), reason: "bad")]
    let anchor = try TrustAnchor.anyLeaf(of: [root.certificate], intermediates: known)
    let policy = try TrustPolicy(entries: [TrustEntry("one", anchor, scope: .everything)], terms: terms)
    let bare = try Signer(key).sign(.bytes([1]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
    let bundles = try brought.map { chain in
      try SigstoreBundle(
        envelope: bare.envelope, material: .certificateChain(([leaf] + chain).map(\.der)), logEntries: [],
        timestamps: [], mediaType: .v03
      ).canonicalBytes()
    }
    let verdict = try Verifier(policy: policy, clock: .system).verify(
      .bytes([1]), signatures: .bytes(bundles), expecting: .file(named: "a"))
    if case .refused(let refusal) = verdict { return refusal.reason.code }
    return nil
  }

  @Test("the key of a revoked intermediate does not go on under its renewed certificate")
  func renewed() throws {
    #expect(try code(revoking: "07", known: intermediates, brought: [[]]) == nil)
    for serial in ["01", "02"] {
      #expect(try code(revoking: serial, known: intermediates, brought: [[]]) == .signerRevoked)
    }
    // Whichever the policy knows, and whichever the bundle brings.
    #expect(try code(revoking: "01", known: [intermediates[0]], brought: [[intermediates[1]]]) == .signerRevoked)
    #expect(try code(revoking: "02", known: [intermediates[0]], brought: [[intermediates[1]]]) == .signerRevoked)
    #expect(try code(revoking: "01", known: [], brought: [[intermediates[1], intermediates[0]]]) == .signerRevoked)
    #expect(try code(revoking: "01", known: [], brought: [[intermediates[1]], [intermediates[0]]]) == .signerRevoked)
  }

  @Test("the signer of a certificate is held against all issuers that are given, up to the last")
  func sameSigner() throws {
    func code(_ issuers: [Certificate], revoking serial: String = "ff") throws -> SignetError.Code? {
      var terms = TrustPolicy.Terms()
      terms.revocations = [Revocation(.certificate(serial: serial, issuer: nil), reason: "bad")]
      let entry = try TrustEntry("one", .sameSigner(as: leaf, issuers: issuers), scope: .everything)
      let bundle = try Signer(key).sign(.bytes([1]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0)))
      let verdict = try Verifier(policy: TrustPolicy(entries: [entry], terms: terms), clock: .system).verify(
        .bytes([1]), signatures: .bytes([bundle.canonicalBytes()]), expecting: .file(named: "a"))
      if case .refused(let refusal) = verdict { return refusal.reason.code }
      return nil
    }
    let (middle, top) = (intermediates[0], root.certificate)
    for issuers in [[middle, top], [top, middle], [middle], intermediates + [top]] {
      #expect(try code(issuers) == nil)
    }
    #expect(try code([top]) == .chainUntrusted)
    #expect(try code([middle, top], revoking: top.serialNumber) == .signerRevoked)
    let other = try TestAuthority("/C=DE/O=Example/CN=Root").certificate
    #expect(try code([middle, other]) == .chainUntrusted)
    #expect(try code([middle, other, top]) == nil)
  }
}
