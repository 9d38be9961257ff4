/// A release says where its sources are.
package enum SourceRule: SpecRule {
  package static let about = SpecRuleDescription("source", "There is a source", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard linted.spec.source == nil else { return }
    findings.note(
      "source", "is missing", expected: "an object with git, tag and commit",
      hint: "add `source` with the repository's address, the tag and the commit of the release")
  }
}
