public import SignetBase
internal import SignetCrypto
public import SignetSystem

/// A verifier, which decides whether an artifact is what a trusted signer has signed.
///
/// The order of the steps keeps untrusted data out:
/// - Once the policy has expired, nothing is read.
/// - No payload is parsed before the signature over it was verified as a trusted signer's.
/// - The artifact is read last, except for the ends that show its kind. Before that, everything is checked that can
///   be checked without it. An artifact that is already refused, or does not have the signed size, is not hashed.
public struct Verifier: Sendable {
  /// The trust policy.
  public let policy: TrustPolicy
  /// The source of the time.
  public let clock: VerificationClock

  /// The limits on a module's archive. A host may allow less than the formats do, but not more.
  public let limits: ArchiveLimits

  /// Creates a verifier for a policy.
  ///
  /// The policy and the clock have no defaults, because what to trust and at what time are decisions.
  public init(policy: TrustPolicy, clock: VerificationClock, limits: ArchiveLimits = ArchiveLimits()) {
    self.policy = policy
    self.clock = clock
    self.limits = limits
  }

  /// Verifies an artifact.
  ///
  /// - Parameters:
  ///   - artifact: the artifact.
  ///   - signatures: where its bundles are. Every bundle must be well-formed, and every bundle that claims to be by a
  ///     trusted key must be valid: a damaged signature never counts as a missing one.
  ///   - expectation: the kind of artifact that the caller expects. It decides the type of the proof.
  ///   - progress: counts the artifact's bytes as they are hashed.
  /// - Returns: the proof, or every reason to refuse.
  /// - Throws: if the outcome could not be determined: `file.changed`, `file.unreadable`, `file.read-failed`,
  ///   `crypto.failure`, `extraction.failed` if an archive cannot be decompressed to a temporary file. Also
  ///   `file.is-directory` or `file.not-directory`, if the artifact is a directory and the expectation is not about
  ///   one, or the reverse. Unreadable bundles do not throw: the artifact is refused.
  public func verify<Proof>(
    _ artifact: Artifact, signatures: SignatureSource, expecting expectation: Expectation<Proof>,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> Verdict<Proof> {
    try verify(
      artifact, signatures: signatures, expecting: expectation, known: nil,
      snapshotsIn: TemporaryName.usualFolder, progress: progress)
  }

  /// Verifies what another program has stated about an artifact that this process has just hashed.
  ///
  /// The artifact is read only if the policy revokes artifacts by their digests.
  ///
  /// - Parameter sha256: the digest of the artifact's bytes. The caller has computed it, and makes sure that the
  ///   artifact has not changed since.
  /// - Throws: what ``verify(_:signatures:expecting:progress:)`` throws.
  package func verify(
    _ artifact: Artifact, sha256: Digest, signatures: SignatureSource,
    expecting expectation: Expectation<VerifiedAttestation>
  ) throws(SignetError) -> Verdict<VerifiedAttestation> {
    try verify(
      artifact, signatures: signatures, expecting: expectation, known: HashedArtifact.Known(flat: sha256),
      snapshotsIn: TemporaryName.usualFolder, progress: nil)
  }

  /// Verifies an artifact of which something is known that this process has just computed.
  ///
  /// - Parameters:
  ///   - known: the digests. The caller makes sure that the artifact has not changed since.
  ///   - folder: the folder whose file system holds what has to be decompressed; no file appears in it.
  /// - Throws: what ``verify(_:signatures:expecting:progress:)`` throws.
  package func verify<Proof>(
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
      bundles = try signatures.open(
        for: name, attached: found.archive?.bundles() ?? [],
        withSummary: policy.summary != nil && found.kind.isSummarized)
    } catch {
      return Self.refused(.presence, name, error)
    }
    var known = known ?? HashedArtifact.Known()
    known.file = known.file ?? found.fileDigests
    let hashed = HashedArtifact(
      artifact, archive: found.archive, archiveFailure: found.archiveFailure,
      known: known, snapshotsIn: folder, progress)
    var verification = Verification(
      under: policy, at: now, of: hashed, bundles: bundles, expecting: found.kind,
      needsBothDigests: expectation.establishesBothDigests,
      allowsFolders: expectation.allowsFolders)
    switch try verification.run() {
    case .success(let evidence): return .verified(try expectation.prove(evidence))
    case .failure(let refusal): return .refused(refusal)
    }
  }

  private static func refused<Proof>(_ step: Check.Step, _ name: String, _ reason: SignetError) -> Verdict<Proof> {
    .refused(Refusal([reason], [Check(step, name, .failed(reason))]))
  }

  /// The expectation of a caller: the kind of artifact that it takes an artifact for.
  ///
  /// The kind decides the type of the proof, so that a proof of one kind cannot pass for another.
  public struct Expectation<Proof: VerificationProof>: Sendable {
    let kind: any ExpectedKind
    let prove: @Sendable (Evidence) throws(SignetError) -> Proof
    /// Whether both the flat and the tree digest must be compared.
    private(set) var establishesBothDigests = false
    /// Whether the statement may name folders before the artifact's name.
    private(set) var allowsFolders = false

    package init(_ kind: some ProvableKind<Proof>) {
      self.kind = kind
      prove = { (evidence) throws(SignetError) in try kind.prove(evidence) }
    }

    /// The name that the statement must give the artifact, byte for byte. A module has this name only in messages.
    public var name: String { kind.name }
    /// The types that the statement may have: one, or two if the statement says what the artifact is.
    public var predicateTypes: [PredicateType] { kind.predicateTypes }

    /// Returns this expectation, met also by a statement that names folders before the name: `linux/tool` for `tool`.
    ///
    /// `signet sign --each` makes such statements. Use this if files of different folders cannot be taken for each
    /// other, or where the whole name (``Statement/subjectName``) is compared afterwards.
    public func inAnyFolder() -> Self {
      var expectation = self
      expectation.allowsFolders = true
      return expectation
    }

    /// Returns this expectation with both digests established, whatever the policy says. It takes one more SHA-256
    /// pass.
    public func establishingBothDigests() -> Self {
      var expectation = self
      expectation.establishesBothDigests = true
      return expectation
    }
  }
}

/// The source of a verification's time. It is always a parameter, and never read without the caller's knowledge.
public struct VerificationClock: Sendable {
  package let now: @Sendable () -> UnixTime

  /// Creates a clock that the caller supplies. Each verification reads it once.
  public init(now: @escaping @Sendable () -> UnixTime) { self.now = now }

  /// The system's clock.
  public static let system = VerificationClock { SystemTime.now() }

  /// A clock with a fixed time, for tests and for asking how a verification would have ended.
  public static func fixed(_ time: UnixTime) -> VerificationClock { VerificationClock { time } }
}
