/// A description that says less than the summary was forgotten.
package enum SpecDescriptionRule: SpecRule {
  package static let about = SpecRuleDescription(
    "description", "The description is not shorter than the summary", .warning)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let description = linted.spec.description?.unicodeScalars.count,
      let summary = linted.spec.summary?.unicodeScalars.count, description < summary
    else { return }
    findings.note(
      "description", "is shorter than the summary", expected: "at least \(summary) characters",
      found: "\(description) characters", hint: "write more, or leave `description` out")
  }
}
