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
  /// - Throws: if the outcome could not be determined.
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
    guard let whole = findings.attempt(.statement, read, { "about \($0.subjectName)" }) else { return .fails }
    let names = expected.subjectNames.map { SubjectName(text: $0, allowsFolders: allowsFolders) }
    let statement = names.isEmpty ? whole.about(bytes: artifact.flat) : whole.about(names, artifact.flat)
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
      key: signer.key, statement: statement, payloadDigest: try Digest.of(payload, .sha256),
      entries: policy.names(of: signer), certificatePath: signer.path)
    return .holds(CountedSignature(label: label, signer: signer, signature: verified, role: role))
  }

  private mutating func pass(_ signer: FoundSigner) {
    let subject = signer.path.map { "\($0.leaf.name), " } ?? ""
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
