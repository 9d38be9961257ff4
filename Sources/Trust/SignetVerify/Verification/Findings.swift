package import SignetBase

/// What was found about one bundle: the outcome of every step, and the reasons to refuse.
package struct Findings {
  private(set) var checklist: Checklist
  package private(set) var reasons: [SignetError] = []

  package init(_ label: String, _ steps: [Check.Step]) { checklist = Checklist(label, steps) }

  /// What messages call the bundle.
  package var label: String { checklist.label }
  /// Whether there is no reason to refuse.
  package var isGood: Bool { reasons.isEmpty }

  /// Replaces the steps once a statement says what the artifact is.
  package mutating func take(_ steps: [Check.Step]) { checklist.take(steps) }

  package mutating func pass(_ step: Check.Step, _ found: String) { checklist.pass(step, found) }

  package mutating func skip(_ steps: [Check.Step], _ why: String) {
    for step in steps { checklist.skip(step, why) }
  }

  /// Takes what was checked of those who vouch for a signer. A failed step is among the checks, if there is a reason.
  mutating func note(_ checks: [(step: Check.Step, outcome: Check.Outcome)], failing reason: SignetError?) {
    checklist.note(checks)
    if let reason { reasons.append(reason) }
  }

  package mutating func fail(_ step: Check.Step, _ reason: SignetError) {
    checklist.fail(step, reason)
    reasons.append(reason)
  }

  package mutating func note(_ step: Check.Step, _ found: String, _ objection: SignetError?) {
    if let objection { fail(step, objection) } else { pass(step, found) }
  }

  /// Adds more reasons to a step that has failed.
  package mutating func add(_ more: some Sequence<SignetError>) { reasons += more }

  /// Refuses a bundle if a step was forgotten: what was never checked must not pass.
  package mutating func refuseStepsWithoutOutcome() {
    guard isGood else { return }
    for step in checklist.stepsWithoutOutcome { fail(step, .incompleteVerification(label)) }
  }

  package mutating func attempt<Value>(
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
  /// The error for a fault in the verification itself.
  package static func incompleteVerification(_ label: String) -> SignetError {
    SignetError(
      .verificationIncomplete, label, "was not verified completely, because of a fault in the verifier",
      expected: "an outcome of every step", hint: "report it as a fault of Signet, with the artifact")
  }
}
