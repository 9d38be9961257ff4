internal import SignetBase

/// A file signed by Signet, `urn:signet:file:v1`: its bytes, under its name.
package struct FileKind: ArtifactKind, ProvableKind {
  package let name: String
  private let namedRole: ArtifactRole
  package var isSummarized = true

  package init(named name: String, as role: ArtifactRole) {
    self.name = name
    namedRole = role.named(name)
  }

  package static let steps: [Check.Step] = [
    .bundle, .signer, .signature, .transparencyLog, .timestamps, .statement, .predicateType, .name, .size, .fsverity,
    .sha256, .freshness, .revocation,
  ]

  package var steps: [Check.Step] { Self.steps }
  package var predicateTypes: [PredicateType] { [.file] }
  package var knownRole: ArtifactRole? { namedRole }
  package var canBeMessage: Bool { true }

  package func kind(by statement: Statement) -> any ArtifactKind {
    statement.predicateType == .message ? AttestationKind(nil, aboutBytesCalled: name, as: namedRole) : self
  }

  package func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    try LookedAtArtifact(file: artifact, as: self)
  }

  package func role(by statement: Statement) -> ArtifactRole? { namedRole }

  package func compare(_ statement: Statement, _ check: inout StatementCheck) {
    check.noteType(of: statement, .file)
    check.noteName(of: statement)
    check.noteAge(of: statement)
    if case .file(let file) = statement.predicate { check.noteSize(file.size) } else { check.skipContent() }
    check.noteRevocation(of: statement, withoutSequenceAs: namedRole)
  }

  package func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard case .file(let file) = statement.predicate else { return check.refuse(statement, .file) }
    try check.compareBytes(statement.subjectDigest, file.fsverity)
    try check.lookForRevokedBytes()
  }

  package func prove(_ evidence: Evidence) -> VerifiedArtifact { VerifiedArtifact(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedArtifact {
  /// Expects a file of this name, signed by Signet: `urn:signet:file:v1`.
  ///
  /// - Parameters:
  ///   - name: the name that the statement must have.
  ///   - role: the role that the caller gives the file. The policy says which signers are trusted for it.
  public static func file(named name: String, as role: ArtifactRole = .unnamed) -> Self {
    Self(FileKind(named: name, as: role))
  }

  /// Expects the spec of a release, signed as a file of this name. It only says which files are meant. So the policy's
  /// demand of a verification summary is about these files, and not about the spec.
  package static func spec(named name: String, as role: ArtifactRole) -> Self {
    var kind = FileKind(named: name, as: role)
    kind.isSummarized = false
    return Self(kind)
  }
}

/// The proof that a trusted signer has signed exactly these bytes as a file of this name.
///
/// Only ``Verifier`` makes one.
///
/// For a file, the proof holds the descriptor that was hashed. A file that others can write to may change afterwards.
/// To use the bytes later, verify ``Artifact/bytes(_:)``, or a copy that no one else can write.
public struct VerifiedArtifact: VerificationProof {
  /// The evidence that the proof rests on.
  public let evidence: Evidence

  package init(_ evidence: Evidence) { self.evidence = evidence }
}
