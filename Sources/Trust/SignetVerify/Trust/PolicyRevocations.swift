internal import SignetBase
package import SignetCrypto

extension TrustPolicy {
  /// The policy's revocation of a key, by its ID.
  ///
  /// - Parameter times: when the key has signed, as was proven.
  package func revocation(of key: PublicKey, at times: [UnixTime] = []) -> Revocation? {
    terms.revocations.first { if case .key(let id) = $0.target { key.id == id && $0.covers(times) } else { false } }
  }

  /// The policy's revocation of a key that something claims to be signed by.
  func revocation(ofClaimed id: String) -> Revocation? {
    terms.revocations.first { if case .key(let key) = $0.target { key.matches(id) } else { false } }
  }

  /// The policy's revocation of a certificate, by its serial number.
  func revocation(of certificate: Certificate, at times: [UnixTime]) -> Revocation? {
    terms.revocations.first { revocation in
      guard revocation.covers(times), case .certificate(let serial, let issuer) = revocation.target else {
        return false
      }
      return serial.isExactly(certificate.serialNumber)
        && (issuer.map { $0.isExactly(certificate.issuer.description) } ?? true)
    }
  }

  /// Whether the policy revokes certificates by serial number.
  var revokesCertificates: Bool {
    terms.revocations.contains { if case .certificate = $0.target { true } else { false } }
  }

  /// The policy's revocation of an artifact, by its digests.
  package func revocation(sha256: [Digest], fsverity: [FSVerityDigest]) -> Revocation? {
    terms.revocations.first { revocation in
      switch revocation.target {
      case .sha256(let digest): sha256.contains(digest)
      case .fsverity(let digest): fsverity.contains(digest)
      default: false
      }
    }
  }

  /// Whether the policy revokes artifacts by digest, so that both digests must be known.
  var revokesDigests: Bool {
    terms.revocations.contains { revocation in
      switch revocation.target {
      case .sha256, .fsverity: true
      default: false
      }
    }
  }

  /// The policy's revocation of a release.
  package func revocation(of module: ModuleIdentifier, sequence: Int, version: SemanticVersion?) -> Revocation? {
    terms.revocations.first { revocation in
      switch revocation.target {
      case .sequence(module, sequence): true
      case .versions(module, let range): version.map { range.contains($0) } ?? false
      default: false
      }
    }
  }

  /// Whether the policy limits which releases of a module are accepted, so that the sequence must be known.
  func isAboutReleases(of module: ModuleIdentifier) -> Bool {
    terms.floors[module] != nil
      || terms.revocations.contains { revocation in
        switch revocation.target {
        case .sequence(module, _), .versions(module, _): true
        default: false
        }
      }
  }
}
