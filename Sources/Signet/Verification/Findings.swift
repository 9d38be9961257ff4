internal import SignetBase

/// What was found about one bundle: every step with its outcome, and the reasons to refuse.
struct Findings {
  private(set) var checklist: Checklist
  private(set) var reasons: [SignetError] = []

  init(_ label: String, _ steps: [Check.Step]) { checklist = Checklist(label, steps) }

  /// What the bundle is called.
  var label: String { checklist.label }
  /// Whether nothing was found against it.
  var isGood: Bool { reasons.isEmpty }

  /// Takes the steps of what a statement is about, where only that says it.
  mutating func take(_ steps: [Check.Step]) { checklist.take(steps) }

  mutating func pass(_ step: Check.Step, _ found: String) { checklist.pass(step, found) }

  mutating func skip(_ steps: [Check.Step], _ why: String) {
    for step in steps { checklist.skip(step, why) }
  }

  mutating func fail(_ step: Check.Step, _ reason: SignetError) {
    checklist.fail(step, reason)
    reasons.append(reason)
  }

  mutating func note(_ step: Check.Step, _ found: String, _ objection: SignetError?) {
    if let objection { fail(step, objection) } else { pass(step, found) }
  }

  /// More reasons of a step that has failed.
  mutating func add(_ more: some Sequence<SignetError>) { reasons += more }

  /// Refuses a bundle of which a step was forgotten: what nobody has looked at must not pass.
  mutating func refuseStepsWithoutOutcome() {
    guard isGood else { return }
    for step in checklist.stepsWithoutOutcome { fail(step, .incompleteVerification(label)) }
  }

  mutating func attempt<Value>(
    _ step: Check.Step, _ body: () throws(SignetError) -> Value, _ found: (Value) -> String
  ) -> Value? {
    do throws(SignetError) {
      let value = try body()
      pass(step, found(value))
      return value
    } catch {
      fail(step, error)
      return nil
    }
  }
}

extension SignetError {
  /// What is said where the verification itself is at fault.
  static func incompleteVerification(_ label: String) -> SignetError {
    SignetError(
      .verificationIncomplete, label, "was not verified completely, because of a fault in the verifier",
      expected: "an outcome of every step", hint: "report it as a fault of Signet, with the artifact")
  }
}
