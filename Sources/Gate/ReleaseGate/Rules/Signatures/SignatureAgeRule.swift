internal import Signet
package import SignetBase

/// No signature is stale, and none is from the future.
package struct SignatureAgeRule: ReleaseRule {
  package static let about = RuleDescription(
    "signature-age", "Signatures are recent",
    help: """
      An artifact that was signed long ago may be one that was left from an earlier release. An artifact that seems to \
      be signed in the future was signed on a machine with a wrong clock. The time is the signer's own claim. Build and \
      sign the artifact again, or raise the limit if old artifacts are part of each release.
      """,
    options: [("days", "the maximum age in days; usually 365")], .warning)

  /// How far apart the clocks of two machines may be, in seconds.
  private static let tolerance: Int64 = 300
  private let days: Int

  package init(_ options: inout RuleOptions) throws(SignetError) { days = try options.count("days", usually: 365) }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    let now = release.time
    for artifact in release.artifacts {
      // Each signer signs the same statement, and so claims the same time.
      guard let signedAt = artifact.signatures.compactMap(\.statement.signedAt).min() else { continue }
      if signedAt.seconds > now.seconds + Self.tolerance {
        findings.note(
          "seems to be signed in the future", about: artifact.path, expected: "a time up to \(now)",
          found: "\(signedAt)",
          hint: "correct the clock of the machine that signs; then build and sign the release again")
      } else if (now.seconds - signedAt.seconds) / 86_400 >= Int64(days) {
        findings.note(
          "was signed long ago", about: artifact.path, expected: "less than \(days) days ago", found: "\(signedAt)",
          hint: "find out whether it belongs to this release; if it does, build it and sign it again")
      }
    }
  }
}
