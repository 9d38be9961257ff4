internal import SignetBase
package import SignetCrypto

/// Who is expected to have signed.
package enum ExpectedSigner: Sendable {
  /// One of these identities, each with who has established it.
  case identities([Identity])
  /// The holder of a key.
  case key(PublicKey)

  /// An identity, and who must have established it.
  package struct Identity: Sendable, Hashable {
    package let name: String
    /// Nil for authorities whose certificates do not say it, as GitHub's for releases.
    package let issuer: String?

    package init(_ name: String, issuer: String?) { (self.name, self.issuer) = (name, issuer) }

    /// Whether it is the identity of a certificate.
    func matches(_ found: CertifiedIdentity) -> Bool {
      guard name.isExactly(found.identity) else { return false }
      switch (issuer, found.issuer) {
      case (nil, nil): return true
      case (let expected?, let found?): return expected.isExactly(found)
      default: return false
      }
    }
  }
}
