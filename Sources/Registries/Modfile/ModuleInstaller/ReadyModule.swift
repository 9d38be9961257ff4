internal import ModuleCatalog
public import ModuleResolver
internal import ModuleStore
internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem

/// A module that was verified and lies in the cache, as a binary for the store or as sources for the host's build.
///
/// There is none that was not verified. What the cache has is known by its digest from then on: it is read again when it is
/// installed, and nothing else is taken.
public struct ReadyModule: Sendable {
  /// What the lock says of it.
  public let module: LockedModule
  private let content: Content
  /// What lets the release have less than the one before it.
  let exceptions: ContinuityExceptions
  /// Why it was let through, although it has less than the release in the lock.
  private(set) var remarks: [SignetError] = []

  /// What is installed.
  private enum Content: Sendable {
    case binary(VerifiedBinary)
    /// A source archive in the cache.
    case archive(path: String, sha256: Digest)
    /// The files of the commit that a spec names.
    case commit(GitTree, from: GitProgram)
  }

  /// How the module is used.
  public var use: BinaryChoice.Use { if case .binary = content { .binary } else { .source } }

  /// Whom the registry names as signers of the release, and of the one in the lock.
  private let stated: Stated
  private let old: LockedModule.Served?

  /// Whom a registry names as signers.
  struct Stated: Sendable {
    let now: [ReleaseSigner]
    let before: [ReleaseSigner]
  }

  /// Who has signed the release, as the lock shall have it; nil for what it has already.
  func signers(in served: LockedModule.Served) -> ([ReleaseSigner], LockedModule.Served.Standing)? {
    let limit = SignatureSource.bundleLimit
    if case .binary(let binary) = content {
      // What was verified before stays: another policy may trust others.
      guard served.standing != .verified else { return nil }
      let found = binary.record.signers.compactMap {
        ReleaseSigner($0.kind == .identity ? $0.names.first ?? "" : $0.key)
      }
      return found.isEmpty ? nil : (Array(Set(found)), .verified)
    }
    guard served.standing.isUnheld, !stated.now.isEmpty else { return nil }
    // Who uses the binary expects those, too, whom the registry has never named.
    let others = (old?.signers ?? []).filter { !stated.before.contains($0) }
    var all = Array(stated.now.prefix(limit))
    for signer in others where !all.contains(signer) && all.count < limit { all.append(signer) }
    return (all, .unverified)
  }

  /// The module's name and version, for messages.
  var name: String { Self.name(of: module) }

  private static func name(of module: LockedModule) -> String { "\(module.identifier) \(module.version)" }

  /// Verifies what was fetched of a module.
  ///
  /// - Parameters:
  ///   - old: the release in the lock; nil if that has none.
  ///   - stated: whom the registry names.
  ///   - exceptions: what lets the release have less than that one.
  /// - Throws: why it is refused; `continuity.…`; `install.other-module`, `install.other-commit`, `install.no-summary`, `repo.provenance`;
  ///   what ``SpecifiedModule/verified(_:by:)`` and ``SpecifiedModule/verify(_:_:by:)`` throw.
  init(
    _ module: LockedModule, in files: FetchedFiles, verifiedBy verifier: Verifier, after old: LockedModule?,
    stated: Stated, except exceptions: ContinuityExceptions, at time: UnixTime
  ) throws(SignetError) {
    self.module = module
    (self.stated, self.old) = (stated, old?.served)
    self.exceptions = exceptions
    switch files {
    case .binary(let archive, let bundles, let provenance, _, let description):
      content = .binary(
        try Self.binary(
          module, archive: archive, bundles: bundles, provenance: provenance, description: description, by: verifier))
    case .source(let archive, let provenance, _, let description):
      content = try Self.sources(
        module, archive: archive, provenance: provenance, description: description, by: verifier)
    case .specified(let specified):
      switch specified.form {
      case .binary(let file): content = .binary(try specified.verified(file, by: verifier))
      case .sources(let tree, let git):
        try specified.verify(tree, git, by: verifier)
        content = .commit(tree, from: git)
      }
    }
    remarks = try hold(to: old, under: verifier.policy, at: time)
  }

  /// Holds the release to what the lock says of the one before it, or of an earlier one to which it was not held yet.
  ///
  /// Of a binary, the signatures count that were verified. Of sources count those whom the registry names, for this release
  /// and for the one before.
  private func hold(
    to old: LockedModule?, under policy: TrustPolicy, at time: UnixTime
  ) throws(SignetError) -> [SignetError] {
    guard let served = old?.served, let archive = module.served?.digests?.archive,
      served.digests?.archive != archive || served.standing.isUnheld, var before = served.record()
    else { return [] }
    let attestations: Set<String> = module.served?.digests?.source == nil ? [] : ["provenance"]
    var now = SigningRecord(signers: LockedModule.Served.records(of: stated.now), attestations: attestations)
    var signed = archive
    if case .binary(let binary) = content {
      now = SigningRecord(signers: binary.record.signers, attestations: attestations)
      signed = binary.signedSHA256 ?? archive
    } else if !stated.before.isEmpty {
      let named = served.signers.filter(stated.before.contains)
      before = SigningRecord(signers: LockedModule.Served.records(of: named), attestations: before.attestations)
    }
    let waived = WaivedRelease(module.identifier, sequence: module.sequence, sha256: signed, called: name)
    return try policy.hold(now, to: before, of: waived, at: time, except: exceptions)
  }

  private static func binary(
    _ module: LockedModule, archive: String, bundles: String?, provenance: String?,
    description: ModuleDescription, by verifier: Verifier
  ) throws(SignetError) -> VerifiedBinary {
    let name = name(of: module)
    return try VerifiedBinary(
      archive, module.served?.digests?.archive, signatures: bundles.map { .file($0) } ?? .absent,
      of: module.identifier, called: name, by: verifier
    ) { (file, digest, found) throws(SignetError) in
      guard found == description else {
        throw SignetError(
          .installOtherModule, name, "is not the module that the registry's index describes",
          expected: "the description in the index", hint: "ask the module's publisher")
      }
      guard let provenance else { return }
      try checkCommit(
        of: file, digest: digest, called: name, module: module, description: description, provenance: provenance,
        by: verifier)
    }
  }

  private static func sources(
    _ module: LockedModule, archive: String, provenance: String, description: ModuleDescription,
    by verifier: Verifier
  ) throws(SignetError) -> Content {
    let name = name(of: module)
    guard verifier.policy.summary == nil else {
      throw SignetError(
        .installNoSummary, name, "would be used as source, and the policy demands what a gate says of binaries",
        hint: BinaryChoice.hint(of: module.identifier, hasBinary: description.hasBinary))
    }
    let (file, digest) = try opened(archive, module.served?.digests?.source?.archive, called: name)
    try checkCommit(
      of: file, digest: digest, called: "the sources of \(name)", module: module, description: description,
      provenance: provenance, by: verifier)
    // Who revokes a release means its sources, too: the lock names its archive, and the provenance everything that was
    // built with it.
    var digests = [module.served?.digests?.archive].compactMap(\.self)
    for bundle in try SigstoreBundle.all(in: provenance) {
      digests += try Statement(payload: bundle.envelope.payload).subjects.map(\.digest)
    }
    try verifier.policy.check(notRevoked: digests, name)
    try SourceArchive(file).check(of: description)
    return .archive(path: archive, sha256: digest)
  }

  private static func opened(
    _ path: String, _ digest: Digest?, called name: String
  ) throws(SignetError) -> (file: RegularFile, sha256: Digest) {
    let file = try RegularFile(opening: path)
    guard let digest, try file.sha256() == digest else {
      throw SignetError(.digestMismatch, name, "was changed in the cache", found: path, hint: "install again")
    }
    return (file, digest)
  }

  /// Checks that a file was built from the locked commit. So the module and its sources were built from the same one.
  private static func checkCommit(
    of file: RegularFile, digest: Digest, called name: String, module: LockedModule,
    description: ModuleDescription, provenance: String, by verifier: Verifier
  ) throws(SignetError) {
    let source = try ReleaseProvenance.source(
      of: file, sha256: digest, called: name, statedIn: RegularFile(opening: provenance), of: description,
      by: verifier)
    guard let commit = module.served?.digests?.source?.commit, source.commit.isExactly(commit) else {
      throw SignetError(
        .installOtherCommit, name, "was built from another commit than the lock has",
        expected: module.served?.digests?.source?.commit, found: source.words,
        hint: "ask the module's publisher what has happened")
    }
  }

  // MARK: Installing

  /// The module's file for a store; nil for sources.
  ///
  /// - Throws: `file.…`.
  func toInstall() throws(SignetError) -> ModuleToInstall? {
    guard case .binary(let binary) = content else { return nil }
    return try binary.toInstall(except: exceptions)
  }

  /// The files of the commit that a spec names; nil for all else.
  var commit: (tree: GitTree, git: GitProgram)? {
    guard case .commit(let tree, let git) = content else { return nil }
    return (tree, git)
  }

  /// The source archive that was verified; nil for all else.
  ///
  /// - Throws: `digest.mismatch` if it was changed since; `file.…`, `archive.…`, `path.…`.
  func sourceArchive() throws(SignetError) -> SourceArchive? {
    guard case .archive(let path, let digest) = content else { return nil }
    return try SourceArchive(try Self.opened(path, digest, called: name).file)
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
