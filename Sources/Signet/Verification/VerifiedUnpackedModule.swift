internal import SignetBase
package import SignetCrypto
package import SignetSystem

/// The proof that somebody the policy trusts has signed an archive as a module, and that a directory holds what comes out
/// of that archive: no entry missing, none extra, none changed. Only ``Verifier`` makes one.
///
/// The archive's own digests are not established here: whoever unpacked it has compared them.
package struct VerifiedUnpackedModule: VerificationProof {
  /// What it rests on.
  package let evidence: Evidence
  /// Who the module is, and what it may do.
  package let module: ModuleDescription
  /// Everything in the archive.
  package let contents: ModuleContents
  /// The SHA-256 that is signed for the archive without its signing block.
  package let archiveDigest: Digest
  /// The least sequence that a host which knows this release may fall back to.
  package let minimumSequence: Int?
  /// What was compared.
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
