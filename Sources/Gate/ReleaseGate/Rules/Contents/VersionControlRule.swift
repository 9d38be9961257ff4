/// No version control folder is in the release.
package struct VersionControlRule: ContentsRule, ReleaseRule {
  package static let about = RuleDescription(
    "version-control", "No version control folder is in the release",
    help: """
      The folder of a version control system holds the whole history: files that were removed, names and addresses of \
      authors, and often the credentials of the server. On a web server it lets anybody read all of it. Pack or copy \
      only the files that users need, for example with git archive.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  private static let systems: [(name: String, words: String)] = [
    (".git", "Git"), (".hg", "Mercurial"), (".svn", "Subversion"), (".bzr", "Bazaar"), (".jj", "Jujutsu"),
    ("_darcs", "Darcs"),
  ]

  /// A file called `.git` says where the folder is. One called `_darcs` completes the commands of darcs in a shell.
  private static func system(_ name: [UInt8], isFolder: Bool) -> String? {
    systems.first { name.elementsEqual($0.name.utf8) && (isFolder || $0.name.utf8.first == UInt8(ascii: ".")) }?.words
  }

  package func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    for place in NamedPlaces.of(contents, Self.system) {
      findings.note(
        "holds what a version control system keeps", entry: contents.name(of: place.path),
        expected: "only files for users",
        found: place.words, hint: "leave it out when packing")
    }
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for place in NamedPlaces.of(release, Self.system) {
      findings.note(
        "belongs to what a version control system keeps", about: place.first, expected: "only files for users",
        found: "\(place.words), in \(place.path)", hint: "leave the folder out of the release")
    }
  }
}
