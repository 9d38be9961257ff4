internal import SignetCrypto

/// One verification under way: bundle after bundle, collecting what was found.
struct Verification {
  private let policy: TrustPolicy
  private let now: UnixTime
  private let expectation: Verifier.Expectation
  private var hashed: HashedArtifact
  private var checks: [Check] = []
  /// Reasons that refuse whatever else is there.
  private var reasons: [SignetError] = []
  /// Bundles of strangers: a reason only when nobody else has signed.
  private var strangers: [SignetError] = []
  private var signatures: [VerifiedSignature] = []

  init(
    _ policy: TrustPolicy, _ now: UnixTime, _ artifact: Artifact, _ expectation: Verifier.Expectation,
    _ progress: ProgressCounter?
  ) {
    self.policy = policy
    self.now = now
    self.expectation = expectation
    hashed = HashedArtifact(artifact, progress)
  }

  /// Examines a bundle; what it finds ends up in the verdict.
  mutating func examine(_ encoded: SignatureSource.Encoded) throws(SignetError) {
    let label = encoded.label
    guard let bundle = attempt(.bundle, label, encoded.bundle, { $0.mediaType.rawValue }) else { return }
    guard let key = try signer(of: bundle, label) else { return }
    noteUnchecked(bundle, label)
    let payload = bundle.envelope.payload
    guard
      let statement = attempt(
        .statement, label, { () throws(SignetError) in try Statement(payload: payload) },
        { "about \($0.subjectName)" })
    else { return }
    guard try holds(statement, label) else { return }
    let digest = try Digest.of(payload, .sha256)
    // The same bundle twice, as an interrupted --append leaves it, is one signature.
    guard !signatures.contains(where: { $0.key == key && $0.payloadDigest == digest }) else { return }
    signatures.append(VerifiedSignature(key: key, statement: statement, payloadDigest: digest))
  }

  /// The proof, or all reasons.
  func verdict() -> Verdict {
    if !signatures.isEmpty, reasons.isEmpty {
      return .verified(
        VerifiedArtifact(
          artifact: hashed, name: expectation.name, signatures: signatures, checks: checks))
    }
    guard reasons.isEmpty, strangers.isEmpty else { return .refused(Refusal(reasons + strangers, checks)) }
    let missing = SignetError(
      .signatureMissing, expectation.name, "has no signature", expected: "a Sigstore bundle beside it or named",
      hint: "get the bundle from where the artifact comes from")
    return .refused(Refusal([missing], [Check(.presence, expectation.name, .failed(missing))]))
  }

  /// The trusted key that made the bundle's signature; nil when there is none, and the reason is noted.
  private mutating func signer(of bundle: Bundle, _ label: String) throws(SignetError) -> PublicKey? {
    guard case .publicKey = bundle.material else {
      stranger(.signerCertificate, label, "comes with a certificate", expected: "a signature by a trusted key")
      return nil
    }
    let claims = bundle.claimedKeyIDs
    let claimed = policy.keys.filter { key in claims.contains { key.id.matches($0) } }
    // A hint of somebody else's making says nothing about our keys: any of them may have signed.
    let candidates = claimed.isEmpty ? policy.keys : claimed
    let message = Envelope.preAuthenticationEncoding(of: bundle.envelope.payload)
    for key in candidates {
      switch key.check(bundle.envelope.signature, over: message) {
      case .valid: return accept(key, label)
      case .invalid: continue
      case .couldNotCheck(let error): throw error
      }
    }
    if claimed.isEmpty {
      let who = claims.isEmpty ? "a key without a name" : claims.joined(separator: ", ")
      stranger(.signerUntrusted, label, "is signed by nobody who is trusted", expected: trusted, found: who)
    } else {
      fail(
        .signature,
        SignetError(
          .signatureInvalid, label, "is not the signature it claims to be: signature or statement was changed",
          expected: "a signature by \(claimed.map { "\($0.id)" }.joined(separator: " or "))",
          hint: "get artifact and bundle anew from where they come from"))
    }
    return nil
  }

  private var trusted: String {
    policy.keys.isEmpty ? "nobody: the policy is empty" : policy.keys.map { "\($0.id)" }.joined(separator: " or ")
  }

  private mutating func accept(_ key: PublicKey, _ label: String) -> PublicKey? {
    if let objection = policy.objection(to: key) {
      fail(.signer, objection, label)
      return nil
    }
    checks.append(Check(.signer, label, .passed("\(key)")))
    checks.append(Check(.signature, label, .passed("\(key.algorithm) over the statement")))
    return key
  }

  /// Whether everything the statement says is so; all of it is looked at, so that all reasons come at once.
  private mutating func holds(_ statement: Statement, _ label: String) throws(SignetError) -> Bool {
    let before = reasons.count
    let objections = Objections(label: label, expectation: expectation)
    note(.predicateType, label, statement.predicateType.uri, objections.toType(of: statement))
    note(.name, label, statement.subjectName, objections.toName(of: statement))
    switch statement.predicate {
    case .file(let file):
      try compare(file, objections)
      note(
        .freshness, label, file.notAfter.map { "until \($0)" } ?? "without an end", objections.toAge(of: file, now))
    case .foreign:
      let digest = try hashed.sha256()
      note(.sha256, label, "\(digest)", objections.toContent("\(statement.subjectDigest)", "\(digest)"))
    }
    return reasons.count == before
  }

  private mutating func compare(_ file: FilePredicate, _ objections: Objections) throws(SignetError) {
    let label = objections.label
    let size = hashed.artifact.size
    note(.size, label, "\(size) bytes", objections.toContent("\(file.size) bytes", "\(size) bytes"))
    guard size == file.size else {
      checks.append(Check(.fsverity, label, .skipped("the size differs already")))
      return
    }
    let digest = try hashed.fsverity()
    note(.fsverity, label, "\(digest)", objections.toContent("\(file.fsverity)", "\(digest)"))
    checks.append(Check(.sha256, label, .skipped("not established: the tree digest covers the same bytes")))
  }

  private mutating func noteUnchecked(_ bundle: Bundle, _ label: String) {
    if !bundle.logEntries.isEmpty {
      checks.append(Check(.transparencyLog, label, .skipped("\(bundle.logEntries.count) entries, not checked")))
    }
    if !bundle.timestamps.isEmpty {
      checks.append(Check(.timestamps, label, .skipped("\(bundle.timestamps.count), no authority is trusted")))
    }
  }

  private mutating func attempt<Value>(
    _ step: Check.Step, _ label: String, _ body: () throws(SignetError) -> Value, _ found: (Value) -> String
  ) -> Value? {
    do throws(SignetError) {
      let value = try body()
      checks.append(Check(step, label, .passed(found(value))))
      return value
    } catch {
      fail(step, error, label)
      return nil
    }
  }

  private mutating func note(_ step: Check.Step, _ label: String, _ found: String, _ objection: SignetError?) {
    if let objection {
      fail(step, objection, label)
    } else {
      checks.append(Check(step, label, .passed(found)))
    }
  }

  private mutating func fail(_ step: Check.Step, _ reason: SignetError, _ label: String? = nil) {
    checks.append(Check(step, label ?? reason.object, .failed(reason)))
    reasons.append(reason)
  }

  private mutating func stranger(
    _ code: SignetError.Code, _ label: String, _ message: String, expected: String, found: String? = nil
  ) {
    let reason = SignetError(
      code, label, message, expected: expected, found: found,
      hint: "compare the key's fingerprint with the one its publisher names")
    checks.append(Check(.signer, label, .skipped("\(code): \(message)")))
    strangers.append(reason)
  }
}
