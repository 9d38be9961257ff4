internal import Signet
internal import SignetBase

/// Each new release of a module has a higher version than the last one.
package struct VersionRule: ReleaseRule {
  package static let about = RuleDescription(
    "version", "A changed module has a higher version than in the last release",
    help: """
      People and other modules tell releases apart by their versions. Two archives with the same version and other \
      bytes cannot be told apart, and a version below the last one looks like a step back. Raise `version` in \
      module.json by the rules of Semantic Versioning, then pack and sign the module again. Build metadata, which \
      follows a plus sign, does not count.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    release.forEachSuccessor { new, old in
      guard !old.contains(where: { new.artifact.hasSameBytes(as: $0.artifact) }),
        let last = old.max(by: { $0.description.sequence < $1.description.sequence })?.description
      else { return }
      let version = new.description.version
      if let same = old.first(where: { $0.description.version == version }) {
        findings.note(
          "has the version of the last release, with other bytes", about: new.artifact.path,
          entry: ModuleDescription.path, place: "version", expected: "a version above \(same.description.version)",
          found: "\(version)", hint: Self.hint)
      } else if new.description.sequence > last.sequence, version < last.version {
        findings.note(
          "has a lower version than the last release", about: new.artifact.path, entry: ModuleDescription.path,
          place: "version", expected: "a version above \(last.version)", found: "\(version)", hint: Self.hint)
      }
    }
  }

  private static let hint = "raise `version` in \(ModuleDescription.path), then pack and sign the module again"
}
