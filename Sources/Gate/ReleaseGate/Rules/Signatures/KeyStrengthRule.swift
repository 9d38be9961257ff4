internal import Signet
package import SignetBase
internal import SignetCrypto

/// Every signature is by a key of an allowed kind and length.
package struct KeyStrengthRule: ArtifactRule, ReleaseRule {
  package static let about = RuleDescription(
    "key-strength", "Every signing key is strong enough",
    help: """
      A release is in use for years, and a signature is as strong as its key. RSA keys below 3072 bits are not expected \
      to hold beyond 2030 (NIST SP 800-57). Sign with an Ed25519 key, or with a longer RSA key. All statements name \
      SHA-256 digests, so no weaker digest can occur. Attestations are looked at, too.
      """,
    options: [
      ("leastRSABits", "the minimum length of RSA keys in bits; usually 3072"),
      (
        "algorithms",
        "the allowed algorithms by name, Ed25519, RSA, ECDSA-P256, ECDSA-P384 or ECDSA-P521; usually all that Signet knows"
      ),
    ], .error)

  private let bits: Int
  private let algorithms: [String]

  package init(_ options: inout RuleOptions) throws(SignetError) {
    bits = try options.count("leastRSABits", usually: 3072)
    let known = ["Ed25519", "RSA", "ECDSA-P256", "ECDSA-P384", "ECDSA-P521"]
    algorithms = try options.values("algorithms", known.joined(separator: ", ")) { name in
      known.first { $0.isExactly(name) }
    }
  }

  package func check(_ artifact: ExaminedArtifact, _ findings: inout RuleFindings) throws(SignetError) {
    for signature in artifact.signatures { check(signature, verb: "is signed", of: artifact, in: nil, &findings) }
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for artifact in release.artifacts {
      for attestation in release.attestations.attestations(of: artifact) {
        for signature in attestation.signatures {
          check(signature, verb: "is attested", of: artifact, in: attestation.path, &findings)
        }
      }
    }
  }

  /// - Parameter file: the attestation; nil for the artifact's own signature.
  private func check(
    _ signature: VerifiedSignature, verb: String, of artifact: ExaminedArtifact, in file: String?,
    _ findings: inout RuleFindings
  ) {
    let algorithm = signature.key.algorithm
    let name = algorithm.family
    if !algorithms.isEmpty, !algorithms.contains(where: { $0.isExactly(name) }) {
      findings.note(
        "\(verb) by a key of a kind that the policy does not allow", about: artifact.path, place: file,
        expected: algorithms.joined(separator: ", "), found: "\(algorithm), \(signature.key.id)",
        hint: "build the release again, and sign it with a key of an allowed kind")
    } else if case .rsa(let found) = algorithm, found < bits {
      findings.note(
        "\(verb) by a key that is too short", about: artifact.path, place: file,
        expected: "RSA with \(bits) bits or more", found: "\(found) bits, \(signature.key.id)",
        hint: "build the release again, and sign it with a longer key")
    }
  }
}

extension KeyAlgorithm {
  /// The name without a length.
  fileprivate var family: String { if case .rsa = self { "RSA" } else { "\(self)" } }
}
