/// What people and policies are told of a rule.
package struct RuleDescription: Sendable {
  /// The stable identifier: lower-case words with dashes.
  package let id: String
  /// What the rule demands, in a sentence without a period.
  package let title: String
  /// Why it demands it, and what to do about a finding.
  package let help: String
  /// The options that a policy can give the rule besides its level: the name of each, and what it means.
  package let options: [(name: String, meaning: String)]
  /// The level of its findings unless a policy gives another one; nil if it is off.
  package let usualLevel: GateReport.Level?
  /// Whether the rule is one of those that refuse bundles. With all of them in force, each bundle of a clean release is
  /// verified.
  package let refusesBundles: Bool

  package init(
    _ id: String, _ title: String, help: String, options: [(name: String, meaning: String)] = [],
    _ usualLevel: GateReport.Level?, refusesBundles: Bool = false
  ) {
    self.id = id
    self.title = title
    self.help = help
    self.options = options
    self.usualLevel = usualLevel
    self.refusesBundles = refusesBundles
  }
}
