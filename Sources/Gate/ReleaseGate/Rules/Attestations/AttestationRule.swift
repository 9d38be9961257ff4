internal import Signet
package import SignetBase

/// Every artifact has the attestations that the policy demands.
package struct AttestationRule: ReleaseRule {
  package static let about = RuleDescription(
    "attestation", "Every artifact has the attestations that the policy demands",
    help: """
      An attestation is a signed statement of another program about an artifact: by which builder and from which \
      source it was built, what it contains, or that somebody has verified it. It is in a Sigstore bundle beside \
      the artifact, such as tool.provenance.sigstore.json for tool, and names the artifact and its SHA-256. A \
      finding says what is missing, or what differs from the policy. Have the artifact built and attested as the policy \
      demands, or correct the policy if it names the wrong builder, source or signer.
      """,
    options: [
      ("demands", "a list of objects; each is an attestation that artifacts must have"),
      ("demands[].type", "provenance, sbom, spdx, cyclonedx, verification-summary, or the URI of another type"),
      ("demands[].artifacts", "patterns of the artifacts that must have it; usually all"),
      ("demands[].signers", "the names of trust policy entries, one of which must have signed it; always needed"),
      ("demands[].builder", "provenance: the builder's ID; a * at the end, after an @, stands for any version"),
      ("demands[].buildType", "provenance: the URI of the type of build"),
      ("demands[].source", "provenance: the URL of the source repository, without a revision"),
      ("demands[].commit", "provenance: the commit in that repository, in full"),
      ("demands[].parameters", "provenance: an object; the build's external parameters must have its fields"),
      ("demands[].verifier", "verification-summary: the verifier's ID; usually urn:signet:gate"),
      ("demands[].resource", "verification-summary: resourceUri before the path; usually urn:signet:artifact:"),
      ("demands[].policySHA256", "verification-summary: the SHA-256 of the policy that was verified against"),
      ("demands[].levels", "verification-summary: levels that must have been verified, or higher ones"),
    ], nil)

  private let demands: [AttestationDemand]

  package init(_ options: inout RuleOptions) throws(SignetError) {
    var demands: [AttestationDemand] = []
    for object in try options.objects("demands") { demands.append(try AttestationDemand(object)) }
    self.demands = demands
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) throws(SignetError) {
    checkDemands(release, &findings)
    let attestations = release.attestations
    for artifact in release.artifacts {
      let wanted = demands.filter { $0.covers(artifact) }
      guard !wanted.isEmpty else { continue }
      let verified = attestations.attestations(of: artifact)
      var isMissing = false
      for demand in wanted where !check(demand, on: artifact, in: verified, &findings) { isMissing = true }
      // What is refused has no type that could be believed. It may be what is missing.
      if isMissing { for each in verified { each.noteReasons(about: artifact, in: &findings) } }
    }
  }

  /// Looks for demands that nothing could meet, or that demand nothing: a mistake in the policy must not look like a
  /// release without faults.
  private func checkDemands(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    let place = "rules.\(Self.about.id).demands"
    if demands.isEmpty {
      findings.note(
        "cannot be checked for attestations, because the policy demands none", place: place,
        expected: "one demand or more", found: "none", hint: "have the policy's owner add the demands")
    }
    let entries = release.policy.entries + (release.policy.summary?.signers ?? [])
    for (index, demand) in demands.enumerated() {
      for signer in demand.signers where !entries.contains(where: { $0.name.isExactly(signer) }) {
        findings.note(
          "cannot be attested by a signer that the trust policy does not have", place: "\(place)[\(index)].signers",
          expected: entries.map(\.name).joined(separator: ", "), found: signer,
          hint: "have the policy's owner correct the name")
      }
      if !release.artifacts.isEmpty, !release.artifacts.contains(where: demand.covers) {
        findings.note(
          "has no artifact that a demand for attestations is about", place: "\(place)[\(index)].artifacts",
          expected: demand.artifacts.map(\.description).joined(separator: ", "),
          found: "none of them", hint: "find out what is missing from the release, or has another name")
      }
    }
  }

  /// Looks for an attestation that meets a demand, and notes how the others differ.
  ///
  /// - Returns: whether there is one.
  private func check(
    _ demand: AttestationDemand, on artifact: ExaminedArtifact, in attestations: [Attestation],
    _ findings: inout RuleFindings
  ) -> Bool {
    var objections: [(path: String, objection: AttestationObjection)] = []
    for attestation in attestations {
      for signature in attestation.signatures where demand.content.accepts(signature.statement.predicateType) {
        let found = demand.objections(to: signature, about: artifact)
        guard !found.isEmpty else { return true }
        objections += found.map { (attestation.path, $0) }
      }
    }
    for each in objections { each.objection.note(about: artifact, in: each.path, &findings) }
    guard objections.isEmpty, attestations.allSatisfy(\.reasons.isEmpty) else { return false }
    findings.note(
      "has no \(demand.content.noun)", about: artifact.path, expected: demand.content.types, found: "none",
      hint: "have it attested, and put the bundle beside it as "
        + "\(artifact.baseName).\(demand.content.label).sigstore.json")
    return false
  }
}
