internal import SignetBase

extension Verifier {
  /// What the caller takes an artifact for. The kind decides which proof a verification gives, so that what was proved
  /// of one kind cannot pass for another.
  public struct Expectation<Proof: VerificationProof>: Sendable {
    let kind: any ArtifactKind
    let prove: @Sendable (Evidence) throws(SignetError) -> Proof
    /// Whether the flat and the tree digest both have to be compared.
    private(set) var establishesBothDigests = false

    init(_ kind: some ProvableKind<Proof>) {
      self.kind = kind
      prove = { (evidence) throws(SignetError) in try kind.prove(evidence) }
    }

    /// What the statement must call the artifact, byte for byte.
    public var name: String { kind.name }
    /// The types that the statement may have: one, or two where the statement says what the artifact is.
    public var predicateTypes: [PredicateType] { kind.predicateTypes }

    /// The same, with both digests established whatever the policy says: it takes a pass of SHA-256 more.
    public func establishingBothDigests() -> Self {
      var expectation = self
      expectation.establishesBothDigests = true
      return expectation
    }
  }
}
