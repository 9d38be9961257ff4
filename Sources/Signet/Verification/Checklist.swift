internal import SignetBase

/// The steps taken with one bundle: every step is in the list, and those that were not taken say why.
struct Checklist {
  /// What the bundle is called.
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
  /// - Parameter reason: why a step that was not taken was not.
  func checks(otherwise reason: String) -> [Check] {
    steps.map { Check($0, label, outcomes[$0] ?? .skipped(reason)) }
  }

  /// Takes other steps in the place of its own; what was found so far stays.
  mutating func take(_ steps: [Check.Step]) { self.steps = steps }

  mutating func pass(_ step: Check.Step, _ found: String) { outcomes[step] = .passed(found) }
  mutating func fail(_ step: Check.Step, _ reason: SignetError) { outcomes[step] = .failed(reason) }
  mutating func skip(_ step: Check.Step, _ why: String) { outcomes[step] = .skipped(why) }

  /// The first step that failed, in the order of the steps.
  var firstFailure: Check.Step? {
    steps.first {
      if case .failed = outcomes[$0] { true } else { false }
    }
  }
}
