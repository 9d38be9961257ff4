internal import Signet
internal import SignetBase

/// The last release can be compared with: it has artifacts, and all of them are verified.
///
/// A statement that has expired is as good as none here. Nothing of it could be told from what somebody else claims
/// about an old release. The finding says that it is only that.
package struct BaselineRule: ReleaseRule {
  package static let about = RuleDescription(
    "baseline", "The last release is verified, so that this one can be compared with it",
    help: """
      Versions, sequences and permissions are compared with what the last release has signed. If an artifact of the \
      last release is refused, nothing of it can be believed, and a step back would go unnoticed. Give --baseline \
      the last release as it was published, with its signatures. If its statements have expired since then, sign its \
      artifacts again.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    guard let baseline = release.baseline else { return }
    if baseline.artifacts.isEmpty {
      findings.note(
        "has nothing to compare in its last release", expected: "the artifacts of the last release",
        found: "none in \(baseline.name)", hint: "check the path after --baseline, and the exclusions")
    }
    for artifact in baseline.artifacts where !artifact.isVerified {
      let hasExpired = !artifact.reasons.isEmpty && artifact.reasons.allSatisfy { $0.code == .statementExpired }
      let reason = artifact.reasons.first.map(PublisherAdvice.advised)
      findings.note(
        hasExpired
          ? "has a statement in the last release that has expired since then, so nothing can be compared with it"
          : "is refused in the last release, so nothing can be compared with it",
        about: artifact.path, place: "in the last release", code: reason?.code.rawValue,
        expected: reason?.expected ?? "an artifact that is verified", found: reason?.found ?? reason?.message,
        hint: hasExpired
          ? "get the last release from where it is published: its signatures may have been renewed"
          : "give --baseline the last release as it was published, with its signatures")
    }
  }
}
