internal import ModuleCatalog
public import ModuleResolver
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem

/// A module that is verified and lies in the cache, as a binary for the store or as sources for the host's build.
public struct ReadyModule: Sendable {
  /// What the lock says of it.
  public let module: LockedModule
  let files: Files

  /// The files in the cache, and the module's description in the registry's index.
  enum Files: Sendable {
    /// The module's archive, the bundles beside it, and its provenance if the release has sources.
    case binary(archive: String, bundles: String?, provenance: String?, ModuleDescription)
    /// The source archive and its provenance.
    case source(archive: String, provenance: String, ModuleDescription)
    /// What a spec describes, in one of its forms.
    case specified(SpecifiedModule)
  }

  /// How the module is used.
  public var use: BinaryChoice.Use {
    switch files {
    case .binary: .binary
    case .source: .source
    case .specified(let module): if case .binary = module.form { .binary } else { .source }
    }
  }

  /// The module's name and version, for messages.
  var name: String { "\(module.identifier) \(module.version)" }

  /// Verifies the module under a policy.
  ///
  /// - Throws: why it is refused; `install.other-module`, `install.other-commit`, `install.no-summary`, `repo.provenance`.
  func check(_ policy: TrustPolicy) throws(SignetError) {
    switch files {
    case .binary: _ = try verifiedBinary(policy)
    case .source: _ = try verifiedSources(policy)
    case .specified: _ = (try verifiedBinary(policy), try verifiedCommit(policy))
    }
  }

  /// The module, verified; nil for sources.
  ///
  /// - Throws: what ``check(_:)`` throws.
  func verifiedBinary(_ policy: TrustPolicy) throws(SignetError) -> VerifiedModule? {
    if case .specified(let module) = files { return try module.verifiedBinary(policy) }
    guard case .binary(let archive, let bundles, let provenance, let description) = files else { return nil }
    let file = try opened(archive, module.served?.digests?.archive)
    let verifier = Verifier(policy: policy, clock: .system)
    let verdict = try verifier.verify(
      .file(file), signatures: bundles.map { .file($0) } ?? .absent,
      expecting: .module(module.identifier, named: name))
    switch verdict {
    case .refused(let refusal):
      var error = refusal.combined
      error.object = name
      throw error
    case .verified(let proof):
      guard proof.module == description else {
        throw SignetError(
          .installOtherModule, name, "is not the module that the registry's index describes",
          expected: "the description in the index", hint: "ask the module's publisher")
      }
      if let provenance { try checkCommit(of: file, called: name, description, provenance, verifier) }
      return proof
    }
  }

  /// The files of the commit that a spec names, verified; nil for all else.
  ///
  /// - Throws: what ``check(_:)`` throws.
  func verifiedCommit(_ policy: TrustPolicy) throws(SignetError) -> (tree: GitTree, git: GitProgram)? {
    guard case .specified(let module) = files else { return nil }
    return try module.verifiedSources(policy)
  }

  /// The source archive, verified; nil for all else.
  ///
  /// - Throws: what ``check(_:)`` throws.
  func verifiedSources(_ policy: TrustPolicy) throws(SignetError) -> SourceArchive? {
    guard case .source(let archive, let provenance, let description) = files else { return nil }
    guard policy.summary == nil else {
      throw SignetError(
        .installNoSummary, name, "would be used as source, and the policy demands what a gate says of binaries",
        hint: BinaryChoice.hint(of: module.identifier, hasBinary: description.hasBinary))
    }
    let file = try opened(archive, module.served?.digests?.source?.archive)
    try checkCommit(
      of: file, called: "the sources of \(name)", description, provenance, Verifier(policy: policy, clock: .system))
    // Who revokes a release means its sources, too: the lock names its archive, and the provenance everything that was
    // built with it.
    var digests = [module.served?.digests?.archive].compactMap(\.self)
    for bundle in try SigstoreBundle.all(in: provenance) {
      digests += try Statement(payload: bundle.envelope.payload).subjects.map(\.digest)
    }
    try policy.check(notRevoked: digests, name)
    let sources = try SourceArchive(file)
    try sources.check(of: description)
    return sources
  }

  private func opened(_ path: String, _ digest: Digest?) throws(SignetError) -> RegularFile {
    let file = try RegularFile(opening: path)
    guard let digest, try file.sha256() == digest else {
      throw SignetError(.digestMismatch, name, "was changed in the cache", found: path, hint: "install again")
    }
    return file
  }

  /// Checks that a file was built from the locked commit. So the module and its sources were built from the same one.
  private func checkCommit(
    of file: RegularFile, called name: String, _ description: ModuleDescription, _ provenance: String,
    _ verifier: Verifier
  ) throws(SignetError) {
    let source = try ReleaseProvenance.source(
      of: file, called: name, statedIn: RegularFile(opening: provenance), of: description, by: verifier)
    guard let commit = module.served?.digests?.source?.commit, source.commit.isExactly(commit) else {
      throw SignetError(
        .installOtherCommit, name, "was built from another commit than the lock has",
        expected: module.served?.digests?.source?.commit, found: source.words,
        hint: "ask the module's publisher what has happened")
    }
  }
}

extension BinaryChoice {
  /// What to do about sources that a policy does not accept.
  static func hint(of module: ModuleIdentifier, hasBinary: Bool) -> String {
    hasBinary
      ? "use its binary: \(variable(of: module))=1"
      : "ask the module's publisher for a binary for this machine"
  }
}
