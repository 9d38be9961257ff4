public import SignetCrypto

/// The proof that somebody the policy trusts has signed exactly these bytes. Only ``Verifier`` makes one.
///
/// For a file it holds the descriptor that was hashed. A file that others may write to can change afterwards: whoever
/// goes on to use the bytes takes ``Artifact/bytes(_:)``, or a copy nobody else can write.
public struct VerifiedArtifact: Sendable {
  /// What was verified: the same descriptor, the same bytes.
  public let artifact: Artifact
  /// The name the statements have for it.
  public let name: String
  /// The SHA-256 that was computed and found to be the signed one; nil when it was not established.
  public let sha256: Digest?
  /// The fs-verity digest that was computed and found to be the signed one; nil when it was not established.
  public let fsverity: FSVerityDigest?
  /// The signatures that count, at least one; of one key over one payload only one.
  public let signatures: [VerifiedSignature]
  /// Every step that was taken, in order.
  public let checks: [Check]

  init(
    artifact: HashedArtifact, name: String, signatures: [VerifiedSignature], checks: [Check]
  ) {
    precondition(!signatures.isEmpty)
    self.artifact = artifact.artifact
    sha256 = artifact.flat
    fsverity = artifact.tree
    self.name = name
    self.signatures = signatures
    self.checks = checks
  }
}

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
