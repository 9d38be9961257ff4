public import SignetCrypto

/// One step of a verification and how it ended.
public struct Check: Sendable {
  /// Which step; the texts are stable.
  public enum Step: String, Sendable, CaseIterable {
    /// There is a signature.
    case presence
    /// The bundle is well-formed.
    case bundle
    /// The policy trusts the signer.
    case signer
    /// The signature is the signer's over this payload.
    case signature
    /// The payload is a statement.
    case statement
    /// The statement is of the expected type.
    case predicateType = "predicate-type"
    /// The statement is about an artifact of this name.
    case name
    /// The artifact's size is the signed one.
    case size
    /// The artifact's fs-verity digest is the signed one.
    case fsverity
    /// The artifact's SHA-256 is the signed one.
    case sha256
    /// The statement has not expired.
    case freshness
    /// The transparency log's entries.
    case transparencyLog = "transparency-log"
    /// The timestamps.
    case timestamps
  }

  /// How a step ended.
  public enum Outcome: Sendable {
    /// As it should; with what was found.
    case passed(String)
    /// With a reason to refuse.
    case failed(SignetError)
    /// Not done, and why.
    case skipped(String)
  }

  /// Which step.
  public let step: Step
  /// Which bundle it was about.
  public let object: String
  /// How it ended.
  public let outcome: Outcome

  init(_ step: Step, _ object: String, _ outcome: Outcome) {
    self.step = step
    self.object = object
    self.outcome = outcome
  }
}
