package import SignetArchive
package import SignetBase

/// The proof that somebody the policy trusts has signed exactly this archive as a module, and may speak for that module;
/// the archive's structure is the one its statement lists. Only ``Verifier`` makes one.
///
/// Its entries' bytes have not been looked at: an installation hashes each of them as it unpacks it. A file that others
/// may write to can change afterwards; an installation works on a copy of its own.
public struct VerifiedModule: VerificationProof {
  /// What it rests on.
  public let evidence: Evidence
  /// Who the module is, and what it may do.
  public let module: ModuleDescription
  /// Everything in the archive.
  public let contents: ModuleContents
  /// The least sequence that a host which knows this release may fall back to: the greatest that any of the statements
  /// names.
  public let minimumSequence: Int?
  /// A line: `com.example.player 1.2.0, sequence 7, signed by publisher`.
  public var description: String {
    "\(module.identifier) \(module.version), sequence \(module.sequence), \(evidence.signers)"
  }
  /// The module's archive, whose structure was read and compared with the contents.
  package let archive: OpenedArchive

  init(_ evidence: Evidence) throws(SignetError) {
    let statements = evidence.signatures.compactMap(\.statement.module)
    guard let first = statements.first, statements.count == evidence.signatures.count, let archive = evidence.archive,
      statements.allSatisfy({ $0.module == first.module && $0.contents == first.contents })
    else {
      throw SignetError(
        .statementPredicateType, evidence.name, "is not about one module", expected: PredicateType.module.uri)
    }
    self.evidence = evidence
    self.archive = archive
    module = first.module
    contents = first.contents
    minimumSequence = statements.compactMap(\.minimumSequence).max()
  }

  /// Reads the bundles again, one after the other, from where they stood: each in its canonical text, and whether it stood
  /// in the archive itself.
  ///
  /// Whoever keeps them verifies them again: what stands there may be others by now.
  ///
  /// - Throws: what the body throws, and `signature.malformed`, `signature.unreadable`, `bundle.…`, `envelope.…`.
  package func readBundles(
    _ body: (_ text: [UInt8], _ isAttached: Bool) throws(SignetError) -> Void
  ) throws(SignetError) {
    for encoded in evidence.bundles {
      // In an archive only the canonical text was accepted.
      try body(encoded.isAttached ? encoded.read() : encoded.bundle().canonicalBytes(), encoded.isAttached)
    }
  }
}
