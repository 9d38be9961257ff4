internal import SignetBase
internal import SignetCrypto

/// What a policy revokes, and which releases it no longer accepts.
///
/// A verification asks this type about everything that it finds, and asks nothing else. The exception is the
/// revocation lists of certificates, which belong to the certificates' chains.
package struct Revocations {
  private let policy: TrustPolicy
  /// The keys of revoked certificates, both of certificates in the policy and of those that came with bundles.
  ///
  /// Revoking a certificate revokes its key, whatever else the key signs with.
  private var keys: [PublicKey: [Certificate]] = [:]
  /// When the signature was there, as others have proven.
  private var times: [UnixTime] = []
  /// Whether the policy revokes artifacts by digest, so that both digests must be known.
  let areAboutDigests: Bool

  package init(of policy: TrustPolicy) {
    self.policy = policy
    areAboutDigests = policy.revokesDigests
    noteKeys(of: (policy.entries + (policy.summary?.signers ?? [])).flatMap(\.anchor.certificates))
    noteKeys(of: policy.timestampAuthorities)
  }

  /// Notes revoked certificates among those that a bundle carries.
  ///
  /// An unparsable certificate is skipped here. The bundle is refused for it elsewhere.
  mutating func note(certificatesOf bundle: SigstoreBundle) {
    guard policy.revokesCertificates else { return }
    switch bundle.material {
    case .publicKey: return
    case .certificate(let leaf): noteKeys(of: [leaf].compactMap { try? Certificate(der: $0) })
    case .certificateChain(let chain): noteKeys(of: chain.compactMap { try? Certificate(der: $0) })
    }
  }

  /// The same, for a signature that was there at these times.
  func at(_ times: [UnixTime]) -> Revocations {
    var dated = self
    dated.times = times
    return dated
  }

  /// The same, with what is revoked among these certificates, which did not come in a bundle.
  func noting(_ certificates: [Certificate]) -> Revocations {
    var noted = self
    noted.noteKeys(of: certificates)
    return noted
  }

  private mutating func noteKeys(of certificates: [Certificate]) {
    for certificate in certificates {
      guard policy.revocation(of: certificate, at: []) != nil, let key = try? certificate.publicKey() else {
        continue
      }
      keys[key, default: []].append(certificate)
    }
  }

  /// The revocation of a certificate with this key, by its serial number.
  private func revocation(ofCertificateWith key: PublicKey) -> Revocation? {
    keys[key]?.lazy.compactMap { policy.revocation(of: $0, at: times) }.first
  }

  /// Why a signer's key is refused, wherever it comes from; nil if it is not.
  package func objection(to key: PublicKey, _ label: String) -> SignetError? {
    if let revocation = policy.revocation(of: key, at: times) {
      return revoked(label, "is signed by a key that the policy revokes", what: "\(key.id)", by: revocation)
    }
    return revocation(ofCertificateWith: key).map {
      revoked(label, "is signed by the key of a certificate that the policy revokes", what: "\(key.id)", by: $0)
    }
  }

  /// Why a signer that the policy does not trust was revoked; nil if the policy says nothing of it.
  ///
  /// An entry is often removed once its key is revoked. A user with a bundle by that key should still learn of
  /// it. Nothing shows that the key that a bundle names has signed it, and the bundle is refused either way.
  ///
  /// - Parameter claims: the key IDs that the bundle names.
  package func objection(toClaimed claims: [String], _ label: String) -> SignetError? {
    for id in claims {
      guard let revocation = policy.revocation(ofClaimed: id) else { continue }
      return revoked(label, "names a key that the policy revokes", what: id, by: revocation)
    }
    return nil
  }

  /// Why a certificate path to a signer is refused; nil if it is not.
  package func objection(to path: CertificatePath, _ label: String) -> SignetError? {
    for certificate in path.certificates {
      if let revocation = policy.revocation(of: certificate, at: times) {
        return revoked(
          label, "has a certificate in its chain that the policy revokes", what: certificate.name, by: revocation)
      }
      guard let key = try? certificate.publicKey() else { continue }
      if let revocation = policy.revocation(of: key, at: times) {
        return revoked(label, "has a key in its chain that the policy revokes", what: "\(key.id)", by: revocation)
      }
      // An issuer may have several certificates for one key.
      if let revocation = revocation(ofCertificateWith: key) {
        return revoked(
          label, "has the key of a certificate in its chain that the policy revokes",
          what: "\(certificate.name), \(key.id)", by: revocation)
      }
    }
    return nil
  }

  /// Why a signature by an identity is refused; nil if it is not. Every time that proves it must be before the revocation.
  func objection(to identity: ProvenIdentity, _ label: String) -> SignetError? {
    let revocation = policy.revocations.first { revocation in
      guard case .identity(let name, let issuer) = revocation.target else { return false }
      return (name.isExactly(identity.name) || name.isExactly(identity.holder))
        && (issuer.map { $0.isExactly(identity.issuer ?? "") } ?? true)
        && revocation.covers(identity.times)
    }
    return revocation.map {
      revoked(label, "is signed by an identity that the policy revokes", what: identity.name, by: $0)
    }
  }

  /// Why a release of a module, or of a host's manifest, is refused; nil if it is not.
  package func objection(
    toRelease sequence: Int, _ version: SemanticVersion?, of identifier: ModuleIdentifier, _ name: String
  ) -> SignetError? {
    if let floor = policy.floors[identifier], sequence < floor {
      return SignetError(
        .policyRollback, name, "is older than the policy accepts",
        expected: "a sequence of \(floor) or more, the policy's floor of \(identifier)",
        found: "\(sequence)", hint: "get the current release")
    }
    guard let revocation = policy.revocation(of: identifier, sequence: sequence, version: version) else {
      return nil
    }
    return SignetError(
      .policyRevoked, name, "is a release that the policy revokes", found: "\(revocation)",
      hint: "get a newer release")
  }

  /// Why an artifact without a sequence is refused; nil if it is not.
  ///
  /// A floor that is compared with nothing must not look like a floor that is met.
  ///
  /// - Parameter module: the module that the artifact is taken for; nil if it is not taken for one.
  package func objection(
    toMissingSequenceOf module: ModuleIdentifier?, in statement: Statement, _ name: String
  ) -> SignetError? {
    guard let module, policy.isAboutReleases(of: module) else { return nil }
    return SignetError(
      .policyRollback, name, "has no sequence, and the policy does not accept every release of \(module)",
      expected: "a signed module", found: statement.predicateType.uri, hint: "get the module's archive")
  }

  /// Why an artifact with these digests is refused; nil if it is not.
  package func objection(toDigests flats: [Digest], _ trees: [FSVerityDigest], _ name: String) -> SignetError? {
    guard let revocation = policy.revocation(sha256: flats, fsverity: trees) else { return nil }
    let date = revocation.date.map { ", \($0)" } ?? ""
    return SignetError(
      .policyRevoked, name, "is revoked by the policy",
      found: "\(flats[0]), revoked\(date): \(revocation.reason)", hint: "get a newer release")
  }

  private func revoked(_ label: String, _ message: String, what: String, by revocation: Revocation) -> SignetError {
    let date = revocation.date.map { ", \($0)" } ?? ""
    let from = revocation.from.map { ", from \($0) on" } ?? ""
    return SignetError(
      .signerRevoked, label, message, found: "\(what), revoked\(from)\(date): \(revocation.reason)",
      hint: "ask the publisher for a release with a new signature")
  }
}
