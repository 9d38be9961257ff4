package import SignetBase

/// Every attestation is by a trusted signer, and about its artifact.
package struct UnverifiedAttestationRule: ReleaseRule {
  package static let about = RuleDescription(
    "unverified-attestation", "Every attestation is by a trusted signer, and about its artifact",
    help: """
      A file such as tool.provenance.sigstore.json tells users who has built or checked the file tool. One that is \
      forged, or about other bytes, deceives them. A finding gives each reason against it. Have the artifact \
      attested again, add the attestation's signer to the trust policy, or remove the file. What an attestation says \
      is only compared with the demands of the rule attestation.
      """, .error, refusesBundles: true)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    let attestations = release.attestations
    for artifact in release.artifacts {
      for attestation in attestations.attestations(of: artifact) {
        attestation.noteReasons(about: artifact, in: &findings)
      }
    }
    for path in attestations.unattached {
      findings.note(
        "is about a file that the gate does not look at", about: path, expected: "an attestation of an artifact",
        found: "one of a file or folder that is no artifact",
        hint: "find out whether users get what it is about: both belong together")
    }
  }
}
