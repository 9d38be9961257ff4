internal import SignetBase

/// The name of a spec's file is that of the spec: tools find a spec by it.
package enum FileNameRule: SpecRule {
  package static let about = SpecRuleDescription(
    "file-name", "The file is named NAME.modspec.json, with the name in the spec", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    let expected = ModuleSpec.fileName(of: linted.spec.name)
    guard !linted.fileName.isExactly(expected) else { return }
    findings.note(
      "name", "is not the name of the file", expected: expected, found: linted.fileName,
      hint: "rename the file, or correct `name`")
  }
}
