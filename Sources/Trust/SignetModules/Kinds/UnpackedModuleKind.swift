internal import SignetArchive
internal import SignetBase
package import SignetCrypto
package import SignetSystem
package import SignetVerify

/// A directory that a module was unpacked into, `urn:signet:module:v1`: it holds exactly what the archive held.
///
/// The archive itself is not available, so its digests are not established.
struct UnpackedModuleKind: ArtifactKind, ProvableKind {
  package let name: String
  private let expected: ExpectedModule
  /// The digests of the archive's file, if it had a signing block.
  private let file: FileDigests?

  init(_ identifier: ModuleIdentifier, from file: FileDigests?, named name: String) {
    self.name = name
    self.file = file
    expected = ExpectedModule(identifier: identifier, leastSequence: 1)
  }

  var steps: [Check.Step] { ModuleArchiveKind.steps }
  var predicateTypes: [PredicateType] { [.module] }
  var knownRole: ArtifactRole? { nil }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    var looked = try LookedAtArtifact(directory: artifact, as: self)
    looked.fileDigests = file
    return looked
  }

  func role(by statement: Statement) -> ArtifactRole? {
    statement.module.map { ArtifactRole(module: $0.module.identifier) }
  }

  func compare(_ statement: Statement, _ check: inout StatementCheck) {
    check.noteType(of: statement, .module)
    check.noteAge(of: statement)
    if case .module(let module) = statement.predicate {
      expected.note(module.module, &check)
    } else {
      check.skipContent()
    }
    check.noteRevocation(of: statement, withoutSequenceAs: nil)
  }

  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard case .module(let module) = statement.predicate else { return check.refuse(statement, .module) }
    check.findings.skip(
      [.size, .fsverity, .sha256, .structure], "not established: the archive was unpacked, and is not at hand")
    _ = try check.note("\(module.contents.entries.count) entries") { (artifact) throws(SignetError) in
      try artifact.differences(from: module.contents)
    }
    // The statement's revocation check has covered the archive's digests, which are signed, and those of its file.
    check.passRevocation()
  }

  func prove(_ evidence: Evidence) throws(SignetError) -> VerifiedUnpackedModule {
    try VerifiedUnpackedModule(evidence)
  }
}

extension Verifier.Expectation where Proof == VerifiedUnpackedModule {
  /// A directory that a module was unpacked into: `urn:signet:module:v1`.
  ///
  /// The archive itself is not available, so its digests are not established.
  ///
  /// - Parameters:
  ///   - identifier: the module that it must be.
  ///   - file: the digests of the archive's file, if it had a signing block. The policy may revoke the file by them.
  ///   - name: what messages call the directory.
  package static func unpackedModule(
    _ identifier: ModuleIdentifier, from file: FileDigests?, named name: String
  ) -> Self {
    Self(UnpackedModuleKind(identifier, from: file, named: name))
  }
}

/// The proof that a trusted signer has signed a module's archive, and that a directory holds its unpacked entries.
///
/// No entry is missing, added or changed. Only ``Verifier`` makes one.
///
/// The archive's own digests are not established here. They were compared when the archive was unpacked.
package struct VerifiedUnpackedModule: VerificationProof {
  /// The evidence that the proof rests on.
  package let evidence: Evidence
  /// The module's identity, and what it may do.
  package let module: ModuleDescription
  /// Everything in the archive.
  package let contents: ModuleContents
  /// The signed SHA-256 of the archive without its signing block.
  package let archiveDigest: Digest
  /// The lowest sequence to which a host that knows this release may fall back.
  package let minimumSequence: Int?
  /// The directory that was compared.
  package let directory: Directory

  init(_ evidence: Evidence) throws(SignetError) {
    let statements = evidence.signatures.map(\.statement)
    let predicates = statements.compactMap(\.module)
    guard let first = predicates.first, predicates.count == statements.count,
      let directory = evidence.artifact.directory,
      predicates.allSatisfy({ $0.module == first.module && $0.contents == first.contents }),
      statements.allSatisfy({ $0.subjectDigest == statements[0].subjectDigest })
    else {
      throw SignetError(
        .statementPredicateType, evidence.name, "is not about one module", expected: PredicateType.module.uri)
    }
    self.evidence = evidence
    self.directory = directory
    module = first.module
    contents = first.contents
    archiveDigest = statements[0].subjectDigest
    minimumSequence = predicates.compactMap(\.minimumSequence).max()
  }
}
