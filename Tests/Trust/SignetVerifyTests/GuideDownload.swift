import SignetVerify

/// Verifies a download under its publisher's key, and says who has signed it or why it is refused.
func check(_ path: String, against publicKey: String) throws -> String {
  let policy = try TrustPolicy(trusting: [PublicKey(text: publicKey)])
  let file = try RegularFile(opening: path)
  let verdict = try Verifier(policy: policy, clock: .system).verify(
    .file(file), signatures: .beside(path), expecting: .file(named: file.baseName))
  switch verdict {
  case .verified(let proof): return "verified: \(proof)"
  case .refused(let refusal): return "refused: \(refusal.reason)"
  }
}
