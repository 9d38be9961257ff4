public import SignetCrypto

/// Decides whether an artifact is what somebody trusted has signed.
///
/// The order is the design's: nothing of a payload is parsed before its signature was verified, and the artifact is
/// not hashed before a statement says what its digest should be.
public struct Verifier: Sendable {
  /// Whom it trusts.
  public let policy: TrustPolicy
  /// Where it takes the time from.
  public let clock: VerificationClock

  /// A verifier for a policy; both arguments are decisions, so neither has a default.
  public init(policy: TrustPolicy, clock: VerificationClock) {
    self.policy = policy
    self.clock = clock
  }

  /// What the caller expects the artifact to be.
  public struct Expectation: Sendable {
    /// What the statement must call it.
    public let name: String
    /// What type the statement must have.
    public let predicateType: PredicateType

    /// A file of this name, signed by Signet.
    public static func file(named name: String) -> Expectation { Expectation(name: name, predicateType: .file) }

    /// A file of this name with a statement of somebody else's type, whose predicate is not looked into.
    public static func file(named name: String, statementType type: PredicateType) -> Expectation {
      Expectation(name: name, predicateType: type)
    }
  }

  /// Verifies an artifact.
  ///
  /// - Parameters:
  ///   - artifact: the artifact.
  ///   - signatures: where its bundles stand. All of them have to be well-formed, and every one that claims to be by
  ///     a trusted key has to hold: damaged never counts as unsigned.
  ///   - expectation: what the caller takes the artifact for.
  ///   - progress: counts the artifact's bytes as they are hashed.
  /// - Returns: the proof, or every reason against.
  /// - Throws: when it could not be found out: `file.changed`, `file.read-failed`, `crypto.failure`.
  public func verify(
    _ artifact: Artifact, signatures: SignatureSource, expecting expectation: Expectation,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> Verdict {
    var verification = Verification(policy, clock.now(), artifact, expectation, progress)
    for bundle in signatures.bundles { try verification.examine(bundle) }
    return verification.verdict()
  }

  /// The refusal of an artifact whose signature could not even be opened: `signature.missing`,
  /// `signature.unreadable`, `signature.malformed`, `bundle.count`.
  public func refusal(because reason: SignetError) -> Refusal {
    Refusal([reason], [Check(.presence, reason.object, .failed(reason))])
  }
}
