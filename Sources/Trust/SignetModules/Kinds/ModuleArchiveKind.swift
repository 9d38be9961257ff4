package import SignetArchive
package import SignetBase
public import SignetVerify

/// A module's archive, `urn:signet:module:v1`: its bytes without the signing block, its contents, and its identity.
///
/// A module is identified by its statement, not by the name of the file that it comes in.
struct ModuleArchiveKind: ArtifactKind, ProvableKind {
  package let name: String
  private let expected: ExpectedModule
  private let uri: ModuleURI?

  init(_ identifier: ModuleIdentifier?, at uri: ModuleURI?, leastSequence: Int, named name: String) {
    self.name = name
    self.uri = uri
    expected = ExpectedModule(identifier: identifier, leastSequence: leastSequence)
  }

  static let steps: [Check.Step] = [
    .bundle, .signer, .signature, .transparencyLog, .timestamps, .statement, .predicateType, .identifier, .sequence,
    .size, .fsverity, .sha256, .structure, .contents, .freshness, .revocation,
  ]

  var steps: [Check.Step] { Self.steps }
  var predicateTypes: [PredicateType] { [.module] }
  var knownRole: ArtifactRole? { nil }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    LookedAtArtifact(ArchiveContent(try ArchiveFile(artifact.source(), limits: limits)), as: self)
  }

  func role(by statement: Statement) -> ArtifactRole? {
    statement.module.map { ArtifactRole(module: $0.module.identifier, uri: uri) }
  }

  func compare(_ statement: Statement, _ check: inout StatementCheck) {
    check.noteType(of: statement, .module)
    check.noteAge(of: statement)
    if case .module(let module) = statement.predicate {
      expected.note(module.module, &check)
      check.noteSize(module.archive.size)
      if let failure = check.artifact.archiveFailure { check.findings.fail(.structure, failure) }
    } else {
      check.skipContent()
    }
    check.noteRevocation(of: statement, withoutSequenceAs: nil)
  }

  /// Compares the signed bytes first, and only then interprets them.
  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard case .module(let module) = statement.predicate else { return check.refuse(statement, .module) }
    try check.compareBytes(statement.subjectDigest, module.archive.fsverity)
    guard check.findings.isGood else {
      return check.findings.skip([.structure, .contents], "the bytes are not the signed ones")
    }
    do throws(SignetError) {
      let opened = try ArchiveContent.archive(in: check.artifact.open())
      try module.checkArchive(opened)
      check.findings.pass(.structure, "\(opened.format), means one thing only")
      check.findings.pass(.contents, "\(module.contents.entries.count) entries")
    } catch  where !error.isAboutReading {
      check.findings.fail(
        error.code == .moduleContentsMismatch || error.code == .moduleMissingFile ? .contents : .structure, error)
    }
    try check.lookForRevokedBytes()
  }

  func prove(_ evidence: Evidence) throws(SignetError) -> VerifiedModule { try VerifiedModule(evidence) }
}

/// The expected module, and how new its release must be.
struct ExpectedModule {
  /// Nil for any module that its signers are trusted for.
  let identifier: ModuleIdentifier?
  let leastSequence: Int

  /// Notes the module's identity and its release.
  func note(_ module: ModuleDescription, _ check: inout StatementCheck) {
    check.findings.note(.identifier, "\(module.identifier)", objectionToIdentifier(of: module, check.label))
    check.findings.note(
      .sequence, "\(module.sequence), version \(module.version)",
      objectionToSequence(of: module, check.label)
        ?? check.revocations.objection(
          toRelease: module.sequence, module.version, of: module.identifier, check.name))
  }

  private func objectionToIdentifier(of module: ModuleDescription, _ label: String) -> SignetError? {
    guard let identifier, identifier != module.identifier else { return nil }
    return SignetError(
      .moduleIdentifierMismatch, label, "is about another module", expected: "\(identifier)",
      found: "\(module.identifier)", hint: "get the expected module and its bundle")
  }

  private func objectionToSequence(of module: ModuleDescription, _ label: String) -> SignetError? {
    guard module.sequence < leastSequence else { return nil }
    return SignetError(
      .policyRollback, label, "is about a release that is older than accepted",
      expected: "sequence \(leastSequence) or later", found: "\(module.sequence)", hint: "get the current release")
  }
}

extension Verifier.Expectation where Proof == VerifiedModule {
  /// Expects a module's archive: `urn:signet:module:v1`.
  ///
  /// A module is identified by its statement, not by the name of the file that it comes in. The identifier in the
  /// statement decides which signers are trusted for it.
  ///
  /// - Parameters:
  ///   - identifier: the module that it must be; nil for any module that its signers are trusted for.
  ///   - uri: the URI that it is to serve. Its signers must be trusted for the URI, too.
  ///   - leastSequence: the lowest sequence that is accepted.
  ///   - name: what messages call the archive.
  public static func module(
    _ identifier: ModuleIdentifier?, at uri: ModuleURI? = nil, leastSequence: Int = 1, named name: String
  ) -> Self {
    Self(ModuleArchiveKind(identifier, at: uri, leastSequence: leastSequence, named: name))
  }
}

/// The proof that a trusted signer has signed exactly this archive as a module, and is trusted for that module.
///
/// The archive's structure is the one that its statement lists. Only `Verifier` makes one.
///
/// The bytes of its entries were not compared. An installation hashes each entry as it unpacks it. A file that others
/// can write to may change afterwards, so an installation works on its own copy.
public struct VerifiedModule: VerificationProof {
  /// The evidence that the proof rests on.
  public let evidence: Evidence
  /// The module's identity, and what it may do.
  public let module: ModuleDescription
  /// Everything in the archive.
  public let contents: ModuleContents
  /// The lowest sequence to which a host that knows this release may fall back.
  ///
  /// This is the highest of the minimum sequences in the statements.
  public let minimumSequence: Int?
  /// A line such as `com.example.player 1.2.0, sequence 7, signed by publisher`.
  public var description: String {
    "\(module.identifier) \(module.version), sequence \(module.sequence), \(evidence.signers)"
  }
  /// The module's archive. Its structure was read and compared with the contents.
  package let archive: OpenedArchive

  init(_ evidence: Evidence) throws(SignetError) {
    let statements = evidence.signatures.compactMap(\.statement.module)
    guard let first = statements.first, statements.count == evidence.signatures.count,
      let archive = evidence.archive as? ArchiveContent.Opened,
      statements.allSatisfy({ $0.module == first.module && $0.contents == first.contents })
    else {
      throw SignetError(
        .statementPredicateType, evidence.name, "is not about one module", expected: PredicateType.module.uri)
    }
    self.evidence = evidence
    self.archive = archive.archive
    module = first.module
    contents = first.contents
    minimumSequence = statements.compactMap(\.minimumSequence).max()
  }

  /// Reads the bundles again, one after the other, from where they were.
  ///
  /// The body gets the canonical text of each, and whether it was in the archive itself. A caller that keeps the
  /// bundles must verify them again, since the files may hold other bundles by now.
  ///
  /// - Throws: what the body throws, and `signature.malformed`, `signature.unreadable`, `bundle.…`, `envelope.…`.
  package func readBundles(
    _ body: (_ text: [UInt8], _ isAttached: Bool) throws(SignetError) -> Void
  ) throws(SignetError) {
    for encoded in evidence.bundles {
      // In an archive, only the canonical text was accepted.
      try body(encoded.isAttached ? encoded.read() : encoded.bundle().canonicalBytes(), encoded.isAttached)
    }
  }
}
