internal import Keyless
internal import Signet
package import SignetBase

/// Who signs by an identity of Sigstore is proven by its logs, too.
package struct UnprovenIdentityRule: ArtifactRule {
  package static let about = RuleDescription(
    "unproven-identity", "Identities of Sigstore are proven by its logs, too",
    help: """
      An authority of Sigstore certifies identities for minutes, and writes each certificate and each signature into \
      public logs, where a theft is noticed. A policy that trusts such an authority as it trusts any other checks \
      neither the logs nor the time. Trust the identity instead: an entry with sigstore, as signet trust add writes it \
      with --github or --certificate-identity.
      """, .warning)

  package init(_ options: inout RuleOptions) {}

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    var told: Set<String> = []
    for signature in artifact.signatures where signature.identity == nil {
      guard let leaf = signature.certificatePath?.leaf, CertifiedIdentity.names(leaf), told.insert(leaf.name).inserted
      else { continue }
      let who = try? CertifiedIdentity(leaf)
      let (identity, issuer) = (who?.identity.shellWord ?? "IDENTITY", who?.issuer?.shellWord ?? "ISSUER")
      findings.note(
        "is signed by an identity of Sigstore, of which neither log nor time were checked", about: artifact.path,
        expected: "an entry of the policy with sigstore",
        found: "\(who?.identity ?? leaf.name), as \(signature.entries.joined(separator: ", "))",
        hint: "trust the identity: signet trust add POLICY --name NAME --certificate-identity \(identity) "
          + "--certificate-oidc-issuer \(issuer) --files PATTERN")
    }
  }
}
