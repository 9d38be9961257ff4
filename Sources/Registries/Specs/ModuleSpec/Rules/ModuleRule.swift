internal import Signet
internal import SignetBase

/// A Modfile takes a release's identifier, sequence and requirements from its spec, and a host those of the description.
package enum ModuleRule: SpecRule {
  package static let about = SpecRuleDescription(
    "module",
    "The module.json beside the spec has the same identifier and sequence, and requires what has such names",
    .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard case .described(let module) = linted.module else { return }
    let file = ModuleDescription.path
    if let identifier = linted.spec.identifier, identifier != module.identifier {
      findings.note(
        "identifier", "is not that of \(file)", expected: "\(module.identifier)", found: "\(identifier)",
        hint: "correct `identifier` here or in \(file)")
    }
    if let sequence = linted.spec.sequence, sequence != module.sequence {
      findings.note(
        "sequence", "is not that of \(file)", expected: "\(module.sequence)", found: "\(sequence)",
        hint: "correct `sequence` here or in \(file)")
    }
    // A dependency may be named by its spec, whose identifier only the repository knows.
    for (index, dependency) in linted.spec.dependencies.enumerated() {
      guard let identifier = ModuleIdentifier(dependency.name), let range = dependency.range else { continue }
      let required = module.requirements.modules.first { $0.identifier == identifier }
      guard required?.versions != range, required == nil || dependency.versions != nil else { continue }
      findings.note(
        "dependencies[\(index)]", "is not what \(file) requires",
        expected: required.map { "\($0.identifier) \($0.versions)" } ?? "no requirement of \(identifier)",
        found: "\(identifier) \(range)", hint: "correct the dependency here or in \(file)")
    }
  }
}
