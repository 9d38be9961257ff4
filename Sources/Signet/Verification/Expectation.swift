internal import SignetCrypto

extension Verifier {
  /// What the caller takes an artifact for. The kind decides which proof a verification gives, so that what was proved
  /// of one kind cannot pass for another.
  public struct Expectation<Proof: VerificationProof>: Sendable {
    /// What the statement must call the artifact, byte for byte.
    public var name: String { terms.name }
    /// What type the statement must have.
    public var predicateType: PredicateType { terms.predicateType }
    let terms: ExpectedTerms
    let prove: @Sendable (Evidence) throws(SignetError) -> Proof
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

extension Verifier.Expectation where Proof == VerifiedDirectory {
  /// A directory of this name: `urn:signet:directory:v1`.
  ///
  /// - Parameter role: what the caller takes the directory for; the policy says who may speak for that.
  public static func directory(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(terms: ExpectedTerms(name: name, predicateType: .directory, isOwn: true, role: role)) {
      (evidence) throws(SignetError) in try VerifiedDirectory(evidence)
    }
  }
}

extension Verifier.Expectation where Proof == VerifiedHostManifest {
  /// The manifest of a host, in a file of this name: `urn:signet:host-manifest:v1`.
  ///
  /// - Parameter leastSequence: the sequence of the last manifest that was accepted, or 1: none below is.
  public static func hostManifest(
    identifier: ModuleIdentifier, named name: String, leastSequence: Int
  ) -> Self {
    // Whoever signs it must be one who may speak for the host.
    var terms = ExpectedTerms(
      name: name, predicateType: .hostManifest, isOwn: true, role: ArtifactRole(module: identifier))
    terms.host = (identifier, leastSequence)
    return Self(terms: terms) { (evidence) throws(SignetError) in try VerifiedHostManifest(evidence) }
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
  /// The host a manifest must be for, and the least sequence it must have.
  var host: (identifier: ModuleIdentifier, leastSequence: Int)?

  /// Whether the artifact has to be a directory.
  var isAboutDirectory: Bool { isOwn && predicateType == .directory }
  /// The steps that are taken with each bundle.
  var steps: [Check.Step] { isOwn ? Check.Step.ofBundle(predicateType) : Check.Step.ofBundle }
}
