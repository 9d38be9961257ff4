internal import Signet
package import SignetBase

/// Modules have the versions of releases.
package struct PrereleaseRule: ArtifactRule {
  package static let about = RuleDescription(
    "prerelease", "No module has the version of a pre-release",
    help: """
      A version such as 1.4.0-beta.2 says that it is not meant for everybody, and comes before 1.4.0. It is often \
      left over from testing. Raise `version` in module.json, or turn the rule off in the policy of pre-releases.
      """,
    .warning)

  package init(_ options: inout RuleOptions) {}

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    guard let version = artifact.module?.module.version,
      version.description.utf8.prefix(while: { $0 != UInt8(ascii: "+") }).contains(UInt8(ascii: "-"))
    else { return }
    findings.note(
      "has the version of a pre-release", entry: ModuleDescription.path, place: "version",
      expected: "a version without a hyphen", found: "\(version)",
      hint: "raise `version` in \(ModuleDescription.path), then pack and sign the module again")
  }
}
