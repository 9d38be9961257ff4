internal import Signet
internal import SignetBase

/// A range that cannot be read, or that no version meets, can never be satisfied.
package enum DependenciesRule: SpecRule {
  package static let about = SpecRuleDescription(
    "dependencies", "Each dependency is another module, with a range of versions that can be met", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    for (index, dependency) in linted.spec.dependencies.enumerated() {
      let field = "dependencies[\(index)]"
      if dependency.name.isExactly(linted.spec.name) {
        findings.note(
          "\(field).name", "is the module itself", expected: "another module", found: dependency.name,
          hint: "remove the dependency")
      }
      guard let versions = dependency.versions, !versions.isUnwritten else { continue }
      guard let range = VersionRange(versions) else {
        findings.note(
          "\(field).versions", "is not a range of versions", expected: "a range such as >=1.2.0 <2.0.0",
          found: versions, hint: "write ~> 1.2 as >=1.2.0 <2.0.0, and ~> 1.2.3 as >=1.2.3 <1.3.0")
        continue
      }
      guard range.isEmpty else { continue }
      findings.note(
        "\(field).versions", "contains no version", expected: "a lower bound below the upper one", found: versions,
        hint: "correct the bounds")
    }
  }
}
