/// A rule for specs. Each rule is a type in one file, and a line in ``SpecRuleList``.
///
/// A rule says what is wrong with one spec. It knows nothing of reports and commands, and has no state.
package protocol SpecRule: Sendable {
  /// What people are told of the rule.
  static var about: SpecRuleDescription { get }

  /// Says what is wrong with a spec.
  static func check(_ linted: LintedSpec, _ findings: inout SpecFindings)
}

/// What people are told of a rule.
package struct SpecRuleDescription: Sendable {
  /// The stable identifier: lower-case words with dashes.
  package let id: String
  /// What the rule demands, in a sentence without a period.
  package let title: String
  /// How grave its findings are.
  package let level: SpecFinding.Level

  package init(_ id: String, _ title: String, _ level: SpecFinding.Level) {
    self.id = id
    self.title = title
    self.level = level
  }
}
