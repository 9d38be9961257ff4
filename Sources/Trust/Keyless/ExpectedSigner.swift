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
    package let issuer: String

    package init(_ name: String, issuer: String) { (self.name, self.issuer) = (name, issuer) }
  }
}
