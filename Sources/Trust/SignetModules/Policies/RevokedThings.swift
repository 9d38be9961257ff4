package import SignetBase
internal import SignetCrypto
package import SignetVerify

extension TrustPolicy {
  /// Whether the policy revokes a key, by its ID.
  package func revokes(_ key: KeyID) -> Bool {
    terms.revocations.contains { if case .key(key) = $0.target { true } else { false } }
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
    terms.revocations.contains { revocation in
      guard case .certificate(let revoked, let revokedIssuer) = revocation.target else { return false }
      return revoked.isExactly(serial) && (revokedIssuer.map { $0.isExactly(issuer) } ?? true)
    }
  }
}
