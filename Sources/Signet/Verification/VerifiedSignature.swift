public import SignetCrypto

/// A signature by a key the policy trusts, over a statement that holds.
public struct VerifiedSignature: Sendable {
  /// Whose it is.
  public let key: PublicKey
  /// What was signed.
  public let statement: Statement
  /// SHA-256 of the payload, byte for byte as it was signed: signatures over the same payload have the same.
  public let payloadDigest: Digest

  /// The names of the policy's entries that it may count for.
  public let entries: [String]
  /// The certificates from the signer's to the trusted one; nil where the signature came without, or a bare key is
  /// trusted.
  public let certificatePath: CertificatePath?

  init(
    key: PublicKey, statement: Statement, payloadDigest: Digest, entries: [String], certificatePath: CertificatePath?
  ) {
    self.key = key
    self.statement = statement
    self.payloadDigest = payloadDigest
    self.entries = entries
    self.certificatePath = certificatePath
  }
}
