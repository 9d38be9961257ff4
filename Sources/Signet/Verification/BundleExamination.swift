internal import SignetBase
internal import SignetCrypto

/// The examination of one bundle, step by step, as far as it goes without reading the artifact's content. What it finds
/// ends up in the verdict.
///
/// Nothing of the payload is parsed before its signature was found to be by somebody trusted.
struct BundleExamination {
  private var policy: PolicyInForce
  private let expected: any ExpectedKind
  private(set) var findings: Findings

  /// How it ended.
  enum Outcome {
    /// A trusted key has signed a statement that holds, as far as was looked.
    case holds(CountedSignature)
    /// Nobody trusted has signed: that refuses unless others have.
    case stranger([SignetError])
    /// That refuses, whatever else is there.
    case fails
  }

  init(_ policy: PolicyInForce, _ expected: any ExpectedKind, _ label: String) {
    self.policy = policy
    self.expected = expected
    findings = Findings(label, expected.steps)
  }

  private var label: String { findings.label }

  /// Examines the bundle.
  ///
  /// - Throws: when it could not be found out.
  mutating func run(_ encoded: EncodedBundle, _ artifact: HashedArtifact) throws(SignetError) -> Outcome {
    guard let bundle = findings.attempt(.bundle, encoded.bundle, { $0.mediaType.rawValue }) else { return .fails }
    policy.revocations.note(certificatesOf: bundle)
    noteUnchecked(bundle)
    var signer: FoundSigner
    do throws(SignetError) {
      switch try SignerSearch(policy, bundle, label).run() {
      case .found(let found): signer = found
      case .stranger(let reasons): return .stranger(reasons)
      case .forged(let reason):
        findings.skip([.signer], "claims to be somebody trusted, which only the signature could show")
        findings.fail(.signature, reason)
        return .fails
      }
    } catch  where error.code == .signatureMalformed {
      findings.fail(.signer, error)
      return .fails
    }
    pass(signer)
    findings.pass(.signature, "\(signer.key.algorithm) over the statement")
    if encoded.isAttached, let objection = bundle.objection(toNamesBesides: signer.key, label) {
      findings.fail(.bundle, objection)
      return .fails
    }
    let payload = bundle.envelope.payload
    let read = { () throws(SignetError) in try Statement(payload: payload) }
    guard let statement = findings.attempt(.statement, read, { "about \($0.subjectName)" }) else { return .fails }
    let kind = expected.kind(by: statement)
    findings.take(kind.steps)
    let role = kind.role(by: statement)
    // Where only the statement says what the artifact is, only now can it be asked who may speak for that.
    if policy.knownRole == nil, let role {
      let (restricted, objections) = policy.restrict(signer, to: role, label)
      guard let restricted else { return .stranger(objections) }
      signer = restricted
      pass(signer)
    }
    var check = StatementCheck(kind.name, policy, artifact, findings)
    kind.compare(statement, &check)
    findings = check.findings
    guard findings.isGood, let role else { return .fails }
    let verified = VerifiedSignature(
      key: signer.key, statement: statement, payloadDigest: try Digest.of(payload, .sha256),
      entries: policy.names(of: signer), certificatePath: signer.path)
    return .holds(CountedSignature(label: label, signer: signer, signature: verified, role: role))
  }

  private mutating func pass(_ signer: FoundSigner) {
    let subject = signer.path.map { "\($0.leaf.subject), " } ?? ""
    findings.pass(.signer, "\(subject)\(signer.key), as \(policy.names(of: signer).joined(separator: ", "))")
  }

  private mutating func noteUnchecked(_ bundle: SigstoreBundle) {
    let entries = bundle.logEntries.count
    findings.skip(
      [.transparencyLog], entries == 0 ? "the bundle has no entries" : "\(entries) entries, not checked")
    let times = bundle.timestamps.count
    findings.skip([.timestamps], times == 0 ? "the bundle has none" : "\(times), no authority is trusted")
  }
}
