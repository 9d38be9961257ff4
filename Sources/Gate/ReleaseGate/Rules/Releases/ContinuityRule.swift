internal import Signet
package import SignetBase

/// Each artifact is signed with no less than in the last release.
package struct ContinuityRule: ReleaseRule {
  package static let about = RuleDescription(
    "continuity", "Each artifact is signed with no less than in the last release",
    help: """
      A stolen account or a broken pipeline shows in what is missing: a signer of the last release, a timestamp, an \
      attestation, or the entry of the policy that names one signer where another one names many. Hosts and installations \
      refuse such a release as well. If the change is meant, let the signers of the last release sign this one, too, or \
      have them introduce the new key by signet trust rotate.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    guard let baseline = release.baseline else { return }
    let before = try ReleaseAttestations(
      of: baseline.artifacts, in: baseline.files, policy: release.policy, at: release.time)
    for pair in release.pairs {
      guard let old = pair.old, let new = pair.new, old.isVerified, new.isVerified else { continue }
      let record = Self.record(of: new, release.attestations, release.policy)
      let role = new.module.map { ArtifactRole(module: $0.module.identifier) } ?? .unnamed.named(new.baseName)
      for error in record.lacks(
        of: Self.record(of: old, before, release.policy), new.path, under: release.policy, as: role, at: release.time)
      {
        findings.note(
          error.message, about: new.path, code: error.code.rawValue, expected: error.expected?.display,
          found: error.found?.display,
          hint:
            "find out why; then let the signers of the last release sign this one, too, or attest it as that one was")
      }
    }
  }

  private static func record(
    of artifact: ExaminedArtifact, _ attestations: ReleaseAttestations, _ policy: TrustPolicy
  ) -> SigningRecord {
    let types = attestations.attestations(of: artifact).flatMap(\.signatures).map(\.statement.predicateType.uri)
    return SigningRecord(artifact.signatures, under: policy, attestations: Set(types))
  }
}
