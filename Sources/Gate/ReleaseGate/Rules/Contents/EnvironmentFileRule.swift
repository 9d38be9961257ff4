/// No file with the settings of one machine is in the release.
package struct EnvironmentFileRule: ContentsRule, ReleaseRule {
  package static let about = RuleDescription(
    "environment-file", "No .env file is in the release",
    help: """
      A file named .env holds the settings of one machine: passwords of databases, keys of services, names of internal \
      hosts. They have forms that cannot be recognized, so the name is what counts. Leave the file out of the release, \
      and replace what is in it if the release may be in other hands. An example for users is named .env.example.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  /// The endings of files that show users which settings there are.
  private static let examples = ["example", "sample", "template", "dist", "defaults", "schema"]

  private static func meaning(_ name: [UInt8], isFolder: Bool) -> String? {
    guard !isFolder, name.starts(with: ".env".utf8) else { return nil }
    let ending = name.dropFirst(4)
    guard ending.isEmpty || ending.first == UInt8(ascii: ".") else { return nil }
    let last = ending.reversed().prefix { $0 != UInt8(ascii: ".") }.reversed()
    return examples.contains { last.elementsEqual($0.utf8) } ? nil : "settings of one machine"
  }

  package func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    for place in NamedPlaces.of(contents, Self.meaning) {
      findings.note(
        "holds settings of one machine", entry: contents.name(of: place.path), expected: "no .env files",
        found: ReleasePath.baseName(of: place.path), hint: "leave it out when packing, and replace the secrets in it")
    }
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for place in NamedPlaces.of(release, Self.meaning) {
      findings.note(
        "holds settings of one machine", about: place.first, expected: "no .env files",
        found: ReleasePath.baseName(of: place.path),
        hint: "leave it out of the release, and replace the secrets in it")
    }
  }
}
