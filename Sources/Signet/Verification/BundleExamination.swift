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
    let signer: FoundSigner
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
    let names = policy.names(of: signer)
    checklist.pass(
      .signer, "\(signer.path.map { "\($0.leaf.subject), " } ?? "")\(signer.key), as \(names.joined(separator: ", "))"
    )
    checklist.pass(.signature, "\(signer.key.algorithm) over the statement")
    let payload = bundle.envelope.payload
    let read = { () throws(SignetError) in try Statement(payload: payload) }
    guard let statement = attempt(.statement, read, { "about \($0.subjectName)" }) else { return .fails(reasons) }
    try compare(statement, &artifact)
    guard reasons.isEmpty else { return .fails(reasons) }
    let verified = VerifiedSignature(
      key: signer.key, statement: statement, payloadDigest: try Digest.of(payload, .sha256), entries: names,
      certificatePath: signer.path)
    return .holds(CountedSignature(label: label, signer: signer, signature: verified))
  }

  /// Holds everything the statement says against what is so; all of it is looked at, so that all reasons come at once.
  private mutating func compare(_ statement: Statement, _ artifact: inout HashedArtifact) throws(SignetError) {
    let objections = Objections(label: label, terms: terms)
    note(.predicateType, statement.predicateType.uri, objections.toType(of: statement))
    note(.name, statement.subjectName, objections.toName(of: statement))
    let end = statement.notAfter.map { "until \($0)" } ?? "without an end"
    note(.freshness, end, objections.toAge(of: statement, policy.now))
    // What the statement is about is looked at where the artifact can be that.
    switch (statement.predicate, artifact.artifact.directory != nil) {
    case (.file(let file), false): try compare(file, statement, &artifact, objections)
    case (.directory(let directory), true): try compare(directory, &artifact)
    case (.hostManifest(let manifest), false):
      note(.identifier, "\(manifest.identifier)", objections.toHost(of: manifest))
      note(
        .sequence, "\(manifest.sequence)",
        objections.toSequence(of: manifest) ?? policy.objection(to: manifest, terms.name))
      try compare(statement.subjectDigest, &artifact, objections)
    case (.foreign, false):
      for step in [.size, .fsverity, .freshness] as [Check.Step] {
        checklist.skip(step, "not looked into: the statement is of another program's type")
      }
      try compare(statement.subjectDigest, &artifact, objections)
    case (.directory, false), (.file, true), (.hostManifest, true), (.foreign, true):
      // Whoever expects a directory has one, so the type has been objected to.
      for step in [.size, .fsverity, .sha256, .contents, .identifier, .sequence] as [Check.Step] {
        checklist.skip(step, "not looked at: the statement is about something else")
      }
    }
    try lookForRevocation(statement, &artifact)
  }

  private mutating func compare(
    _ file: FilePredicate, _ statement: Statement, _ artifact: inout HashedArtifact, _ objections: Objections
  ) throws(SignetError) {
    let size = artifact.artifact.size
    note(.size, "\(size) bytes", objections.toContent("\(file.size) bytes", "\(size) bytes"))
    guard size == file.size else {
      checklist.skip(.fsverity, "the size differs already")
      checklist.skip(.sha256, "the size differs already")
      return
    }
    let digest = try artifact.fsverity()
    note(.fsverity, "\(digest)", objections.toContent("\(file.fsverity)", "\(digest)"))
    guard policy.policy.revokesDigests else {
      checklist.skip(.sha256, "not established: the tree digest covers the same bytes")
      return
    }
    let flat = try artifact.sha256()
    note(.sha256, "\(flat)", objections.toContent("\(statement.subjectDigest)", "\(flat)"))
  }

  /// Both digests are compared with those the policy revokes.
  private mutating func lookForRevocation(
    _ statement: Statement, _ artifact: inout HashedArtifact
  ) throws(SignetError) {
    guard policy.policy.revokesDigests else {
      checklist.skip(.revocation, "the policy revokes no artifact by its digest")
      return
    }
    // A directory's digest is that of its listing, which was compared.
    let isDirectory = artifact.artifact.directory != nil
    let flat = isDirectory ? statement.subjectDigest : try artifact.sha256()
    let trees = isDirectory ? [] : [try artifact.fsverity()]
    guard let revocation = policy.policy.revocation(sha256: [flat, statement.subjectDigest], fsverity: trees) else {
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
    do throws(SignetError) {
      let (differences, isRepeated) = try artifact.differences(from: directory.listing)
      let found = differences.reasons(in: terms.name)
      guard let first = found.first else {
        checklist.pass(.contents, "\(directory.listing.entries.count) entries")
        checklist.pass(.sha256, "\(directory.listing.digest), of the listing")
        return
      }
      fail(.contents, first)
      // Another bundle over the same listing has nothing to add.
      if !isRepeated { reasons += found.dropFirst() }
    } catch  where error.code == .directoryEntryCount || error.code == .pathBounds {
      // No listing is like that.
      fail(.contents, error)
    }
    checklist.skip(.sha256, "not established: the contents differ already")
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
