internal import Signet
package import SignetBase

/// Every artifact is signed under its path in the release.
package struct NameRule: ArtifactRule {
  package static let about = RuleDescription(
    "name", "Every artifact is signed under its path in the release",
    help: """
      Two folders of a release may have files of the same name, such as linux/tool and macos/tool. If they were signed \
      as tool, each could be exchanged for the other, and its signature would still be good. signet sign --each signs \
      every artifact under its path from the folder that you give it. Sign with it from the same folder that you give \
      to the gate. An artifact at the top of the folder has its name as its path.
      """, .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    guard let other = artifact.signatures.first(where: { !$0.statement.subjectName.isExactly(artifact.path) }) else {
      return
    }
    findings.note(
      "is signed under another name", expected: artifact.path, found: other.statement.subjectName,
      hint: PublisherAdvice.misplaced)
  }
}
