/// How a verification ended: with a proof, or with every reason against.
public enum Verdict<Proof: VerificationProof>: Sendable {
  /// The proof.
  case verified(Proof)
  /// The reasons.
  case refused(Refusal)

  /// The proof.
  ///
  /// - Throws: the refusal, for whoever goes no other way on.
  public func get() throws(Refusal) -> Proof {
    switch self {
    case .verified(let proof): return proof
    case .refused(let refusal): throw refusal
    }
  }

  /// Every step, in order: passed, failed, or skipped and why.
  public var checks: [Check] {
    switch self {
    case .verified(let proof): proof.checks
    case .refused(let refusal): refusal.checks
    }
  }
}
