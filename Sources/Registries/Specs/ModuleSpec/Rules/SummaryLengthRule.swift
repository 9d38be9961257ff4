/// A summary fits in a line of a list. CocoaPods has the same limit.
package enum SummaryLengthRule: SpecRule {
  package static let about = SpecRuleDescription(
    "summary-length", "The summary has at most 140 characters", .warning)

  private static let limit = 140

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    let count = linted.spec.summary?.unicodeScalars.count ?? 0
    guard count > limit else { return }
    findings.note(
      "summary", "is too long", expected: "at most \(limit) characters", found: "\(count) characters",
      hint: "say the rest in `description`")
  }
}
