internal import Signet
internal import SignetBase

/// The description beside a spec is about the same release.
package enum ModuleVersionRule: SpecRule {
  package static let about = SpecRuleDescription(
    "module-version", "The module.json beside the spec has the same version", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    switch linted.module {
    case .missing: break
    case .malformed(let error):
      findings.note(
        "version", "cannot be compared: \(ModuleDescription.path) is malformed",
        expected: error.expected ?? "a module's description", found: "\(error.object): \(error.message)",
        hint: "correct \(ModuleDescription.path)")
    case .described(let module):
      let version = module.version
      guard !"\(version)".isExactly("\(linted.spec.version)") else { break }
      findings.note(
        "version", "is not that of \(ModuleDescription.path)", expected: "\(version)",
        found: "\(linted.spec.version)",
        hint: "correct `version` here or in \(ModuleDescription.path)")
    }
  }
}
