/// The proof that somebody the policy trusts has signed a statement of another program's type about exactly these
/// bytes. Only ``Verifier`` makes one.
///
/// What the statement says (``Statement/foreignPredicate``) was not looked into: that the signer said it is all that
/// was verified. A test report about a plugin is not the permission to load it, so this is not a
/// ``VerifiedArtifact``.
public struct VerifiedAttestation: VerificationProof {
  /// What it rests on.
  public let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }
}
