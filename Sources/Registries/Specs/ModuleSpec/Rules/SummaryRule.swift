/// A release says what it is.
package enum SummaryRule: SpecRule {
  package static let about = SpecRuleDescription("summary", "There is a summary", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard linted.spec.summary == nil else { return }
    findings.note(
      "summary", "is missing", expected: "a sentence that says what the module is", hint: "add `summary`")
  }
}
