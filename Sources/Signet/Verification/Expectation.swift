extension Verifier {
  /// What the caller takes an artifact for. The kind decides which proof a verification gives, so that what was proved
  /// of one kind cannot pass for another.
  public struct Expectation<Proof: VerificationProof>: Sendable {
    /// What the statement must call the artifact, byte for byte.
    public var name: String { terms.name }
    /// What type the statement must have.
    public var predicateType: PredicateType { terms.predicateType }
    let terms: ExpectedTerms
    let prove: @Sendable (Evidence) -> Proof
  }
}

extension Verifier.Expectation where Proof == VerifiedArtifact {
  /// A file of this name, signed by Signet: `urn:signet:file:v1`.
  ///
  /// - Parameter role: what the caller takes the file for; the policy says who may speak for that.
  public static func file(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(terms: ExpectedTerms(name: name, predicateType: .file, isOwn: true, role: role)) { VerifiedArtifact($0) }
  }
}

extension Verifier.Expectation where Proof == VerifiedAttestation {
  /// An artifact of this name about which another program has made a statement of this type. A type of Signet's own is
  /// always refused here.
  ///
  /// - Parameter role: what the caller takes the artifact for; the policy says who may speak for that.
  public static func attestation(
    _ type: PredicateType, about name: String, as role: ArtifactRole = .unnamed
  ) -> Self {
    Self(terms: ExpectedTerms(name: name, predicateType: type, isOwn: false, role: role)) { VerifiedAttestation($0) }
  }
}

/// What a statement must be, whatever the proof.
struct ExpectedTerms {
  let name: String
  let predicateType: PredicateType
  /// Whether a statement of one of Signet's own types is expected.
  let isOwn: Bool
  /// What the artifact is taken for.
  let role: ArtifactRole
}
