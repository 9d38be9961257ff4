internal import Signet
internal import SignetBase

/// No two archives claim to be the same release of a module.
package struct DuplicateSequenceRule: ReleaseRule {
  package static let about = RuleDescription(
    "duplicate-sequence", "No two archives are the same release of a module with other bytes",
    help: """
      An identifier and a sequence name one release of a module. If two archives have both in common and differ, \
      hosts cannot tell which is meant, and refuse one of them. One archive can hold the code for all platforms: \
      name each in `binary`. Otherwise give one of the archives another identifier or another sequence.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    let modules = release.modules
    for identifier in modules.identifiers {
      var known: [Int: ModuleReleases.Release] = [:]
      for each in modules[identifier] {
        let sequence = each.description.sequence
        guard let other = known[sequence] else {
          known[sequence] = each
          continue
        }
        guard !each.artifact.hasSameBytes(as: other.artifact) else { continue }
        findings.note(
          "is the same release of a module as another archive, with other bytes", about: each.artifact.path,
          entry: ModuleDescription.path, place: "sequence",
          expected: "another sequence, or the bytes of \(other.artifact.path)",
          found: "\(identifier) with sequence \(sequence)",
          hint: "put the code for all platforms into one archive, or give each its own sequence")
      }
    }
  }
}
