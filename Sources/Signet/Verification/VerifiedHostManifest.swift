internal import SignetBase

/// The proof that somebody the policy trusts has signed exactly these bytes as the manifest of this host. Only
/// ``Verifier`` makes one.
public struct VerifiedHostManifest: VerificationProof {
  /// What it rests on.
  public let evidence: Evidence
  /// The host it is for.
  public let identifier: ModuleIdentifier
  /// Which of the host's manifests it is: what the next one must not fall below. Where signatures say different
  /// numbers about the same bytes, the least.
  public let sequence: Int

  init(_ evidence: Evidence) throws(SignetError) {
    let manifests = evidence.signatures.compactMap(\.statement.hostManifest)
    guard let first = manifests.min(by: { $0.sequence < $1.sequence }), manifests.count == evidence.signatures.count
    else {
      throw SignetError(
        .statementPredicateType, evidence.name, "is not about a host's manifest",
        expected: PredicateType.hostManifest.uri)
    }
    self.evidence = evidence
    identifier = first.identifier
    sequence = first.sequence
  }
}
