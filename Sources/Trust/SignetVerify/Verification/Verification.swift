internal import SignetBase
internal import SignetCrypto

/// A verification in progress: it examines one bundle after another and collects the findings.
struct Verification {
  private let policy: PolicyInForce
  private let expected: any ExpectedKind
  private let needsBothDigests: Bool
  private let allowsFolders: Bool
  private var hashed: HashedArtifact
  private let bundles: [EncodedBundle]
  /// The verification summaries; nil if none is demanded.
  private var summaries: SummarySearch?
  private var examined: [(findings: Findings, outcome: BundleExamination.Outcome)] = []

  init(
    under policy: TrustPolicy, at now: UnixTime, of artifact: HashedArtifact, bundles: [EncodedBundle],
    expecting expected: any ExpectedKind, needsBothDigests: Bool, allowsFolders: Bool
  ) {
    var revocations = Revocations(of: policy)
    if policy.revokesCertificates {
      // A bundle that cannot be read now is refused in its turn. If it can be read by then, it is noted then.
      for bundle in bundles { (try? bundle.bundle()).map { revocations.note(certificatesOf: $0) } }
    }
    self.policy = PolicyInForce(policy, at: now, role: expected.knownRole, revocations: revocations)
    self.expected = expected
    summaries = expected.isSummarized ? SummarySearch(self.policy, expected.name) : nil
    // A summary is about one digest. Another artifact must not have it by a statement whose digests are of two.
    self.needsBothDigests = needsBothDigests || summaries != nil
    self.allowsFolders = allowsFolders
    self.bundles = bundles
    hashed = artifact
  }

  /// Examines all bundles, then the content.
  ///
  /// - Returns: the evidence, or every reason to refuse.
  /// - Throws: if the outcome could not be determined.
  mutating func run() throws(SignetError) -> Result<Evidence, Refusal> {
    for bundle in bundles {
      if try summaries?.take(bundle) ?? false { continue }
      var examination = BundleExamination(policy, expected, allowsFolders: allowsFolders, bundle.label)
      let outcome = try examination.run(bundle, &hashed)
      examined.append((examination.findings, outcome))
    }
    try examineContent()
    return conclusion()
  }

  /// Compares the artifact's content with every statement without faults, unless the artifact is already refused.
  ///
  /// - Throws: if the outcome could not be determined.
  private mutating func examineContent() throws(SignetError) {
    if case .failure = conclusion() {
      for index in examined.indices {
        guard case .holds = examined[index].outcome else { continue }
        examined[index].findings.skip(ContentCheck.steps, "not looked at: the artifact is refused already")
      }
      return
    }
    for index in examined.indices {
      guard case .holds(let signature) = examined[index].outcome else { continue }
      let statement = signature.signature.statement
      let kind = expected.kind(by: statement)
      var check = ContentCheck(
        kind.name, revocations: policy.revocations, needsBothDigests: needsBothDigests, artifact: hashed,
        findings: examined[index].findings)
      try kind.compareContent(statement, &check)
      hashed = check.artifact
      check.findings.refuseStepsWithoutOutcome()
      examined[index].findings = check.findings
      if !check.findings.isGood { examined[index].outcome = .fails }
    }
  }

  /// The evidence, or every reason to refuse.
  private func conclusion() -> Result<Evidence, Refusal> {
    var signatures: [CountedSignature] = []
    var reasons: [SignetError] = []
    var strangers: [[SignetError]] = []
    for (findings, outcome) in examined {
      switch outcome {
      case .holds(let signature):
        signatures.append(signature)
      case .stranger(let found): strangers.append(found)
      case .fails: reasons += findings.isGood ? [.incompleteVerification(findings.label)] : findings.reasons
      }
    }
    reasons += summaries?.forgeries ?? []
    if examined.isEmpty { reasons.append(.missingSignature(expected.name)) }
    if !expected.hasSeveralTypes, let objection = objection(toKindsOf: signatures) { reasons.append(objection) }
    let quorum = Quorum(policy, name: expected.name).judge(signatures, strangers: strangers.count)
    guard reasons.isEmpty, case .success(let met) = quorum else {
      var all = reasons + strangers.flatMap(\.self)
      if case .failure(let reason) = quorum, !signatures.isEmpty || all.isEmpty { all.append(reason) }
      return .failure(Refusal(all, checks(quorum)))
    }
    if case .failure(let objections)? = summaries?.judge(met.signatures) {
      return .failure(Refusal(objections.reasons, checks(quorum)))
    }
    return .success(
      Evidence(
        hashed, name: expected.name, signatures: Self.distinct(met.signatures), checks: checks(quorum),
        strangers: strangers.compactMap(\.first), bundles: bundlesInOrder))
  }

  /// The bundles with summaries behind those of publishers: what keeps them takes the first one for a publisher's.
  private var bundlesInOrder: [EncodedBundle] {
    guard let apart = summaries?.bundles, !apart.isEmpty else { return bundles }
    return bundles.filter { bundle in !apart.contains { $0.label.isExactly(bundle.label) } } + apart
  }

  /// Counts a key's signature over a payload once. An interrupted --append leaves the same bundle twice.
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

  /// The objection to signatures that name different kinds of artifact; nil if all name the same.
  ///
  /// This matters if only the statement says what the artifact is.
  private func objection(toKindsOf signatures: [CountedSignature]) -> SignetError? {
    guard let first = signatures.first,
      let other = signatures.first(where: { $0.predicateType != first.predicateType })
    else { return nil }
    return SignetError(
      .statementPredicateType, other.label, "names another kind of artifact than \(first.label) does",
      expected: first.predicateType.uri, found: other.predicateType.uri,
      hint: "state the expected kind, and ask the publisher for signatures of that kind only")
  }

  /// Every step with every bundle, and the steps about all of them.
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
      let failure = checklist.firstFailure?.rawValue ?? "a step before it"
      all += checklist.checks(otherwise: "not looked at: \(failure) failed")
    }
    all.append(Check(.quorum, expected.name, outcome(of: quorum)))
    if let summaries { all.append(Check(.summary, expected.name, outcome(of: summaries, quorum))) }
    return all
  }

  private func outcome(
    of summaries: SummarySearch, _ quorum: Result<Quorum.Met, SignetError>
  ) -> Check.Outcome {
    if let forgery = summaries.forgeries.first { return .failed(forgery) }
    guard case .success(let met) = quorum else {
      return .skipped("not looked at: the artifact is refused already")
    }
    switch summaries.judge(met.signatures) {
    case .success(let found): return .passed(found)
    case .failure(let objections): return .failed(objections.reasons[0])
    }
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
