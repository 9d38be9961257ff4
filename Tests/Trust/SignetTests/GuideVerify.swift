import Signet

/// Verifies a file or a module under a policy, and says who has signed it or why it is refused.
func describe(_ path: String, under policyPath: String) throws -> String {
  let policy = try TrustPolicy(trustedFile: policyPath)
  let verifier = Verifier(policy: policy, clock: .system)
  let file = try RegularFile(opening: path)
  let verdict = try verifier.verify(
    .file(file), signatures: .beside(path), expecting: .fileOrModule(named: file.baseName))
  switch verdict {
  case .verified(let proof): return "verified: \(proof)"
  case .refused(let refusal): return "refused: \(refusal.reason)"
  }
}
