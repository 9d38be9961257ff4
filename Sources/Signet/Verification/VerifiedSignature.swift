public import SignetCrypto

/// A signature by a key the policy trusts, over a statement that holds.
public struct VerifiedSignature: Sendable {
  /// Whose it is.
  public let key: PublicKey
  /// What was signed.
  public let statement: Statement
  /// SHA-256 of the payload, byte for byte as it was signed: signatures over the same payload have the same.
  public let payloadDigest: Digest

  init(key: PublicKey, statement: Statement, payloadDigest: Digest) {
    self.key = key
    self.statement = statement
    self.payloadDigest = payloadDigest
  }
}
