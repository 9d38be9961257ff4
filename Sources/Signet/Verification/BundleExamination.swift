internal import SignetCrypto

/// The examination of one bundle, step by step; what it finds ends up in the verdict.
struct BundleExamination {
  let policy: TrustPolicy
  let now: UnixTime
  let terms: ExpectedTerms
  private(set) var checklist: Checklist
  private var reasons: [SignetError] = []

  /// How it ended.
  enum Outcome {
    /// A trusted key has signed a statement that holds.
    case holds(VerifiedSignature)
    /// Nobody trusted has signed: that refuses unless somebody else has.
    case stranger(SignetError)
    /// That refuses, whatever else is there.
    case fails([SignetError])
  }

  init(_ policy: TrustPolicy, _ now: UnixTime, _ terms: ExpectedTerms, _ label: String) {
    self.policy = policy
    self.now = now
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
    let search = SignerSearch(policy, bundle, label)
    let key: PublicKey
    switch try search.run() {
    case .found(let signer): key = signer
    case .stranger(let reason): return .stranger(reason)
    case .forged(let reason):
      checklist.skip(.signer, "claims to be a trusted key, which only its signature could show")
      fail(.signature, reason)
      return .fails(reasons)
    }
    checklist.pass(.signer, "\(key)")
    checklist.pass(.signature, "\(key.algorithm) over the statement")
    let payload = bundle.envelope.payload
    let read = { () throws(SignetError) in try Statement(payload: payload) }
    guard let statement = attempt(.statement, read, { "about \($0.subjectName)" }) else { return .fails(reasons) }
    try compare(statement, &artifact)
    guard reasons.isEmpty else { return .fails(reasons) }
    return .holds(
      VerifiedSignature(key: key, statement: statement, payloadDigest: try Digest.of(payload, .sha256)))
  }

  /// Holds everything the statement says against what is so; all of it is looked at, so that all reasons come at once.
  private mutating func compare(_ statement: Statement, _ artifact: inout HashedArtifact) throws(SignetError) {
    let objections = Objections(label: label, terms: terms)
    note(.predicateType, statement.predicateType.uri, objections.toType(of: statement))
    note(.name, statement.subjectName, objections.toName(of: statement))
    let end = statement.notAfter.map { "until \($0)" } ?? "without an end"
    note(.freshness, end, objections.toAge(of: statement, now))
    // What the statement is about is looked at where the artifact can be that.
    switch (statement.predicate, artifact.artifact.directory != nil) {
    case (.file(let file), false): try compare(file, &artifact, objections)
    case (.directory(let directory), true): try compare(directory, &artifact)
    case (.hostManifest(let manifest), false):
      note(.identifier, "\(manifest.identifier)", objections.toHost(of: manifest))
      note(.sequence, "\(manifest.sequence)", objections.toSequence(of: manifest))
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
  }

  private mutating func compare(
    _ file: FilePredicate, _ artifact: inout HashedArtifact, _ objections: Objections
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
    checklist.skip(.sha256, "not established: the tree digest covers the same bytes")
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
