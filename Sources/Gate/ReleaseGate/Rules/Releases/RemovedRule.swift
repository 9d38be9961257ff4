internal import Signet
internal import SignetBase

/// Everything that the last release had is still there.
package struct RemovedRule: ReleaseRule {
  package static let about = RuleDescription(
    "removed", "Nothing of the last release is missing",
    help: """
      A file that is missing is often one that a build forgot. Users, and modules that require a missing one, cannot \
      get the new release. A file may have another version number in its name, and a module may be in a file of any \
      name. Add what is missing, or tell users that it is gone.
      """,
    .warning)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for pair in release.pairs {
      guard let old = pair.old else { continue }
      if let module = old.module?.module, release.modules[module.identifier].isEmpty {
        let found = pair.new.map { "\($0.isVerified ? "another" : "a refused") artifact at \($0.path)" }
        findings.note(
          "is a module of the last release that is missing", about: old.path,
          expected: "a verified archive of \(module.identifier), as in version \(module.version)",
          found: found ?? "none", hint: Self.hint)
      } else if pair.new == nil {
        findings.note(
          "is missing, and was in the last release", about: old.path, expected: "the artifact", found: "none",
          hint: Self.hint)
      }
    }
  }

  private static let hint = "add it to the release, or tell its users that it is gone"
}
