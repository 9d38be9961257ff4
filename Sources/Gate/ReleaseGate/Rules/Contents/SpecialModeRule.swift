internal import SignetArchive
package import SignetBase
internal import SignetNames
internal import SignetSystem

/// No file runs with the rights of its owner or its group.
package struct SpecialModeRule: ContentsRule, ReleaseRule {
  package static let about = RuleDescription(
    "special-mode", "No file runs with the rights of its owner or its group",
    help: """
      A program with the set-user-ID or set-group-ID bit runs with the rights of its owner, no matter who starts it. A \
      release that brings this bit with it gives these rights without anybody's decision. Let the installation set the \
      bit where it is needed, with the reason beside it.
      """,
    options: [AllowedPlaces.option("may have such a bit", like: "usr/bin/sudo")], .error)

  private let allowed: AllowedPlaces

  package init(_ options: inout RuleOptions) throws(SignetError) {
    allowed = try AllowedPlaces(&options, like: "usr/bin/sudo")
  }

  private static let bits: UInt32 = 0o6000

  package func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    for entry in contents.entries where entry.mode & Self.bits != 0 {
      // On a directory, the bit says which group new files have.
      guard case .file = entry.content, entry.special == nil else { continue }
      let name = contents.name(of: entry.path)
      guard !allowed.cover(name, in: artifact.path) else { continue }
      note(entry.mode, nil, entry: name, &findings)
    }
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for file in release.files.files where file.mode & Self.bits != 0 && file.kind == .regular {
      guard !allowed.cover(nil, in: file.path) else { continue }
      switch file.role {
      case .artifact, .bundle, .attestation: note(file.mode, file.path, entry: nil, &findings)
      case .directory, .excluded, .part, .link, .folder: continue
      }
    }
  }

  private func note(_ mode: UInt32, _ path: String?, entry: String?, _ findings: inout RuleFindings) {
    findings.note(
      "runs with the rights of its \(mode & 0o4000 != 0 ? "owner" : "group")", about: path, entry: entry,
      expected: FileMode.text(mode & ~Self.bits), found: FileMode.text(mode),
      hint: "take the bit away: chmod \(mode & 0o4000 != 0 ? "u-s" : "g-s")")
  }
}
