internal import SignetArchive
internal import SignetBase

/// What another program than Signet says about an artifact: a statement of its own type about the artifact's bytes, under
/// the artifact's name.
struct AttestationKind: ArtifactKind, ProvableKind {
  let name: String
  private let type: PredicateType
  private let namedRole: ArtifactRole

  init(_ type: PredicateType, about name: String, as role: ArtifactRole) {
    self.name = name
    self.type = type
    namedRole = role.named(name)
  }

  var steps: [Check.Step] { FileKind.steps }
  var predicateTypes: [PredicateType] { [type] }
  var knownRole: ArtifactRole? { namedRole }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    try LookedAtArtifact(file: artifact, as: self)
  }

  func role(by statement: Statement) -> ArtifactRole? { namedRole }

  func compare(_ statement: Statement, _ check: inout StatementCheck) {
    if type.isOwn {
      check.refuseType(of: statement, expected: "a type of another program than Signet")
    } else {
      check.noteType(of: statement, type)
    }
    check.noteName(of: statement)
    if isExpected(statement) {
      check.findings.skip(
        [.size, .fsverity, .freshness], "not looked into: the statement is of another program's type")
    } else {
      check.noteAge(of: statement)
      check.skipContent()
    }
    check.noteRevocation(of: statement, withoutSequenceAs: namedRole)
  }

  /// Whether a statement is of the type that is expected. One of Signet's own types never is: what it says would pass
  /// without a look at it.
  private func isExpected(_ statement: Statement) -> Bool { statement.predicateType == type && !type.isOwn }

  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard isExpected(statement) else { return check.refuse(statement, type) }
    try check.compareFlat(statement.subjectDigest)
    try check.lookForRevokedBytes()
  }

  func prove(_ evidence: Evidence) -> VerifiedAttestation { VerifiedAttestation(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedAttestation {
  /// An artifact of this name about which another program has made a statement of this type. A type of Signet's own is
  /// always refused here.
  ///
  /// - Parameter role: what the caller takes the artifact for; the policy says who may speak for that.
  public static func attestation(
    _ type: PredicateType, about name: String, as role: ArtifactRole = .unnamed
  ) -> Self {
    Self(AttestationKind(type, about: name, as: role))
  }
}

/// The proof that somebody the policy trusts has signed a statement of another program's type about exactly these
/// bytes. Only ``Verifier`` makes one.
///
/// What the statement says (``Statement/foreignPredicate``) was not looked into: that the signer said it is all that
/// was verified. A test report about a plugin is not the permission to load it, so this is not a
/// ``VerifiedArtifact``.
public struct VerifiedAttestation: VerificationProof {
  /// What it rests on.
  public let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }
}
