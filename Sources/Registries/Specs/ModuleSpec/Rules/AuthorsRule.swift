/// A release says who made it.
package enum AuthorsRule: SpecRule {
  package static let about = SpecRuleDescription("authors", "There is an author", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard linted.spec.authors.isEmpty else { return }
    findings.note(
      "authors", "is missing", expected: "one author or more, such as [{\"name\":\"Ada\"}]", hint: "add `authors`")
  }
}
