internal import SignetArchive
package import SignetBase

/// Every archive means the same to every program, and stays in its folder.
package struct ArchiveRule: ContentsRule, DamageRule {
  package static let about = RuleDescription(
    "archive", "Every archive means the same to every program, and stays in its folder",
    help: """
      Programs that read archives differ in what they accept: bytes before and after, two entries of one name, headers \
      that contradict each other. So one program can check what another does not unpack. Other archives do harm when \
      they are unpacked: their paths or links lead out, or they expand without end. Such an archive is refused, and \
      its first fault is named with its code, which docs/cli.md describes. Archives within archives are judged, too. \
      Pack the archive again. What tar, zip, jar and others ordinarily write has no finding; the rule archive-form \
      names what is only not as plain as modules are.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  private static let expected = "an archive that every program reads alike"
  private static let hint = "find out what has made it, and pack it again"

  package func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    guard let failure = contents.archiveFailure else { return }
    findings.note(failure, ofArchiveIn: artifact, contents, expected: Self.expected, hint: Self.hint)
  }

  package func check(
    _ damage: SignetError, of entry: String, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) -> Bool {
    findings.note(
      damage, entry: entry.isExactly(artifact.path) ? nil : entry, expected: Self.expected, hint: Self.hint)
    return true
  }
}

extension RuleFindings {
  /// Notes what is wrong with an archive.
  ///
  /// The object is an entry or a part of it; the archive itself is named already.
  mutating func note(
    _ failure: SignetError, ofArchiveIn artifact: ExaminedArtifact, _ contents: ArtifactContents, expected: String,
    hint: String
  ) {
    let object = Array(failure.object.utf8)
    let names = [artifact.path, contents.container].compactMap { $0.map { Array($0.utf8) } }
    let isItself =
      failure.object.isExactly("archive") || failure.object.isExactly("entry")
      || names.contains { object.count >= $0.count && object.suffix($0.count) == $0[...] }
    note(
      failure, entry: contents.container, place: isItself ? nil : failure.object, expected: expected, hint: hint)
  }
}
