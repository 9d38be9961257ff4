internal import SignetBase

/// The signers are those of the last release.
package struct SignersChangedRule: ReleaseRule {
  package static let about = RuleDescription(
    "signers-changed", "Each artifact has the signers that it had in the last release",
    help: """
      A policy may trust several signers, but users often know only the one they have seen. A new signer may be a \
      new key, a forgotten second signature, or somebody who should not have signed. A signer with a certificate is \
      known by the names in it, any other one by the key. Make sure that the change is intended, and tell users \
      whose policies name the signers.
      """,
    .warning)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for pair in release.pairs {
      guard let old = pair.old, let new = pair.new, old.isVerified, new.isVerified, !new.hasSameSigners(as: old)
      else { continue }
      findings.note(
        "has other signers than in the last release", about: new.path, expected: Self.names(old),
        found: Self.names(new),
        hint: "make sure that the change is intended, and tell users whose policies name the signers")
    }
  }

  private static func names(_ artifact: ExaminedArtifact) -> String {
    artifact.signers.map(\.name).joined(separator: ", ")
  }
}
