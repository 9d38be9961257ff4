public import SignetBase

/// One step of a verification, and how it ended.
public struct Check: Sendable {
  /// A step. The texts are stable. It is a struct because later kinds of artifact have steps of their own.
  public struct Step: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable text.
    public let rawValue: String

    /// Creates a step from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable text.
    public var description: String { rawValue }
  }

  /// How a step ended.
  public enum Outcome: Sendable {
    /// The step passed. The text says what was found.
    case passed(String)
    /// The step failed, for this reason.
    case failed(SignetError)
    /// The step was not taken. The text says why.
    case skipped(String)
  }

  /// The step.
  public let step: Step
  /// The bundle that the step was about, or the artifact's name if the step was about all bundles.
  public let object: String
  /// How it ended.
  public let outcome: Outcome

  init(_ step: Step, _ object: String, _ outcome: Outcome) {
    self.step = step
    self.object = object
    self.outcome = outcome
  }
}

extension Check.Step {
  /// The trust policy is in force.
  public static let policy = Self(rawValue: "policy")
  /// There is a signature.
  public static let presence = Self(rawValue: "presence")
  /// The bundle is well-formed.
  public static let bundle = Self(rawValue: "bundle")
  /// The policy trusts the signer.
  public static let signer = Self(rawValue: "signer")
  /// The signer has made the signature over this payload.
  public static let signature = Self(rawValue: "signature")
  /// The transparency log's entries.
  public static let transparencyLog = Self(rawValue: "transparency-log")
  /// The timestamps.
  public static let timestamps = Self(rawValue: "timestamps")
  /// The payload is a statement.
  public static let statement = Self(rawValue: "statement")
  /// The statement is of the expected type.
  public static let predicateType = Self(rawValue: "predicate-type")
  /// The statement is about an artifact of this name.
  public static let name = Self(rawValue: "name")
  /// The artifact's size is the signed one.
  public static let size = Self(rawValue: "size")
  /// The artifact's fs-verity digest is the signed one.
  public static let fsverity = Self(rawValue: "fsverity")
  /// The entries of a directory or archive are the signed ones.
  public static let contents = Self(rawValue: "contents")
  /// The manifest is for this host, or the module is the expected one.
  public static let identifier = Self(rawValue: "identifier")
  /// The manifest or module is not older than accepted.
  public static let sequence = Self(rawValue: "sequence")
  /// The module's archive has only one reading, and holds what the statement lists.
  public static let structure = Self(rawValue: "structure")
  /// The artifact's SHA-256 is the signed one.
  public static let sha256 = Self(rawValue: "sha256")
  /// The statement has not expired.
  public static let freshness = Self(rawValue: "freshness")

  /// The policy does not revoke the artifact.
  public static let revocation = Self(rawValue: "revocation")
  /// Enough trusted signers have signed, as the policy requires.
  public static let quorum = Self(rawValue: "quorum")
}

/// The steps for one bundle. Every step is in the list, and a step that was not taken has an explanation.
struct Checklist {
  /// What messages call the bundle.
  let label: String
  /// Every step, in order.
  private var steps: [Check.Step]
  private var outcomes: [Check.Step: Check.Outcome] = [:]

  init(_ label: String, _ steps: [Check.Step]) {
    self.label = label
    self.steps = steps
  }

  /// The whole list, in the order of the steps.
  ///
  /// - Parameter reason: the explanation for steps without an outcome.
  func checks(otherwise reason: String) -> [Check] {
    steps.map { Check($0, label, outcomes[$0] ?? .skipped(reason)) }
  }

  /// Replaces the steps. Outcomes that are already known stay.
  mutating func take(_ steps: [Check.Step]) { self.steps = steps }

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
