internal import SignetBase
internal import SignetCrypto

/// One verification under way: bundle after bundle, collecting what was found.
struct Verification {
  private let policy: PolicyInForce
  private let expected: ExpectedKind
  private var hashed: HashedArtifact
  private var bundles: [EncodedBundle] = []
  private var examined: [(findings: Findings, outcome: BundleExamination.Outcome)] = []
  /// Keys of certificates that came with bundles and that the policy revokes.
  private var revokedKeys: Set<PublicKey> = []

  init(
    _ policy: TrustPolicy, _ now: UnixTime, _ artifact: HashedArtifact, _ expected: ExpectedKind
  ) {
    self.policy = PolicyInForce(policy, now, expected.knownRole)
    self.expected = expected
    hashed = artifact
  }

  /// Examines a bundle, as far as it goes without reading the artifact's content.
  ///
  /// - Throws: when it could not be found out.
  mutating func examine(_ encoded: EncodedBundle) throws(SignetError) {
    bundles.append(encoded)
    var examination = BundleExamination(policy, expected, encoded.label)
    let outcome = try examination.run(encoded, hashed)
    examined.append((examination.findings, outcome))
    revokedKeys.formUnion(examination.revokedKeys)
  }

  /// Holds the artifact's content against every statement that holds, unless the artifact is refused already.
  ///
  /// - Throws: when it could not be found out.
  mutating func examineContent() throws(SignetError) {
    if case .failure = conclusion() {
      for index in examined.indices {
        guard case .holds = examined[index].outcome else { continue }
        examined[index].findings.skip(ContentExamination.steps, "not looked at: the artifact is refused already")
      }
      return
    }
    for index in examined.indices {
      guard case .holds(let signature) = examined[index].outcome else { continue }
      var examination = ContentExamination(policy, signature, examined[index].findings)
      try examination.run(&hashed)
      examined[index].findings = examination.findings
      if !examination.findings.isGood { examined[index].outcome = .fails }
    }
  }

  /// What was found, or all reasons against.
  func conclusion() -> Result<Evidence, Refusal> {
    var signatures: [CountedSignature] = []
    var reasons: [SignetError] = []
    var strangers: [[SignetError]] = []
    for (findings, outcome) in examined {
      switch outcome {
      case .holds(let signature):
        if let objection = objection(to: signature) {
          strangers.append([objection])
        } else {
          signatures.append(signature)
        }
      case .stranger(let found): strangers.append(found)
      case .fails: reasons += findings.reasons
      }
    }
    if let objection = objection(toKindsOf: signatures) { reasons.append(objection) }
    let quorum = Quorum(policy, name: expected.name).judge(signatures, strangers: strangers.count)
    guard reasons.isEmpty, case .success(let met) = quorum else {
      var all = reasons + strangers.flatMap(\.self)
      if case .failure(let reason) = quorum, !signatures.isEmpty || all.isEmpty { all.append(reason) }
      return .failure(Refusal(all, checks(quorum)))
    }
    return .success(
      Evidence(
        hashed, name: expected.name, signatures: Self.distinct(met.signatures), checks: checks(quorum),
        bundles: bundles))
  }

  /// The same bundle twice, as an interrupted --append leaves it, is one signature.
  private static func distinct(_ signatures: [CountedSignature]) -> [VerifiedSignature] {
    var distinct: [VerifiedSignature] = []
    for each in signatures
    where !distinct.contains(where: {
      $0.key == each.signer.key && $0.payloadDigest == each.signature.payloadDigest
    }) {
      distinct.append(each.signature)
    }
    return distinct
  }

  /// Where the statement says what the artifact is, all have to say the same.
  private func objection(toKindsOf signatures: [CountedSignature]) -> SignetError? {
    guard let first = signatures.first,
      let other = signatures.first(where: { $0.terms.predicateType != first.terms.predicateType })
    else { return nil }
    return SignetError(
      .statementPredicateType, other.label, "says that the artifact is something else than \(first.label) does",
      expected: first.terms.predicateType.uri, found: other.terms.predicateType.uri,
      hint: "say what it has to be, and ask the publisher for signatures of that type alone")
  }

  /// Revoking a certificate revokes its key, whatever else the key signs with.
  private func objection(to signature: CountedSignature) -> SignetError? {
    if revokedKeys.isEmpty { return nil }
    let issuers = signature.signer.path?.certificates.dropFirst().compactMap { try? $0.publicKey() } ?? []
    guard let key = ([signature.signer.key] + issuers).first(where: revokedKeys.contains) else { return nil }
    let way = key == signature.signer.key ? "is signed by" : "comes by way of"
    return SignetError(
      .signerRevoked, signature.label, "\(way) the key of a certificate that the policy revokes", found: "\(key.id)",
      hint: "ask the publisher for a release that is signed anew")
  }

  /// Every step with every bundle.
  private func checks(_ quorum: Result<Quorum.Met, SignetError>) -> [Check] {
    let count = examined.count == 1 ? "1 bundle" : "\(examined.count) bundles"
    var all = [
      Check(.policy, expected.name, .passed(policy.policy.expires.map { "until \($0)" } ?? "without an end")),
      Check(.presence, expected.name, .passed(count)),
    ]
    var isMet = false
    if case .success = quorum { isMet = true }
    for (findings, outcome) in examined {
      var checklist = findings.checklist
      if case .stranger(let reasons) = outcome {
        if isMet {
          checklist.skip(.signer, "does not count: \(reasons[0].code): \(reasons[0].message)")
        } else {
          checklist.fail(.signer, reasons[0])
        }
        all += checklist.checks(otherwise: "not looked at: nobody who is trusted for this has signed it")
        continue
      }
      if case .holds(let signature) = outcome, let objection = objection(to: signature) {
        checklist.fail(.signer, objection)
      }
      let failure = checklist.firstFailure?.rawValue ?? "a step before it"
      all += checklist.checks(otherwise: "not looked at: \(failure) failed")
    }
    all.append(Check(.quorum, expected.name, outcome(of: quorum)))
    return all
  }

  private func outcome(of quorum: Result<Quorum.Met, SignetError>) -> Check.Outcome {
    let isRefused = examined.contains { if case .fails = $0.outcome { true } else { false } }
    switch quorum {
    case _ where isRefused: return .skipped("not counted: a bundle is refused")
    case .success(let met): return .passed(met.found)
    case .failure(let reason): return .failed(reason)
    }
  }
}
