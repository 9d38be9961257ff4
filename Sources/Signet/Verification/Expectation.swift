package import SignetCrypto

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

extension Verifier.Expectation where Proof == VerifiedModule {
  /// The archive of a module: `urn:signet:module:v1`. A module is known by what its statement says of it and not by the
  /// name of the file it comes in; who may speak for it depends on the identifier in the statement.
  ///
  /// - Parameters:
  ///   - identifier: the module it must be; nil for any that its signers may speak for.
  ///   - uri: the URI it is to serve, which its signers must be allowed to speak for, too.
  ///   - leastSequence: none below this is accepted.
  ///   - name: what to call the archive in messages.
  public static func module(
    _ identifier: ModuleIdentifier?, at uri: ModuleURI? = nil, leastSequence: Int = 1, named name: String
  ) -> Self {
    var terms = ExpectedTerms(name: name, predicateType: .module, isOwn: true, role: ArtifactRole(uri: uri))
    terms.module = (identifier, leastSequence)
    return Self(terms: terms) { (evidence) throws(SignetError) in try VerifiedModule(evidence) }
  }

  /// The same, with both digests established whatever the policy says.
  package func establishingBothDigests() -> Self {
    var terms = terms
    terms.establishesBothDigests = true
    return Self(terms: terms, prove: prove)
  }
}

extension Verifier.Expectation where Proof == VerifiedUnpackedModule {
  /// A directory that a module was unpacked into: `urn:signet:module:v1`. Its archive is not at hand, so its digests are
  /// not established.
  ///
  /// - Parameters:
  ///   - identifier: the module it must be.
  ///   - file: the digests of the archive's file, where it had a signing block: the policy may revoke it by them.
  ///   - name: what to call the directory in messages.
  package static func unpackedModule(
    _ identifier: ModuleIdentifier, from file: FileDigests?, named name: String
  ) -> Self {
    var terms = ExpectedTerms(name: name, predicateType: .module, isOwn: true, role: .unnamed)
    terms.module = (identifier, 1)
    terms.isUnpacked = true
    terms.unpackedFile = file
    return Self(terms: terms) { (evidence) throws(SignetError) in try VerifiedUnpackedModule(evidence) }
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

  /// The module that is expected, and the least sequence it must have.
  var module: (identifier: ModuleIdentifier?, leastSequence: Int)?
  /// Whether it is the directory that a module was unpacked into, and not the module's archive.
  var isUnpacked = false
  /// The digests of the file it was unpacked from, where those are not what is signed.
  var unpackedFile: FileDigests?
  /// Whether the flat and the tree digest both have to be compared.
  var establishesBothDigests = false

  /// What the artifact is taken for before any statement was read; nil where only the statement says that.
  var knownRole: ArtifactRole? { module == nil ? role : nil }
  /// Whether the artifact has to be a directory.
  var isAboutDirectory: Bool { isOwn && predicateType == .directory || isUnpacked }
  /// Whether the artifact has to be an archive.
  var isAboutArchive: Bool { module != nil && !isUnpacked }
  /// The steps that are taken with each bundle.
  var steps: [Check.Step] { isOwn ? Check.Step.ofBundle(predicateType) : Check.Step.ofBundle }
}
