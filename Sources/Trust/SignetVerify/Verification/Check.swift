public import SignetBase

/// One step of a verification, and how it ended.
public struct Check: Sendable {
  /// A step of a verification, by its stable text. It is a struct because later kinds of artifact have steps of their
  /// own.
  public struct Step: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable text.
    public let rawValue: String

    /// Creates a step from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable text.
    public var description: String { rawValue }
  }

  /// The outcome of a step.
  public enum Outcome: Sendable {
    /// The step passed. The text says what was found.
    case passed(String)
    /// The step failed, for this reason.
    case failed(SignetError)
    /// The step was not taken. The text says why.
    case skipped(String)
  }

  /// The step that was taken or skipped.
  public let step: Step
  /// The bundle that the step was about, or the artifact's name if the step was about all bundles.
  public let object: String
  /// The outcome of the step.
  public let outcome: Outcome

  init(_ step: Step, _ object: String, _ outcome: Outcome) {
    self.step = step
    self.object = object
    self.outcome = outcome
  }
}

extension Check.Step {
  /// Checks that the trust policy is in force.
  public static let policy = Self(rawValue: "policy")
  /// Checks that there is a signature.
  public static let presence = Self(rawValue: "presence")
  /// Checks that the bundle is well-formed.
  public static let bundle = Self(rawValue: "bundle")
  /// Checks that the policy trusts the signer.
  public static let signer = Self(rawValue: "signer")
  /// Checks that the signer has made the signature over this payload.
  public static let signature = Self(rawValue: "signature")
  /// Concerns the entries of a transparency log, which are not checked where nobody vouches for the signer.
  public static let transparencyLog = Self(rawValue: "transparency-log")
  /// Checks the timestamps, where others vouch for the signer.
  public static let timestamps = Self(rawValue: "timestamps")
  /// Checks that the payload is a statement.
  public static let statement = Self(rawValue: "statement")
  /// Checks that the statement is of the expected type.
  public static let predicateType = Self(rawValue: "predicate-type")
  /// Checks that the statement is about an artifact of this name.
  public static let name = Self(rawValue: "name")
  /// Checks that the artifact's size is the signed one.
  public static let size = Self(rawValue: "size")
  /// Checks that the artifact's fs-verity digest is the signed one.
  public static let fsverity = Self(rawValue: "fsverity")
  /// Checks that the entries of a directory or archive are the signed ones.
  public static let contents = Self(rawValue: "contents")
  /// Checks that the manifest is for this host, or that the module is the expected one.
  public static let identifier = Self(rawValue: "identifier")
  /// Checks that the manifest or module is not older than accepted.
  public static let sequence = Self(rawValue: "sequence")
  /// Checks that the module's archive has only one reading, and holds what the statement lists.
  public static let structure = Self(rawValue: "structure")
  /// Checks that the artifact's SHA-256 is the signed one.
  public static let sha256 = Self(rawValue: "sha256")
  /// Checks that the statement has not expired.
  public static let freshness = Self(rawValue: "freshness")

  /// Checks that the policy does not revoke the artifact.
  public static let revocation = Self(rawValue: "revocation")
  /// Checks that enough trusted signers have signed, as the policy requires.
  public static let quorum = Self(rawValue: "quorum")
  /// Checks that a verification summary has passed the artifact, if the policy demands one.
  public static let summary = Self(rawValue: "summary")
}

/// The steps for one bundle. Every step is in the list, and a step that was not taken has an explanation.
struct Checklist {
  /// What messages call the bundle.
  package let label: String
  /// Every step, in order.
  private var steps: [Check.Step] {
    kindSteps.flatMap { $0 == .transparencyLog && !vouched.isEmpty ? vouched : [$0] }
  }
  private var kindSteps: [Check.Step]
  /// The steps in the place of the one about logs, where others vouch for a signer.
  private var vouched: [Check.Step] = []
  private var outcomes: [Check.Step: Check.Outcome] = [:]

  init(_ label: String, _ steps: [Check.Step]) {
    self.label = label
    kindSteps = steps
  }

  /// The whole list, in the order of the steps.
  ///
  /// - Parameter reason: the explanation for steps without an outcome.
  func checks(otherwise reason: String) -> [Check] {
    steps.map { Check($0, label, outcomes[$0] ?? .skipped(reason)) }
  }

  /// Replaces the steps. Outcomes that are already known stay.
  mutating func take(_ steps: [Check.Step]) { kindSteps = steps }

  /// Takes what was checked of those who vouch for a signer.
  mutating func note(_ checks: [(step: Check.Step, outcome: Check.Outcome)]) {
    vouched = checks.map(\.step).filter { !kindSteps.contains($0) }
    for check in checks { outcomes[check.step] = check.outcome }
  }

  mutating func pass(_ step: Check.Step, _ found: String) { outcomes[step] = .passed(found) }
  mutating func fail(_ step: Check.Step, _ reason: SignetError) { outcomes[step] = .failed(reason) }
  mutating func skip(_ step: Check.Step, _ why: String) { outcomes[step] = .skipped(why) }

  /// The steps without an outcome, in order.
  var stepsWithoutOutcome: [Check.Step] { steps.filter { outcomes[$0] == nil } }

  /// The first failed step, in the order of the steps.
  var firstFailure: Check.Step? {
    steps.first {
      if case .failed = outcomes[$0] { true } else { false }
    }
  }
}
