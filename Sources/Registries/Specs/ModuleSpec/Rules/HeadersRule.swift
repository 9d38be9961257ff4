/// Headers are source files: a pattern for others would promise what is not built.
package enum HeadersRule: SpecRule {
  package static let about = SpecRuleDescription(
    "headers", "Each pattern of public_header_files and private_header_files is for a source file", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    let lists = [
      ("public_header_files", linted.spec.publicHeaderFiles),
      ("private_header_files", linted.spec.privateHeaderFiles),
    ]
    for (field, patterns) in lists {
      for pattern in patterns where !linted.hasSource(pattern) {
        findings.note(
          field, "is for no source file", expected: "a pattern for a file of source_files that is not excluded",
          found: pattern.description, hint: "correct the pattern, or add the headers to `source_files`")
      }
    }
  }
}
