/// A pattern without files is out of date: what it was for was moved, and is no longer built or left out.
package enum FilesRule: SpecRule {
  package static let about = SpecRuleDescription(
    "files", "Each pattern of source_files and exclude_files is for a file in the folder", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    let lists = [("source_files", linted.spec.sourceFiles), ("exclude_files", linted.spec.excludeFiles)]
    for (field, patterns) in lists {
      for pattern in patterns where !linted.hasFile(pattern) {
        findings.note(
          field, "is for no file", expected: "a pattern for a file in the spec's folder",
          found: pattern.description,
          hint: "correct the pattern; that of everything in a folder ends in /**")
      }
    }
  }
}
