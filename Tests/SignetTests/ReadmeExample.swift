import Signet
import SignetCrypto

func load(_ plugin: [UInt8], signature: [UInt8], trusting publisher: PublicKey) throws -> VerifiedArtifact {
  let verifier = Verifier(policy: TrustPolicy(trusting: [publisher]), clock: .system)
  switch try verifier.verify(
    .bytes(plugin), signatures: .bytes([signature]), expecting: .file(named: "plugin.tar.gz"))
  {
  case .verified(let proof): return proof
  case .refused(let refusal): throw refusal
  }
}
