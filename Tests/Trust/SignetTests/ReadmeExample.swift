import Signet
import SignetCrypto

func load(_ plugin: [UInt8], signature: [UInt8], trusting publisher: PublicKey) throws -> VerifiedArtifact {
  let verifier = Verifier(policy: try TrustPolicy(trusting: [publisher]), clock: .system)
  let verdict = try verifier.verify(
    .bytes(plugin), signatures: .bytes([signature]), expecting: .file(named: "plugin.tar.gz"))
  return try verdict.get()
}
