internal import SignetBase
package import SignetCrypto

extension Verifier {
  /// What the caller takes an artifact for. The kind decides which proof a verification gives, so that what was proved
  /// of one kind cannot pass for another.
  public struct Expectation<Proof: VerificationProof>: Sendable {
    /// What the statement must call the artifact, byte for byte.
    public var name: String { expected.name }
    /// The types that the statement may have: one, or two where the statement says what the artifact is.
    public var predicateTypes: [PredicateType] { expected.kinds.map(\.predicateType) }
    let expected: ExpectedKind
    let prove: @Sendable (Evidence) throws(SignetError) -> Proof
  }
}

extension Verifier.Expectation {
  /// The same, with both digests established whatever the policy says: it takes a pass of SHA-256 more.
  public func establishingBothDigests() -> Self {
    Self(expected: expected.establishingBothDigests(), prove: prove)
  }
}

extension Verifier.Expectation where Proof == VerifiedArtifact {
  /// A file of this name, signed by Signet: `urn:signet:file:v1`.
  ///
  /// - Parameter role: what the caller takes the file for; the policy says who may speak for that.
  public static func file(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(expected: .one(.file(named: name, as: role))) { VerifiedArtifact($0) }
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
    Self(expected: .one(ExpectedTerms(name: name, predicateType: type, isOwn: false, role: role.named(name)))) {
      VerifiedAttestation($0)
    }
  }
}

extension Verifier.Expectation where Proof == VerifiedDirectory {
  /// A directory of this name: `urn:signet:directory:v1`.
  ///
  /// - Parameter role: what the caller takes the directory for; the policy says who may speak for that.
  public static func directory(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(expected: .one(ExpectedTerms(name: name, predicateType: .directory, isOwn: true, role: role.named(name)))) {
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
    return Self(expected: .one(terms)) { (evidence) throws(SignetError) in try VerifiedHostManifest(evidence) }
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
    Self(expected: .one(.module(identifier, at: uri, leastSequence: leastSequence, named: name))) {
      (evidence) throws(SignetError) in try VerifiedModule(evidence)
    }
  }
}

extension Verifier.Expectation where Proof == VerifiedFileOrModule {
  /// A file or a module's archive: the statement says which, once its signature was found to be by somebody trusted, and
  /// all that count have to say the same.
  ///
  /// What is a module by its looks is nothing else: a ZIP with a signing block, or that lists a `module.json`. What is
  /// no archive is a file.
  ///
  /// - Parameters:
  ///   - name: what the statement must call a file; what to call an archive in messages.
  ///   - role: what the caller takes the artifact for. Where it names a module, an archive must be that one.
  public static func fileOrModule(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(
      expected: .fileOrModule(
        file: .file(named: name, as: role),
        module: .module(role.module, at: role.uri, leastSequence: 1, named: name))
    ) { (evidence) throws(SignetError) in try VerifiedFileOrModule(evidence) }
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
    return Self(expected: .one(terms)) { (evidence) throws(SignetError) in try VerifiedUnpackedModule(evidence) }
  }
}
