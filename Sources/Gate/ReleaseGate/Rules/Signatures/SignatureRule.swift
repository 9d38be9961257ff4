internal import Signet
package import SignetBase
internal import SignetCrypto

/// Every artifact is signed by signers that the policy trusts for it.
package struct SignatureRule: ArtifactRule {
  package static let about = RuleDescription(
    "signature", "Every artifact is signed by trusted signers",
    help: """
      Users can only tell a release from a forgery by its signatures. A finding gives each reason for which the \
      verification refuses the artifact: it is not signed, its bytes were changed after it was signed, or its signers \
      are not trusted for it. Sign the artifact again with the key that the policy trusts, or correct the policy if \
      the signer is the right one. If a file is not meant for users, remove it, or exclude it in the policy.
      """, .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    var noted: [SignetError] = []
    for reason in artifact.reasons {
      // Changed bytes have two other digests. The SHA-256 says enough, and comes last.
      if let index = noted.firstIndex(where: { $0.code == reason.code && $0.object.isExactly(reason.object) }) {
        noted[index] = reason
      } else {
        noted.append(reason)
      }
    }
    for reason in noted {
      let isAboutArtifact = reason.object.isExactly(artifact.baseName)
      findings.note(
        PublisherAdvice.advised(reason), place: isAboutArtifact ? nil : reason.object,
        expected: "what a trusted signer has signed", hint: PublisherAdvice.general)
    }
  }
}
