import Signet
import SignetCrypto

/// Only what carries the same signer's key as the host itself.
func loadOwn(_ path: String, named name: String, as own: Certificate) throws -> VerifiedArtifact {
  let policy = try TrustPolicy(entries: [TrustEntry("own", .sameSigner(as: own), scope: .everything)])
  let verifier = Verifier(policy: policy, clock: .system)
  return try verifier.verify(
    .file(RegularFile(opening: path)), signatures: .beside(path), expecting: .file(named: name)
  ).get()
}
