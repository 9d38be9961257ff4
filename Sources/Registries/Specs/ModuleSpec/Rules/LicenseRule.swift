/// Nobody may use a release without a licence.
package enum LicenseRule: SpecRule {
  package static let about = SpecRuleDescription(
    "license", "There is a licence, and its file is there", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let license = linted.spec.license else {
      findings.note(
        "license", "is missing", expected: "a licence such as {\"type\":\"Apache-2.0\",\"file\":\"LICENSE\"}",
        hint: "add `license`")
      return
    }
    guard let file = license.file, !linted.hasFile(at: file), !file.isUnwritten else { return }
    findings.note(
      "license.file", "names a file that is not there", expected: "a file in the spec's folder", found: file,
      hint: "add the file, or correct the path")
  }
}
