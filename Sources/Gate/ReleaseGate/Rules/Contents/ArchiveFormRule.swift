internal import SignetArchive
internal import SignetBase

/// Every archive has the plain form that modules have.
package struct ArchiveFormRule: ContentsRule {
  package static let about = RuleDescription(
    "archive-form", "Every archive has the plain form that modules have",
    help: """
      Signet packs archives in one plain form, which every program reads alike and which holds nothing but files. \
      Other programs write more: long names in GNU's way, times and owners, extra fields and data descriptors of ZIPs, \
      hard links, names that Windows does not have, and other formats. None of that is dangerous, and the contents are \
      searched all the same. Turn this rule on if all archives of a release should be as plain as modules. Then pack \
      them with signet pack, or with tar --format=pax. The first deviation is named with its code.
      """,
    nil)

  package init(_ options: inout RuleOptions) {}

  package func check(
    _ contents: ArtifactContents, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) {
    guard var failure = contents.formFailure else { return }
    if failure.code == .archiveTarHeader { failure.hint = "make it again in POSIX's format: tar --format=pax" }
    findings.note(
      failure, ofArchiveIn: artifact, contents, expected: "an archive as plain as modules are",
      hint: "pack it with signet pack")
  }
}
