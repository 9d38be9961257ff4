public import SignetBase
internal import SignetSystem

/// The proof that somebody the policy trusts has signed exactly what this directory held, under this name: no entry
/// missing, none extra, none changed. Only ``Verifier`` makes one.
///
/// A directory that others may write to can change afterwards: ``contents(of:)`` gives a file's bytes only if they
/// still are the signed ones.
public struct VerifiedDirectory: VerificationProof {
  /// What it rests on.
  public let evidence: Evidence
  /// Everything the directory holds.
  public let listing: DirectoryListing
  private let directory: Directory

  init(_ evidence: Evidence) throws(SignetError) {
    guard let directory = evidence.artifact.directory, let statement = evidence.signatures[0].statement.directory
    else {
      throw SignetError(
        .statementPredicateType, evidence.name, "is not about a directory",
        expected: PredicateType.directory.uri)
    }
    self.evidence = evidence
    self.directory = directory
    listing = statement.listing
  }

  /// The bytes of a file of the listing, read from the directory that was verified and held against the listing again.
  ///
  /// - Parameter path: the path from the directory, as the listing has it.
  /// - Throws: `directory.extra-entry` when the listing has no file of that path, `digest.mismatch` when it is
  ///   another file by now; what opening and reading a ``RegularFile`` throw.
  public func contents(of path: String) throws(SignetError) -> [UInt8] {
    try directory.bytes(of: path, signed: listing[path]?.content, in: name)
  }
}
