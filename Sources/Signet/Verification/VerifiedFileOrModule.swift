internal import SignetBase

/// The proof that somebody the policy trusts has signed exactly these bytes, as a file or as a module; which of them the
/// signed statement says. Only ``Verifier`` makes one.
public enum VerifiedFileOrModule: VerificationProof {
  /// It was signed as a file.
  case file(VerifiedArtifact)
  /// It was signed as a module.
  case module(VerifiedModule)

  /// What it rests on.
  public var evidence: Evidence {
    switch self {
    case .file(let file): file.evidence
    case .module(let module): module.evidence
    }
  }

  init(_ evidence: Evidence) throws(SignetError) {
    guard evidence.signatures.contains(where: { $0.statement.module != nil }) else {
      self = .file(VerifiedArtifact(evidence))
      return
    }
    self = .module(try VerifiedModule(evidence))
  }
}
