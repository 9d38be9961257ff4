internal import Signet
internal import SignetBase

/// The release holds one release of each module.
package struct DuplicateModuleRule: ReleaseRule {
  package static let about = RuleDescription(
    "duplicate-module", "The release holds one release of each module",
    help: """
      If a release holds a module twice, with different sequences, the older one is often left over from the last \
      build. Users who take it do not get what was released. Leave the older one out. Archives with the same \
      sequence and other bytes are the subject of the rule duplicate-sequence.
      """,
    .warning)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    let modules = release.modules
    for identifier in modules.identifiers {
      let all = modules[identifier]
      guard let newest = all.max(by: { $0.description.sequence < $1.description.sequence }) else { continue }
      for each in all where each.description.sequence < newest.description.sequence {
        findings.note(
          "is an older release of a module that is here in a newer one, too", about: each.artifact.path,
          expected: "\(identifier) with sequence \(newest.description.sequence) only, as in \(newest.artifact.path)",
          found: "sequence \(each.description.sequence)", hint: "leave the older one out")
      }
    }
  }
}
