/// The proof that somebody the policy trusts has signed exactly these bytes as a file of this name. Only ``Verifier``
/// makes one.
///
/// For a file it holds the descriptor that was hashed. A file that others may write to can change afterwards: whoever
/// goes on to use the bytes verifies ``Artifact/bytes(_:)``, or a copy nobody else can write.
public struct VerifiedArtifact: VerificationProof {
  /// What it rests on.
  public let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }
}
