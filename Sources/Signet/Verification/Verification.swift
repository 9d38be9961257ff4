internal import SignetCrypto

/// One verification under way: bundle after bundle, collecting what was found.
struct Verification {
  private let policy: TrustPolicy
  private let now: UnixTime
  private let terms: ExpectedTerms
  private var hashed: HashedArtifact
  private var examined: [(checklist: Checklist, outcome: BundleExamination.Outcome)] = []

  init(
    _ policy: TrustPolicy, _ now: UnixTime, _ artifact: Artifact, _ terms: ExpectedTerms,
    _ progress: ProgressCounter?
  ) {
    self.policy = policy
    self.now = now
    self.terms = terms
    hashed = HashedArtifact(artifact, progress)
  }

  /// Examines a bundle.
  ///
  /// - Throws: when it could not be found out.
  mutating func examine(_ encoded: EncodedBundle) throws(SignetError) {
    var examination = BundleExamination(policy, now, terms, encoded.label)
    let outcome = try examination.run(encoded, &hashed)
    examined.append((examination.checklist, outcome))
  }

  /// What was found, or all reasons against.
  func conclusion() -> Result<Evidence, Refusal> {
    var signatures: [VerifiedSignature] = []
    var reasons: [SignetError] = []
    var strangers: [SignetError] = []
    for (_, outcome) in examined {
      switch outcome {
      case .holds(let signature):
        // The same bundle twice, as an interrupted --append leaves it, is one signature.
        let isRepeated = signatures.contains {
          $0.key == signature.key && $0.payloadDigest == signature.payloadDigest
        }
        if !isRepeated { signatures.append(signature) }
      case .stranger(let reason): strangers.append(reason)
      case .fails(let found): reasons += found
      }
    }
    guard reasons.isEmpty, !signatures.isEmpty else {
      return .failure(Refusal(reasons + strangers, checks(isRefused: true)))
    }
    return .success(
      Evidence(hashed, name: terms.name, signatures: signatures, checks: checks(isRefused: false)))
  }

  /// Every step with every bundle.
  private func checks(isRefused: Bool) -> [Check] {
    let count = examined.count == 1 ? "1 bundle" : "\(examined.count) bundles"
    var all = [Check(.presence, terms.name, .passed(count))]
    for (checklist, outcome) in examined {
      var checklist = checklist
      if case .stranger(let reason) = outcome {
        if isRefused {
          checklist.fail(.signer, reason)
        } else {
          checklist.skip(.signer, "does not count: \(reason.message)")
        }
        all += checklist.checks(otherwise: "not looked at: nobody who is trusted has signed it")
        continue
      }
      let failure = checklist.firstFailure?.rawValue ?? "a step before it"
      all += checklist.checks(otherwise: "not looked at: \(failure) failed")
    }
    return all
  }
}
