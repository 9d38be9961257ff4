internal import SignetArchive
internal import SignetCrypto

/// The examination of one bundle, step by step; what it finds ends up in the verdict.
struct BundleExamination {
  private let policy: PolicyInForce
  private let terms: ExpectedTerms
  private(set) var checklist: Checklist
  /// The key of a certificate that came with the bundle and that the policy revokes.
  private(set) var revokedKeys: Set<PublicKey> = []
  private var reasons: [SignetError] = []

  /// How it ended.
  enum Outcome {
    /// A trusted key has signed a statement that holds.
    case holds(CountedSignature)
    /// Nobody trusted has signed: that refuses unless others have.
    case stranger([SignetError])
    /// That refuses, whatever else is there.
    case fails([SignetError])
  }

  init(_ policy: PolicyInForce, _ terms: ExpectedTerms, _ label: String) {
    self.policy = policy
    self.terms = terms
    checklist = Checklist(label, terms.steps)
  }

  private var label: String { checklist.label }

  /// Examines the bundle.
  ///
  /// - Throws: when it could not be found out.
  mutating func run(
    _ encoded: EncodedBundle, _ artifact: inout HashedArtifact
  ) throws(SignetError) -> Outcome {
    guard let bundle = attempt(.bundle, encoded.bundle, { $0.mediaType.rawValue }) else { return .fails(reasons) }
    noteUnchecked(bundle)
    revokedKeys = bundle.revokedKeys(policy.policy)
    var signer: FoundSigner
    do throws(SignetError) {
      switch try SignerSearch(policy, bundle, label).run() {
      case .found(let found): signer = found
      case .stranger(let reasons): return .stranger(reasons)
      case .forged(let reason):
        checklist.skip(.signer, "claims to be somebody trusted, which only the signature could show")
        fail(.signature, reason)
        return .fails(reasons)
      }
    } catch  where error.code == .signatureMalformed {
      fail(.signer, error)
      return .fails(reasons)
    }
    pass(signer)
    checklist.pass(.signature, "\(signer.key.algorithm) over the statement")
    if encoded.isAttached, let objection = bundle.objection(toNamesBesides: signer.key, label) {
      fail(.bundle, objection)
      return .fails(reasons)
    }
    let payload = bundle.envelope.payload
    let read = { () throws(SignetError) in try Statement(payload: payload) }
    guard let statement = attempt(.statement, read, { "about \($0.subjectName)" }) else { return .fails(reasons) }
    var role = terms.role
    if terms.module != nil, let module = statement.module?.module {
      role = ArtifactRole(module: module.identifier, uri: terms.role.uri)
      let (restricted, objections) = policy.restrict(signer, to: role, label)
      guard let restricted else { return .stranger(objections) }
      signer = restricted
      pass(signer)
    }
    try compare(statement, &artifact)
    guard reasons.isEmpty else { return .fails(reasons) }
    let names = policy.names(of: signer)
    let verified = VerifiedSignature(
      key: signer.key, statement: statement, payloadDigest: try Digest.of(payload, .sha256), entries: names,
      certificatePath: signer.path)
    return .holds(CountedSignature(label: label, signer: signer, signature: verified, role: role))
  }

  private mutating func pass(_ signer: FoundSigner) {
    let subject = signer.path.map { "\($0.leaf.subject), " } ?? ""
    checklist.pass(.signer, "\(subject)\(signer.key), as \(policy.names(of: signer).joined(separator: ", "))")
  }

  /// Holds everything the statement says against what is so; all of it is looked at, so that all reasons come at once.
  private mutating func compare(_ statement: Statement, _ artifact: inout HashedArtifact) throws(SignetError) {
    let objections = Objections(label: label, terms: terms)
    note(.predicateType, statement.predicateType.uri, objections.toType(of: statement))
    if terms.module == nil { note(.name, statement.subjectName, objections.toName(of: statement)) }
    let end = statement.notAfter.map { "until \($0)" } ?? "without an end"
    note(.freshness, end, objections.toAge(of: statement, policy.now))
    // What the statement is about is looked at where the artifact can be that.
    let isDirectory = artifact.artifact.directory != nil
    let isModule = artifact.archive != nil
    switch statement.predicate {
    case .file(let file) where !isDirectory && !isModule:
      try compare(file.size, file.fsverity, statement, &artifact, objections)
    case .directory(let directory) where isDirectory && !terms.isUnpacked: try compare(directory, &artifact)
    case .module(let module) where isDirectory && terms.isUnpacked:
      note(module, objections)
      try compare(unpacked: module.contents, &artifact)
    case .module(let module) where isModule: try compare(module, statement, &artifact, objections)
    case .hostManifest(let manifest) where !isDirectory && !isModule:
      note(.identifier, "\(manifest.identifier)", objections.toHost(of: manifest))
      note(
        .sequence, "\(manifest.sequence)",
        objections.toSequence(of: manifest)
          ?? policy.objection(to: manifest.identifier, sequence: manifest.sequence, version: nil, terms.name))
      try compare(statement.subjectDigest, &artifact, objections)
    case .foreign where !isDirectory && !isModule:
      for step in [.size, .fsverity, .freshness] as [Check.Step] {
        checklist.skip(step, "not looked into: the statement is of another program's type")
      }
      try compare(statement.subjectDigest, &artifact, objections)
    case .file, .directory, .module, .hostManifest, .foreign:
      // Whoever expects a directory or a module has one, so the type has been objected to.
      for step in [.size, .fsverity, .sha256, .structure, .contents, .identifier, .sequence] as [Check.Step] {
        checklist.skip(step, "not looked at: the statement is about something else")
      }
    }
    try lookForRevocation(statement, &artifact)
  }

  private mutating func compare(
    _ expectedSize: Int, _ expected: FSVerityDigest, _ statement: Statement, _ artifact: inout HashedArtifact,
    _ objections: Objections
  ) throws(SignetError) {
    let size = artifact.size
    note(.size, "\(size) bytes", objections.toContent("\(expectedSize) bytes", "\(size) bytes"))
    guard size == expectedSize else {
      checklist.skip(.fsverity, "the size differs already")
      checklist.skip(.sha256, "the size differs already")
      return
    }
    let isFlatNeeded = policy.policy.revokesDigests || terms.establishesBothDigests
    if isFlatNeeded { try artifact.both() }
    let digest = try artifact.fsverity()
    note(.fsverity, "\(digest)", objections.toContent("\(expected)", "\(digest)"))
    guard isFlatNeeded else {
      checklist.skip(.sha256, "not established: the tree digest covers the same bytes")
      return
    }
    let flat = try artifact.sha256()
    note(.sha256, "\(flat)", objections.toContent("\(statement.subjectDigest)", "\(flat)"))
  }

  /// Who a module is, and which release.
  private mutating func note(_ predicate: ModulePredicate, _ objections: Objections) {
    let module = predicate.module
    note(.identifier, "\(module.identifier)", objections.toModule(module))
    note(
      .sequence, "\(module.sequence), version \(module.version)",
      objections.toSequence(of: module)
        ?? policy.objection(
          to: module.identifier, sequence: module.sequence, version: module.version, terms.name))
  }

  /// A directory that a module was unpacked into.
  private mutating func compare(
    unpacked contents: ModuleContents, _ artifact: inout HashedArtifact
  ) throws(SignetError) {
    for step in [.size, .fsverity, .sha256, .structure] as [Check.Step] {
      checklist.skip(step, "not established: the archive was unpacked, and is not at hand")
    }
    _ = try note("\(contents.entries.count) entries") { () throws(SignetError) in
      try artifact.differences(from: contents)
    }
  }

  /// A module's archive: who it is, which release, the signed bytes, and only then what they mean.
  private mutating func compare(
    _ predicate: ModulePredicate, _ statement: Statement, _ artifact: inout HashedArtifact, _ objections: Objections
  ) throws(SignetError) {
    note(predicate, objections)
    let before = reasons.count
    try compare(predicate.archive.size, predicate.archive.fsverity, statement, &artifact, objections)
    guard reasons.count == before else {
      for step in [.structure, .contents] as [Check.Step] {
        checklist.skip(step, "the bytes are not the signed ones")
      }
      return
    }
    do throws(SignetError) {
      let opened = try artifact.open()
      try predicate.check(opened)
      checklist.pass(.structure, "\(opened.format), means one thing only")
      checklist.pass(.contents, "\(predicate.contents.entries.count) entries")
    } catch  where !error.isAboutReading {
      fail(error.code == .moduleContentsMismatch || error.code == .moduleMissingFile ? .contents : .structure, error)
    }
  }

  /// Both digests are compared with those the policy revokes.
  private mutating func lookForRevocation(
    _ statement: Statement, _ artifact: inout HashedArtifact
  ) throws(SignetError) {
    // A floor that nothing is held against must not look like one that holds.
    if let module = terms.role.module, terms.host == nil, policy.policy.isAboutReleases(of: module) {
      fail(
        .revocation,
        SignetError(
          .policyRollback, terms.name, "has no sequence, and the policy does not accept every release of \(module)",
          expected: "a signed module", found: statement.predicateType.uri, hint: "get the module's archive"))
      return
    }
    guard policy.policy.revokesDigests else {
      checklist.skip(.revocation, "the policy revokes no artifact by its digest")
      return
    }
    // A directory's digest is that of its listing, which was compared; an unpacked module's are those of its archive,
    // which were compared when it was unpacked.
    let isDirectory = artifact.artifact.directory != nil
    let flat = isDirectory ? statement.subjectDigest : try artifact.sha256()
    var flats = [flat, statement.subjectDigest]
    var trees =
      isDirectory ? [statement.module?.archive.fsverity].compactMap(\.self) : [try artifact.fsverity()]
    // Whoever revoked a signed archive may have taken the digest of what they had.
    if let raw = try artifact.rawDigests() {
      flats.append(raw.sha256)
      trees.append(raw.fsverity)
    }
    guard let revocation = policy.policy.revocation(sha256: flats, fsverity: trees) else {
      checklist.pass(.revocation, "the policy revokes neither digest")
      return
    }
    let date = revocation.date.map { ", \($0)" } ?? ""
    fail(
      .revocation,
      SignetError(
        .policyRevoked, terms.name, "is revoked by the policy",
        found: "\(flat), revoked\(date): \(revocation.reason)",
        hint: "get a newer release"))
  }

  private mutating func compare(
    _ expected: Digest, _ artifact: inout HashedArtifact, _ objections: Objections
  ) throws(SignetError) {
    let digest = try artifact.sha256()
    note(.sha256, "\(digest)", objections.toContent("\(expected)", "\(digest)"))
  }

  private mutating func compare(
    _ directory: DirectoryPredicate, _ artifact: inout HashedArtifact
  ) throws(SignetError) {
    let isSame = try note("\(directory.listing.entries.count) entries") { () throws(SignetError) in
      try artifact.differences(from: directory.listing)
    }
    if isSame {
      checklist.pass(.sha256, "\(directory.listing.digest), of the listing")
    } else {
      checklist.skip(.sha256, "not established: the contents differ already")
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
        checklist.pass(.contents, words)
        return true
      }
      fail(.contents, first)
      // Another bundle over the same listing has nothing to add.
      if !isRepeated { reasons += found.dropFirst() }
    } catch  where error.code == .directoryEntryCount || error.code == .pathBounds {
      // No listing is like that.
      fail(.contents, error)
    }
    return false
  }

  private mutating func noteUnchecked(_ bundle: SigstoreBundle) {
    let entries = bundle.logEntries.count
    checklist.skip(.transparencyLog, entries == 0 ? "the bundle has no entries" : "\(entries) entries, not checked")
    let times = bundle.timestamps.count
    checklist.skip(.timestamps, times == 0 ? "the bundle has none" : "\(times), no authority is trusted")
  }

  private mutating func attempt<Value>(
    _ step: Check.Step, _ body: () throws(SignetError) -> Value, _ found: (Value) -> String
  ) -> Value? {
    do throws(SignetError) {
      let value = try body()
      checklist.pass(step, found(value))
      return value
    } catch {
      fail(step, error)
      return nil
    }
  }

  private mutating func note(_ step: Check.Step, _ found: String, _ objection: SignetError?) {
    if let objection { fail(step, objection) } else { checklist.pass(step, found) }
  }

  private mutating func fail(_ step: Check.Step, _ reason: SignetError) {
    checklist.fail(step, reason)
    reasons.append(reason)
  }
}
