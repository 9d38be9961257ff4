internal import SignetArchive
package import SignetBase

/// Every archive means the same to every program.
package struct ArchiveRule: GateRule {
  package static let about = RuleDescription(
    "archive", "Every ZIP and tar means the same to every program",
    help: """
      Programs that read archives differ in what they accept: bytes before and after, two entries of one name, headers \
      that contradict each other, paths that lead out. So one program can check what another does not unpack. ZIPs and \
      tars are read as strictly as modules are, and the first fault is named with its code, which docs/cli.md \
      describes. Pack the archive again, with signet pack or with a program that writes the plain form. The rules on \
      contents see a refused archive only from the outside; archives in archives and other formats are not opened.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  package func check(
    _ artifact: ExaminedArtifact, _ contents: ArtifactContents, _ findings: inout RuleFindings
  ) {
    guard var failure = contents.archiveFailure else { return }
    if failure.code == .archiveTarHeader { failure.hint = "make it again in POSIX's format: tar --format=pax" }
    // The object is an entry or a part of the archive; the archive itself is named already.
    let path = Array(artifact.path.utf8)
    let object = Array(failure.object.utf8)
    let isItself =
      failure.object.isExactly("archive") || object.count >= path.count && object.suffix(path.count) == path[...]
    findings.note(failure, place: isItself ? nil : failure.object)
  }

  package func check(
    _ damage: SignetError, of entry: String, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    findings.note(damage, entry: entry)
  }
}
