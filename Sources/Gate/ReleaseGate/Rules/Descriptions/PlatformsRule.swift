internal import Signet
package import SignetBase

/// Modules with code have it for all platforms of the release.
package struct PlatformsRule: ArtifactRule {
  package static let about = RuleDescription(
    "platforms", "Each module with code has it for every platform that the policy names",
    help: """
      A build for several platforms sometimes loses one, and users there get a module that cannot be loaded. Name \
      the platforms of the release in the policy. Then build the missing binary, name it in module.json, and pack \
      and sign the module again. Without the option `names` the rule does nothing.
      """,
    options: [("names", "the platforms that each module with code must have, such as linux-x86_64")],
    .error)

  private let platforms: [ModulePlatform]

  /// - Throws: `json.wrong-value` for a platform that is not known.
  package init(_ options: inout RuleOptions) throws(SignetError) {
    platforms = try options.values("names", ModulePlatform.all.map(\.rawValue).joined(separator: ", ")) {
      ModulePlatform(rawValue: $0)
    }
  }

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    guard let module = artifact.module?.module, !module.binaries.isEmpty else { return }
    for platform in platforms where module.binaries[platform] == nil {
      findings.note(
        "has no code for a platform of the release", entry: ModuleDescription.path, place: "binary",
        expected: "\(platform)", found: module.platforms.joined(separator: ", "),
        hint: "build it for \(platform), and name the binary there")
    }
  }
}
