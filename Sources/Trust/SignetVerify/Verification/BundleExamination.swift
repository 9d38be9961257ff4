internal import SignetBase
internal import SignetCrypto

/// The examination of one bundle, step by step, as far as it goes without the artifact's content.
///
/// Its findings become part of the verdict. No payload is parsed before the signature over it was verified as a
/// trusted signer's.
struct BundleExamination {
  private var policy: PolicyInForce
  private let expected: any ExpectedKind
  private let allowsFolders: Bool
  private(set) var findings: Findings
  /// The authorities of timestamps, which the policy trusts, that have stamped the signature.
  private var stamps: [String] = []

  /// How an examination ended.
  enum Outcome {
    /// A trusted signer has signed a statement in which no fault was found so far.
    case holds(CountedSignature)
    /// No trusted signer has signed. The artifact is refused unless other bundles have enough signatures.
    case stranger([SignetError])
    /// The bundle has a fault. The artifact is refused, whatever the other bundles say.
    case fails
  }

  init(_ policy: PolicyInForce, _ expected: any ExpectedKind, allowsFolders: Bool, _ label: String) {
    self.policy = policy
    self.expected = expected
    self.allowsFolders = allowsFolders
    findings = Findings(label, expected.steps)
  }

  private var label: String { findings.label }

  /// Examines the bundle.
  ///
  /// - Parameter artifact: keeps what is computed of it, for the next bundle and for the comparison.
  /// - Throws: if the outcome could not be determined.
  mutating func run(_ encoded: EncodedBundle, _ artifact: inout HashedArtifact) throws(SignetError) -> Outcome {
    if let bare = encoded.bare { return try examine(bare, &artifact) }
    let bundle: SigstoreBundle
    do throws(SignetError) {
      bundle = try encoded.bundle()
      findings.pass(.bundle, bundle.mediaType.rawValue)
    } catch {
      if error.code == .bundleMessageSignature, let text = try? encoded.read(),
        policy.entries.contains(where: { $0.entry.formats.contains(.message) }), expected.canBeMessage
      {
        return try examine(message: text, &artifact)
      }
      findings.fail(.bundle, error)
      return .fails
    }
    policy.revocations.note(certificatesOf: bundle)
    guard try judge(timesOf: bundle) else { return .fails }
    do throws(SignetError) {
      switch take(try SignerSearch(policy, bundle, label).run()) {
      case .right(let signer):
        guard let signer = policy.restrict(signer, stampedBy: stamps.count) else { return .stranger([unstamped]) }
        return try examine(bundle, by: signer, encoded.isAttached, artifact)
      case .wrong(let outcome): return outcome
      }
    } catch  where error.code == .signatureMalformed {
      findings.fail(.signer, error)
      return .fails
    }
  }

  /// Examines a signature of the artifact's bytes alone.
  private mutating func examine(
    message text: [UInt8], _ artifact: inout HashedArtifact
  ) throws(SignetError) -> Outcome {
    guard !isOfOtherPurpose(artifact) else { return .fails }
    let sha256 = try artifact.sha256()
    let search = VouchedSearch(policy: policy, label: label, format: .message)
    let found = try search.run(beside: .stranger([])) { (signers) throws(SignetError) in
      try signers.judge(message: text, at: policy.now) { (algorithm) throws(SignetError) in
        algorithm == .sha256 ? sha256 : try artifact.digest(algorithm)
      }
    }
    switch take(found) {
    case .right(let signer): return try examine(Statement(message: sha256), by: signer, sha256, artifact)
    case .wrong(let outcome): return outcome
    }
  }

  /// Examines a signature of another program, which is over the artifact's bytes alone.
  private mutating func examine(
    _ bare: any BareSignature, _ artifact: inout HashedArtifact
  ) throws(SignetError) -> Outcome {
    guard expected.canBeMessage else {
      findings.fail(
        .bundle,
        SignetError(
          .bundleMessageSignature, label, "speaks for bytes alone", expected: "a Sigstore bundle with a statement",
          found: bare.format.rawValue, hint: "verify it as a file: --as file"))
      return .fails
    }
    findings.pass(.bundle, bare.format.rawValue)
    findings.skip([.transparencyLog, .timestamps], "a signature of this format has none")
    guard policy.entries.contains(where: { $0.entry.accepts(bare.format) }) else {
      let narrower = Set(policy.entries.flatMap(\.entry.formats)).filter { $0.name == bare.format.name }
      return .stranger([
        SignetError(
          .signerUntrusted, label,
          narrower.isEmpty
            ? "has a format in which nobody is trusted" : "is by another key, or for another namespace",
          expected: narrower.isEmpty ? policy.trusted : narrower.map(\.rawValue).sorted().joined(separator: " or "),
          found: bare.format.rawValue)
      ])
    }
    guard !isOfOtherPurpose(artifact) else { return .fails }
    let signature: any SearchedSignature
    do throws(SignetError) { signature = try bare.over(&artifact) } catch {
      guard error.nature == .refusal else { throw error }
      findings.fail(.signature, error)
      return .fails
    }
    switch take(try SignerSearch(policy, signature, label).run()) {
    case .right(let found):
      guard let signer = policy.restrict(found, stampedBy: 0) else { return .stranger([unstamped]) }
      findings.pass(.signature, "\(signer.key.algorithm) over the bytes of the file")
      let sha256 = try artifact.sha256()
      return try examine(Statement(message: sha256), by: signer, sha256, artifact, saidBy: bare)
    case .wrong(let outcome): return outcome
    }
  }

  /// Whether the artifact's bytes are those that a signature of another kind covers. A signature over them was not made to
  /// speak for a file: it would be a statement that was taken out of its envelope.
  private mutating func isOfOtherPurpose(_ artifact: HashedArtifact) -> Bool {
    let marks = ["DSSEv1 ", "SSHSIG"].map { Array($0.utf8) }
    guard let source = try? artifact.artifact.source(), let head = try? source.bytes(in: 0..<min(7, source.size)),
      marks.contains(where: head.starts(with:))
    else { return false }
    findings.fail(
      .bundle, SignetError(.bundleMessageSignature, label, "signs what an envelope covers, without the envelope"))
    return true
  }

  /// What a search for signers means: the signer, or how the examination ends.
  private enum Signer {
    case right(FoundSigner)
    case wrong(Outcome)
  }

  private mutating func take(_ result: SignerSearch.Result) -> Signer {
    switch result {
    case .found(let signer):
      findings.note(signer.checks, failing: nil)
      pass(signer)
      return .right(signer)
    case .stranger(let reasons): return .wrong(.stranger(reasons))
    case .forged(let reason):
      findings.skip([.signer], "claims to be somebody trusted, which only the signature could show")
      findings.fail(.signature, reason)
    case .broken(let reason, let checks): findings.note(checks, failing: reason)
    }
    return .wrong(.fails)
  }

  private mutating func examine(
    _ bundle: SigstoreBundle, by signer: FoundSigner, _ isAttached: Bool, _ artifact: HashedArtifact
  ) throws(SignetError) -> Outcome {
    findings.pass(.signature, "\(signer.key.algorithm) over the statement")
    if isAttached, let objection = bundle.objection(toNamesBesides: signer.key, label) {
      findings.fail(.bundle, objection)
      return .fails
    }
    let payload = bundle.envelope.payload
    let read = { () throws(SignetError) in try Statement(payload: payload) }
    guard let whole = findings.attempt(.statement, read, { "about \($0.subjectName)" }) else { return .fails }
    let names = expected.subjectNames.map { SubjectName(text: $0, allowsFolders: allowsFolders) }
    var statement = names.isEmpty ? whole.about(bytes: artifact.flat) : whole.about(names, artifact.flat)
    if names.isEmpty, whole.subjects.count(where: { $0.digest.algorithm != .sha256 }) > 1,
      statement.subjectDigest != artifact.flat
    {
      statement = whole.about(bytes: try artifact.digest(.sha512))
    }
    return try examine(statement, by: signer, Digest.of(payload, .sha256), artifact)
  }

  private mutating func examine(
    _ statement: Statement, by found: FoundSigner, _ payload: Digest, _ artifact: HashedArtifact,
    saidBy bare: (any BareSignature)? = nil
  ) throws(SignetError) -> Outcome {
    if expected.skips(statement, by: found) {
      return .stranger([
        SignetError(
          .statementPredicateType, label, "has a statement of another type",
          expected: expected.predicateTypes.map(\.uri).joined(separator: " or "), found: statement.predicateType.uri,
          hint: "ask the publisher for a signature of the expected type")
      ])
    }
    var signer = found
    let kind = expected.kind(by: statement)
    findings.take(kind.steps)
    let role = kind.role(by: statement)
    // If only the statement says what the artifact is, the entries' scopes can be checked only now.
    if policy.knownRole == nil, let role {
      let (restricted, objections) = policy.restrict(signer, to: role, label)
      guard let restricted else { return .stranger(objections) }
      signer = restricted
      pass(signer)
    }
    var check = StatementCheck(
      kind.name, allowsFolders: allowsFolders, policy: policy, artifact: artifact, findings: findings)
    kind.compare(statement, &check)
    findings = check.findings
    guard findings.isGood, let role else { return .fails }
    let verified = VerifiedSignature(
      key: signer.key, statement: statement, payloadDigest: payload, entries: policy.names(of: signer),
      certificatePath: signer.path, identity: signer.identity,
      stamped: signer.identity == nil ? policy.stamped : nil, format: bare?.format, remarks: bare?.remarks ?? [])
    return .holds(CountedSignature(label: label, signer: signer, signature: verified, role: role))
  }

  private var unstamped: SignetError {
    SignetError(
      .timestampMissing, label, "has a signature that too few trusted authorities of timestamps have stamped",
      expected: "timestamps by \(policy.leastTimestamps) of the policy's authorities",
      found: stamps.isEmpty ? "none" : stamps.joined(separator: ", "),
      hint: "ask the publisher to have its signature stamped")
  }

  private mutating func pass(_ signer: FoundSigner) {
    let subject = (signer.identity?.name ?? signer.path?.leaf.name).map { "\($0), " } ?? ""
    findings.pass(.signer, "\(subject)\(signer.key), as \(policy.names(of: signer).joined(separator: ", "))")
  }

  /// Judges the signature at the time at which it was there, if authorities of timestamps that the policy trusts state one.
  ///
  /// - Returns: false if one of their statements does not hold.
  private mutating func judge(timesOf bundle: SigstoreBundle) throws(SignetError) -> Bool {
    let entries = bundle.logEntries.count
    findings.skip(
      [.transparencyLog], entries == 0 ? "the bundle has no entries" : "\(entries) in the bundle, not checked")
    let (count, authorities) = (bundle.timestamps.count, policy.policy.timestampAuthorities)
    guard count > 0, !authorities.isEmpty, let verifier = policy.policy.terms.timestamps.verifier else {
      findings.skip([.timestamps], count == 0 ? "the bundle has none" : "\(count), no authority is trusted")
      return true
    }
    do throws(SignetError) {
      // An authority is revoked as a signer is.
      let revocations = policy.revocations
      let stating = try verifier.times(
        bundle.timestamps, over: bundle.envelope.signature, by: authorities, policy.policy.revocationLists,
        statements: policy.policy.statusResponses.statements, at: policy.now
      ) { revocations.at([$0.time]).noting($0.path.certificates).objection(to: $0.path, label) != nil }
      stamps = stating.map(\.path.leaf.name)
      // The earliest time that as many authorities state as are demanded.
      if let first = stating.dropFirst(max(policy.leastTimestamps, 1) - 1).first {
        policy = policy.judging(first.time)
        findings.pass(.timestamps, "signed by \(first.time), which \(first.path.leaf.name) states")
      } else {
        let many = stamps.isEmpty ? "no authority" : "too few authorities"
        findings.skip([.timestamps], "\(count), by \(many) that the policy trusts")
      }
      return true
    } catch {
      if error.code == .cryptoFailure { throw error }
      findings.fail(.timestamps, error.about("\(label): \(error.object)"))
      return false
    }
  }
}
