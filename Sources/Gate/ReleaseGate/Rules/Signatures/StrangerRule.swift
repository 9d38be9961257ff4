package import SignetBase

/// Every signature beside an artifact is by a trusted signer.
package struct StrangerRule: ArtifactRule {
  package static let about = RuleDescription(
    "stranger", "Every signature beside an artifact is by a trusted signer",
    help: """
      A signature by an untrusted signer does not keep an artifact from being verified, and its statement is not \
      verified either. So it could hold anything, and users would get it as a part of the release. Remove the bundle, \
      or add its signer to the trust policy.
      """, .error, refusesBundles: true)

  package init(_ options: inout RuleOptions) {}

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    for reason in artifact.strangers {
      findings.note(
        "has a signature by an untrusted signer", place: reason.object, code: reason.code.rawValue,
        expected: reason.expected, found: reason.found,
        hint: "find out who has made it, and what it is for; users would get it as a part of the release")
    }
  }
}
