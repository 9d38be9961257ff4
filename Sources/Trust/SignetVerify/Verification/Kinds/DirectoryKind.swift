public import SignetBase
internal import SignetSystem

/// A directory, `urn:signet:directory:v1`: everything that it holds, under its name.
struct DirectoryKind: ArtifactKind, ProvableKind {
  package let name: String
  private let namedRole: ArtifactRole

  init(named name: String, as role: ArtifactRole) {
    self.name = name
    namedRole = role.named(name)
  }

  let steps: [Check.Step] = [
    .bundle, .signer, .signature, .transparencyLog, .timestamps, .statement, .predicateType, .name, .contents,
    .sha256, .freshness, .revocation,
  ]

  var predicateTypes: [PredicateType] { [.directory] }
  var knownRole: ArtifactRole? { namedRole }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    try LookedAtArtifact(directory: artifact, as: self)
  }

  func role(by statement: Statement) -> ArtifactRole? { namedRole }

  func compare(_ statement: Statement, _ check: inout StatementCheck) {
    check.noteType(of: statement, .directory)
    check.noteName(of: statement)
    check.noteAge(of: statement)
    if statement.directory == nil { check.skipContent() }
    check.noteRevocation(of: statement, withoutSequenceAs: namedRole)
  }

  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard case .directory(let directory) = statement.predicate else { return check.refuse(statement, .directory) }
    let listing = directory.listing
    let isSame = try check.note("\(listing.entries.count) entries") { (artifact) throws(SignetError) in
      try artifact.differences(from: listing)
    }
    if isSame {
      check.findings.pass(.sha256, "\(listing.digest), of the listing")
    } else {
      check.findings.skip([.sha256], "not established: the contents differ already")
    }
    // The directory's digest is its listing's. It is signed, so the statement's revocation check has covered it.
    check.passRevocation()
  }

  func prove(_ evidence: Evidence) throws(SignetError) -> VerifiedDirectory { try VerifiedDirectory(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedDirectory {
  /// Expects a directory of this name: `urn:signet:directory:v1`.
  ///
  /// - Parameters:
  ///   - name: the name that the statement must have.
  ///   - role: the role that the caller gives the directory. The policy says which signers are trusted for it.
  public static func directory(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(DirectoryKind(named: name, as: role))
  }
}

/// The proof that a trusted signer has signed exactly what this directory held, under this name.
///
/// No entry is missing, added or changed. Only ``Verifier`` makes one.
///
/// A directory that others can write to may change afterwards. ``contents(of:)`` gives a file's bytes only if they
/// are still the signed ones.
public struct VerifiedDirectory: VerificationProof {
  /// The evidence that the proof rests on.
  public let evidence: Evidence
  /// Everything that the directory holds.
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

  /// Reads a file of the listing from the verified directory, and compares its bytes with the listing again.
  ///
  /// - Parameter path: the path relative to the directory, as the listing has it.
  /// - Throws: `directory.extra-entry` if the listing has no file with that path, `digest.mismatch` if the file has
  ///   changed since; `file.…`, `crypto.failure`.
  public func contents(of path: String) throws(SignetError) -> [UInt8] {
    try directory.bytes(of: path, signed: listing[path]?.content, in: name)
  }
}
