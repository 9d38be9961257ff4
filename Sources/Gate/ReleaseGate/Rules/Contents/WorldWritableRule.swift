internal import SignetArchive
internal import SignetNames

/// Nothing can be written by everybody.
package struct WorldWritableRule: ContentsRule, ReleaseRule {
  package static let about = RuleDescription(
    "world-writable", "Nothing can be written by everybody",
    help: """
      Where the permissions of a file are kept when it is installed, everybody on that machine can change a file that \
      everybody may write, after its signature was checked. Take the permission away before packing: chmod -R o-w. \
      Archives made on file systems without permissions often give them to everybody; set them when packing. Wheels and \
      packages of npm are not judged, because what installs them gives their files permissions of its own. Nor are \
      packages of Java and Android, which are run as they are.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  private static let others: UInt32 = 0o002
  private static let sticky: UInt32 = 0o1000
  private static let hint = "take the permission away: chmod o-w"

  package func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    guard !Self.losesPermissions(contents, artifact) else { return }
    for entry in contents.entries where entry.mode & Self.others != 0 {
      // The permissions of a link mean nothing.
      if case .symbolicLink = entry.content { continue }
      // In a folder with the sticky bit, each can remove only what is his, as in /tmp. Everybody writes to a terminal or to
      // /dev/null; a user who writes to a disk changes what is on it.
      if entry.content == .directory, entry.mode & Self.sticky != 0 { continue }
      if entry.special == .other { continue }
      findings.note(
        "can be written by everybody", entry: contents.name(of: entry.path),
        expected: FileMode.text(entry.mode & ~Self.others),
        found: FileMode.text(entry.mode), hint: Self.hint)
    }
  }

  /// ZIPs that are run as they are, or whose files get permissions from what installs them (pip and uv).
  private static let endings = [".whl", ".jar", ".war", ".ear", ".aar", ".apk", ".aab"]

  /// Whether nobody ever gets the permissions in an archive. npm, pnpm and Yarn take none from a package: a `.tgz` with the
  /// folder `package` alone, and its description there.
  private static func losesPermissions(_ contents: ArtifactContents, _ artifact: ExaminedArtifact) -> Bool {
    guard let format = contents.format else { return false }
    let name = contents.container ?? artifact.path
    guard format != .zip else { return ContainerFormat.ends(name, with: endings) }
    guard ContainerFormat.ends(name, with: [".tgz"]) else { return false }
    let paths = contents.entries.map { $0.path.utf8.split(separator: UInt8(ascii: "/")) }
    guard paths.allSatisfy({ $0.first?.elementsEqual("package".utf8) ?? true }) else { return false }
    return paths.contains { $0.count == 2 && $0[1].elementsEqual("package.json".utf8) }
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for folder in release.files.topFolderModes where folder & Self.others != 0 {
      findings.note(
        "has a folder that can be written by everybody", expected: FileMode.text(folder & ~Self.others),
        found: FileMode.text(folder), hint: Self.hint)
    }
    for file in release.files.files where file.mode & Self.others != 0 {
      switch file.role {
      case .artifact, .directory, .bundle, .attestation, .folder:
        findings.note(
          "can be written by everybody", about: file.path, expected: FileMode.text(file.mode & ~Self.others),
          found: FileMode.text(file.mode), hint: Self.hint)
      case .excluded, .part, .link: continue
      }
    }
  }
}
