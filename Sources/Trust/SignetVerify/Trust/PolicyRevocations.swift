package import SignetBase
internal import SignetCrypto

extension TrustPolicy {
  /// The policy's revocation of a key, by its ID.
  func revocation(of key: PublicKey) -> Revocation? {
    revocations.first { if case .key(let id) = $0.target { key.id == id } else { false } }
  }

  /// The policy's revocation of a key that something claims to be signed by.
  func revocation(ofClaimed id: String) -> Revocation? {
    revocations.first { if case .key(let key) = $0.target { key.matches(id) } else { false } }
  }

  /// The policy's revocation of a certificate, by its serial number.
  func revocation(of certificate: Certificate) -> Revocation? {
    revocations.first { revocation in
      guard case .certificate(let serial, let issuer) = revocation.target else { return false }
      return serial.isExactly(certificate.serialNumber)
        && (issuer.map { $0.isExactly(certificate.issuer.description) } ?? true)
    }
  }

  /// Whether the policy revokes a key, by its ID.
  package func revokes(_ key: KeyID) -> Bool {
    revocations.contains { if case .key(key) = $0.target { true } else { false } }
  }

  /// Checks that the policy does not revoke any of these digests, for artifacts that are not read themselves.
  ///
  /// - Throws: `policy.revoked`.
  package func check(notRevoked digests: [Digest], _ name: String) throws(SignetError) {
    guard let revocation = revocation(sha256: digests, fsverity: []) else { return }
    let date = revocation.date.map { ", \($0)" } ?? ""
    throw SignetError(
      .policyRevoked, name, "is revoked by the policy", found: "revoked\(date): \(revocation.reason)",
      hint: "get a newer release")
  }

  /// Whether the policy revokes a certificate.
  ///
  /// - Parameter issuer: the name of its issuer, in the form that revocations use.
  package func revokesCertificate(serial: String, issuer: String) -> Bool {
    revocations.contains { revocation in
      guard case .certificate(let revoked, let revokedIssuer) = revocation.target else { return false }
      return revoked.isExactly(serial) && (revokedIssuer.map { $0.isExactly(issuer) } ?? true)
    }
  }

  /// Whether the policy revokes certificates by serial number.
  var revokesCertificates: Bool {
    revocations.contains { if case .certificate = $0.target { true } else { false } }
  }

  /// The policy's revocation of an artifact, by its digests.
  func revocation(sha256: [Digest], fsverity: [FSVerityDigest]) -> Revocation? {
    revocations.first { revocation in
      switch revocation.target {
      case .sha256(let digest): sha256.contains(digest)
      case .fsverity(let digest): fsverity.contains(digest)
      default: false
      }
    }
  }

  /// Whether the policy revokes artifacts by digest, so that both digests must be known.
  var revokesDigests: Bool {
    revocations.contains { revocation in
      switch revocation.target {
      case .sha256, .fsverity: true
      default: false
      }
    }
  }

  /// The policy's revocation of a release.
  func revocation(of module: ModuleIdentifier, sequence: Int, version: SemanticVersion?) -> Revocation? {
    revocations.first { revocation in
      switch revocation.target {
      case .sequence(module, sequence): true
      case .versions(module, let range): version.map { range.contains($0) } ?? false
      default: false
      }
    }
  }

  /// Whether the policy limits which releases of a module are accepted, so that the sequence must be known.
  func isAboutReleases(of module: ModuleIdentifier) -> Bool {
    floors[module] != nil
      || revocations.contains { revocation in
        switch revocation.target {
        case .sequence(module, _), .versions(module, _): true
        default: false
        }
      }
  }
}
