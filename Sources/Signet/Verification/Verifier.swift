public import SignetArchive
public import SignetBase
package import SignetCrypto
public import SignetSystem

/// Decides whether an artifact is what somebody trusted has signed.
///
/// In this order: nothing is read once the policy has expired; nothing of a payload is parsed before its signature was
/// found to be by somebody trusted; and the artifact is not read, but for the ends that show what kind it is, before all
/// that can be said without it has been said: what is refused already, and what does not have the signed size, is not
/// hashed.
public struct Verifier: Sendable {
  /// Whom it trusts.
  public let policy: TrustPolicy
  /// Where it takes the time from.
  public let clock: VerificationClock

  /// How much a module's archive may hold. Hosts can take less than the formats allow; more stays refused.
  public let limits: ArchiveLimits

  /// A verifier for a policy; whom it trusts and when are decisions, so neither has a default.
  public init(policy: TrustPolicy, clock: VerificationClock, limits: ArchiveLimits = ArchiveLimits()) {
    self.policy = policy
    self.clock = clock
    self.limits = limits
  }

  /// Verifies an artifact.
  ///
  /// - Parameters:
  ///   - artifact: the artifact.
  ///   - signatures: where its bundles stand. All of them have to be well-formed, and every one that claims to be by
  ///     a trusted key has to hold: damaged never counts as unsigned.
  ///   - expectation: what the caller takes the artifact for; it decides what kind of proof there is.
  ///   - progress: counts the artifact's bytes as they are hashed.
  /// - Returns: the proof, or every reason against.
  /// - Throws: when it could not be found out: `file.changed`, `file.unreadable`, `file.read-failed`,
  ///   `crypto.failure`; `file.is-directory` and `file.not-directory` for a directory and nothing else where the
  ///   other is expected. Bundles that cannot be read are no such failure: the artifact is refused.
  public func verify<Proof>(
    _ artifact: Artifact, signatures: SignatureSource, expecting expectation: Expectation<Proof>,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> Verdict<Proof> {
    try verify(
      artifact, signatures: signatures, expecting: expectation, known: nil,
      snapshotsIn: Snapshot.usualFolder, progress: progress)
  }

  /// Verifies a module's archive in a private copy, whose bytes were hashed as they were written: what was computed then is
  /// what is compared.
  ///
  /// - Throws: what ``verify(_:signatures:expecting:progress:)`` throws.
  package func verify(
    _ copy: ArchiveCopy, signatures: SignatureSource, expecting expectation: Expectation<VerifiedModule>
  ) throws(SignetError) -> Verdict<VerifiedModule> {
    try verify(
      .file(copy.file), signatures: signatures, expecting: expectation.establishingBothDigests(),
      known: HashedArtifact.Known(file: copy.digests, signed: copy.signed), snapshotsIn: copy.folder, progress: nil)
  }

  /// Verifies a module that this process has just unpacked: files that are as they were written are not read again.
  ///
  /// - Parameter written: the digests of the files, by what the system knew of each when it was finished.
  /// - Throws: what ``verify(_:signatures:expecting:progress:)`` throws.
  package func verify(
    _ directory: Directory, written: [FileStatus: Digest], signatures: SignatureSource,
    expecting expectation: Expectation<VerifiedUnpackedModule>
  ) throws(SignetError) -> Verdict<VerifiedUnpackedModule> {
    try verify(
      .directory(directory), signatures: signatures, expecting: expectation,
      known: HashedArtifact.Known(written: written),
      snapshotsIn: Snapshot.usualFolder, progress: nil)
  }

  private func verify<Proof>(
    _ artifact: Artifact, signatures: SignatureSource, expecting expectation: Expectation<Proof>,
    known: HashedArtifact.Known?, snapshotsIn folder: String, progress: ProgressCounter?
  ) throws(SignetError) -> Verdict<Proof> {
    let name = expectation.name
    let now = clock.now()
    if let end = policy.expires, now > end {
      return Self.refused(
        .policy, name,
        SignetError(
          .policyExpired, name, "cannot be verified: the trust policy has expired",
          expected: "a time up to \(end)",
          found: "\(now)", hint: "get the host's current policy"))
    }
    let found: LookedAtArtifact
    do throws(SignetError) {
      found = try expectation.kind.look(at: artifact, limits)
    } catch {
      if error.isAboutReading { throw error }
      return Self.refused(error.code == .signatureMalformed ? .presence : .structure, name, error.about(name))
    }
    let bundles: [EncodedBundle]
    do throws(SignetError) {
      bundles = try signatures.open(for: name, attached: found.archive?.bundles() ?? [])
    } catch {
      return Self.refused(.presence, name, error)
    }
    var known = known ?? HashedArtifact.Known()
    known.file = known.file ?? found.fileDigests
    let hashed = HashedArtifact(
      artifact, archive: found.archive, archiveFailure: found.archiveFailure,
      known: known, snapshotsIn: folder, progress)
    var verification = Verification(
      policy, now, hashed, bundles, found.kind, needsBothDigests: expectation.establishesBothDigests)
    switch try verification.run() {
    case .success(let evidence): return .verified(try expectation.prove(evidence))
    case .failure(let refusal): return .refused(refusal)
    }
  }

  private static func refused<Proof>(_ step: Check.Step, _ name: String, _ reason: SignetError) -> Verdict<Proof> {
    .refused(Refusal([reason], [Check(step, name, .failed(reason))]))
  }

  /// What the caller takes an artifact for. The kind decides which proof a verification gives, so that what was proved
  /// of one kind cannot pass for another.
  public struct Expectation<Proof: VerificationProof>: Sendable {
    let kind: any ExpectedKind
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

/// Where a verification takes its time from: always a parameter, never looked up behind the caller's back.
public struct VerificationClock: Sendable {
  package let now: @Sendable () -> UnixTime

  /// A clock of the caller's own; it is asked once a verification.
  public init(now: @escaping @Sendable () -> UnixTime) { self.now = now }

  /// The system's clock.
  public static let system = VerificationClock { SystemTime.now() }

  /// A clock that stands still: for tests, and for asking how a verification would have ended.
  public static func fixed(_ time: UnixTime) -> VerificationClock { VerificationClock { time } }
}
