internal import SignetBase
internal import SignetCrypto

/// The examination of one bundle, step by step, as far as it goes without reading the artifact's content. What it finds
/// ends up in the verdict.
///
/// Nothing of the payload is parsed before its signature was found to be by somebody trusted.
struct BundleExamination {
  private let policy: PolicyInForce
  private let expected: ExpectedKind
  private(set) var findings: Findings
  /// The key of a certificate that came with the bundle and that the policy revokes.
  private(set) var revokedKeys: Set<PublicKey> = []

  /// How it ended.
  enum Outcome {
    /// A trusted key has signed a statement that holds, as far as was looked.
    case holds(CountedSignature)
    /// Nobody trusted has signed: that refuses unless others have.
    case stranger([SignetError])
    /// That refuses, whatever else is there.
    case fails
  }

  init(_ policy: PolicyInForce, _ expected: ExpectedKind, _ label: String) {
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
    noteUnchecked(bundle)
    revokedKeys = bundle.revokedKeys(policy.policy)
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
    let terms = expected.terms(for: statement)
    findings.take(terms.steps)
    let role = terms.role(by: statement)
    // Where only the statement says what the artifact is, only now can it be asked who may speak for that.
    if terms.module == nil ? expected.knownRole == nil : statement.module != nil {
      let (restricted, objections) = policy.restrict(signer, to: role, label)
      guard let restricted else { return .stranger(objections) }
      signer = restricted
      pass(signer)
    }
    compare(statement, terms, artifact)
    guard findings.isGood else { return .fails }
    let verified = VerifiedSignature(
      key: signer.key, statement: statement, payloadDigest: try Digest.of(payload, .sha256),
      entries: policy.names(of: signer), certificatePath: signer.path)
    return .holds(CountedSignature(label: label, signer: signer, signature: verified, role: role, terms: terms))
  }

  private mutating func pass(_ signer: FoundSigner) {
    let subject = signer.path.map { "\($0.leaf.subject), " } ?? ""
    findings.pass(.signer, "\(subject)\(signer.key), as \(policy.names(of: signer).joined(separator: ", "))")
  }

  /// Holds what the statement says against what is so without a look at the content; all of it is looked at, so that all
  /// reasons come at once.
  private mutating func compare(_ statement: Statement, _ terms: ExpectedTerms, _ artifact: HashedArtifact) {
    let objections = Objections(label: label, terms: terms)
    findings.note(.predicateType, statement.predicateType.uri, objections.toType(of: statement))
    if terms.module == nil { findings.note(.name, statement.subjectName, objections.toName(of: statement)) }
    let end = statement.notAfter.map { "until \($0)" } ?? "without an end"
    findings.note(.freshness, end, objections.toAge(of: statement, policy.now))
    switch SignedContent(statement, terms, artifact) {
    case .file(let file): compare(file.size, artifact, objections)
    case .directory: break
    case .module(let module):
      note(module, terms, objections)
      compare(module.archive.size, artifact, objections)
      if let failure = artifact.archiveFailure { findings.fail(.structure, failure) }
    case .unpacked(let module): note(module, terms, objections)
    case .hostManifest(let manifest):
      findings.note(.identifier, "\(manifest.identifier)", objections.toHost(of: manifest))
      findings.note(
        .sequence, "\(manifest.sequence)",
        objections.toSequence(of: manifest)
          ?? policy.objection(to: manifest.identifier, sequence: manifest.sequence, version: nil, terms.name))
      compare(manifest.size, artifact, objections)
    case .foreign:
      findings.skip([.size, .fsverity, .freshness], "not looked into: the statement is of another program's type")
    case nil:
      // Whoever expects a directory or a module has one, so the type has been objected to.
      findings.skip(
        [.size, .fsverity, .sha256, .structure, .contents, .identifier, .sequence],
        "not looked at: the statement is about something else")
    }
    lookForRevocation(statement, terms, artifact)
  }

  private mutating func compare(_ expected: Int, _ artifact: HashedArtifact, _ objections: Objections) {
    let size = artifact.size
    findings.note(.size, "\(size) bytes", objections.toContent("\(expected) bytes", "\(size) bytes"))
    guard size != expected else { return }
    findings.skip([.fsverity, .sha256], "the size differs already")
    findings.skip([.structure, .contents], "the bytes are not the signed ones")
  }

  /// Who a module is, and which release.
  private mutating func note(_ predicate: ModulePredicate, _ terms: ExpectedTerms, _ objections: Objections) {
    let module = predicate.module
    findings.note(.identifier, "\(module.identifier)", objections.toModule(module))
    findings.note(
      .sequence, "\(module.sequence), version \(module.version)",
      objections.toSequence(of: module)
        ?? policy.objection(
          to: module.identifier, sequence: module.sequence, version: module.version, terms.name))
  }

  /// The digests that are signed, and those that are known already, are compared with those the policy revokes; those of
  /// the artifact come later.
  private mutating func lookForRevocation(
    _ statement: Statement, _ terms: ExpectedTerms, _ artifact: HashedArtifact
  ) {
    // A floor that nothing is held against must not look like one that holds.
    if let module = terms.role.module, terms.host == nil, policy.policy.isAboutReleases(of: module) {
      findings.fail(
        .revocation,
        SignetError(
          .policyRollback, terms.name, "has no sequence, and the policy does not accept every release of \(module)",
          expected: "a signed module", found: statement.predicateType.uri, hint: "get the module's archive"))
      return
    }
    guard policy.policy.revokesDigests else {
      findings.skip([.revocation], "the policy revokes no artifact by its digest")
      return
    }
    if let objection = policy.objection(toDigestsIn: statement, terms, artifact) {
      findings.fail(.revocation, objection)
    }
  }

  private mutating func noteUnchecked(_ bundle: SigstoreBundle) {
    let entries = bundle.logEntries.count
    findings.skip(
      [.transparencyLog], entries == 0 ? "the bundle has no entries" : "\(entries) entries, not checked")
    let times = bundle.timestamps.count
    findings.skip([.timestamps], times == 0 ? "the bundle has none" : "\(times), no authority is trusted")
  }
}
