internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

/// The last steps with a bundle: the artifact's content is read, and held against what the statement says.
///
/// They are taken only where nothing refuses the artifact already: nobody can have files read that are refused anyhow.
struct ContentExamination {
  private let policy: PolicyInForce
  private let terms: ExpectedTerms
  private let statement: Statement
  private(set) var findings: Findings

  init(_ policy: PolicyInForce, _ signature: CountedSignature, _ findings: Findings) {
    self.policy = policy
    terms = signature.terms
    statement = signature.signature.statement
    self.findings = findings
  }

  /// The steps, whatever the artifact is.
  static let steps: [Check.Step] = [.fsverity, .sha256, .structure, .contents, .revocation]

  /// Examines the artifact.
  ///
  /// - Throws: when it could not be found out.
  mutating func run(_ artifact: inout HashedArtifact) throws(SignetError) {
    let objections = Objections(label: findings.label, terms: terms)
    switch SignedContent(statement, terms, artifact) {
    case .file(let file): try compare(file.fsverity, &artifact, objections)
    case .directory(let directory): try compare(directory, &artifact)
    case .module(let module): try compare(module, &artifact, objections)
    case .unpacked(let module): try compare(unpacked: module.contents, &artifact)
    case .hostManifest, .foreign: try compare(statement.subjectDigest, &artifact, objections)
    case nil:
      // Such a statement has been objected to.
      findings.fail(
        .predicateType,
        SignetError(
          .statementPredicateType, findings.label, "is about something else", expected: terms.predicateType.uri,
          found: statement.predicateType.uri))
    }
    guard findings.isGood, policy.policy.revokesDigests else { return }
    try lookForRevocation(&artifact)
  }

  private mutating func compare(
    _ expected: FSVerityDigest, _ artifact: inout HashedArtifact, _ objections: Objections
  ) throws(SignetError) {
    let isFlatNeeded = policy.policy.revokesDigests || terms.establishesBothDigests
    if isFlatNeeded { try artifact.both() }
    let digest = try artifact.fsverity()
    findings.note(.fsverity, "\(digest)", objections.toContent("\(expected)", "\(digest)"))
    guard isFlatNeeded else {
      findings.skip([.sha256], "not established: the tree digest covers the same bytes")
      return
    }
    try compare(statement.subjectDigest, &artifact, objections)
  }

  private mutating func compare(
    _ expected: Digest, _ artifact: inout HashedArtifact, _ objections: Objections
  ) throws(SignetError) {
    // Revocations are of either digest: both come of one pass.
    if policy.policy.revokesDigests { try artifact.both() }
    let digest = try artifact.sha256()
    findings.note(.sha256, "\(digest)", objections.toContent("\(expected)", "\(digest)"))
  }

  /// A module's archive: the signed bytes, and only then what they mean.
  private mutating func compare(
    _ predicate: ModulePredicate, _ artifact: inout HashedArtifact, _ objections: Objections
  ) throws(SignetError) {
    try compare(predicate.archive.fsverity, &artifact, objections)
    guard findings.isGood else {
      findings.skip([.structure, .contents], "the bytes are not the signed ones")
      return
    }
    do throws(SignetError) {
      let opened = try artifact.open()
      try predicate.check(opened)
      findings.pass(.structure, "\(opened.format), means one thing only")
      findings.pass(.contents, "\(predicate.contents.entries.count) entries")
    } catch  where !error.isAboutReading {
      findings.fail(
        error.code == .moduleContentsMismatch || error.code == .moduleMissingFile ? .contents : .structure, error)
    }
  }

  /// A directory that a module was unpacked into.
  private mutating func compare(
    unpacked contents: ModuleContents, _ artifact: inout HashedArtifact
  ) throws(SignetError) {
    findings.skip(
      [.size, .fsverity, .sha256, .structure], "not established: the archive was unpacked, and is not at hand")
    _ = try note("\(contents.entries.count) entries") { () throws(SignetError) in
      try artifact.differences(from: contents)
    }
  }

  private mutating func compare(
    _ directory: DirectoryPredicate, _ artifact: inout HashedArtifact
  ) throws(SignetError) {
    let isSame = try note("\(directory.listing.entries.count) entries") { () throws(SignetError) in
      try artifact.differences(from: directory.listing)
    }
    if isSame {
      findings.pass(.sha256, "\(directory.listing.digest), of the listing")
    } else {
      findings.skip([.sha256], "not established: the contents differ already")
    }
  }

  /// What came of comparing a directory with what is signed.
  ///
  /// - Returns: whether they are the same.
  private mutating func note(
    _ words: String,
    _ compare: () throws(SignetError) -> (found: DirectoryDifferences, isRepeated: Bool)
  ) throws(SignetError) -> Bool {
    do throws(SignetError) {
      let (differences, isRepeated) = try compare()
      let found = differences.reasons(in: terms.name)
      guard let first = found.first else {
        findings.pass(.contents, words)
        return true
      }
      findings.fail(.contents, first)
      // Another bundle over the same listing has nothing to add.
      if !isRepeated { findings.add(found.dropFirst()) }
    } catch  where error.code == .directoryEntryCount || error.code == .pathBounds {
      // No listing is like that.
      findings.fail(.contents, error)
    }
    return false
  }

  /// The artifact's own digests are compared with those the policy revokes: of an archive those with its signing block,
  /// too, since whoever revoked a signed archive may have taken the digest of what they had. A directory's digest is that
  /// of its listing, which was looked for with what is signed.
  private mutating func lookForRevocation(_ artifact: inout HashedArtifact) throws(SignetError) {
    if artifact.artifact.directory == nil {
      var flats = [try artifact.sha256()]
      var trees = [try artifact.fsverity()]
      if let raw = try artifact.rawDigests() {
        flats.append(raw.sha256)
        trees.append(raw.fsverity)
      }
      if let objection = policy.objection(toDigests: flats, trees, terms.name) {
        findings.fail(.revocation, objection)
        return
      }
    }
    findings.pass(.revocation, "the policy revokes neither digest")
  }
}

extension PolicyInForce {
  /// Why an artifact is refused for a digest that its statement has, or that is known without reading it; nil when it is
  /// not.
  func objection(
    toDigestsIn statement: Statement, _ terms: ExpectedTerms, _ artifact: HashedArtifact
  ) -> SignetError? {
    let known = artifact.knownRawDigests
    let tree = statement.file?.fsverity ?? statement.module?.archive.fsverity
    return objection(
      toDigests: [statement.subjectDigest] + [known?.sha256].compactMap(\.self),
      [tree, known?.fsverity].compactMap(\.self), terms.name)
  }

  /// Why an artifact with these digests is refused; nil when it is not.
  func objection(toDigests flats: [Digest], _ trees: [FSVerityDigest], _ name: String) -> SignetError? {
    guard let revocation = policy.revocation(sha256: flats, fsverity: trees) else { return nil }
    let date = revocation.date.map { ", \($0)" } ?? ""
    return SignetError(
      .policyRevoked, name, "is revoked by the policy",
      found: "\(flats[0]), revoked\(date): \(revocation.reason)", hint: "get a newer release")
  }
}
