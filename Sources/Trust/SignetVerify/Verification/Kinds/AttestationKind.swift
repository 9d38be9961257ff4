internal import SignetBase

/// Another program's statement about an artifact's bytes, under the artifact's name.
///
/// The statement has a type of that program.
struct AttestationKind: ArtifactKind, ProvableKind {
  package let name: String
  let subjectNames: [String]
  /// The type that the statement must have; nil for any type of another program.
  private let type: PredicateType?
  private let namedRole: ArtifactRole
  /// The release of a module that the artifact belongs to; nil if only the role is known.
  private let release: ModuleDescription?

  /// - Parameter paths: names that the statement may give the artifact instead.
  init(_ type: PredicateType?, about name: String, or paths: [String] = [], as role: ArtifactRole) {
    self.name = name
    subjectNames = paths + [name]
    self.type = type
    namedRole = role.named(name)
    release = nil
  }

  /// - Parameters:
  ///   - name: what messages call the artifact. Statements may call it otherwise: its digest says which one is meant.
  ///   - release: the release that the artifact belongs to, which the policy may refuse; nil if only the role is known.
  init(
    _ type: PredicateType?, aboutBytesCalled name: String, as role: ArtifactRole, of release: ModuleDescription? = nil
  ) {
    self.name = name
    subjectNames = []
    self.type = type
    self.release = release
    namedRole = role.named(name)
  }

  var steps: [Check.Step] { FileKind.steps }
  var predicateTypes: [PredicateType] { type.map { [$0] } ?? [] }
  var knownRole: ArtifactRole? { namedRole }
  // A summary is itself what another program states.
  var isSummarized: Bool { false }
  var hasSeveralTypes: Bool { type == nil }
  var canBeMessage: Bool { subjectNames.isEmpty && type == nil && namedRole.module == nil }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    try LookedAtArtifact(file: artifact, as: self)
  }

  func role(by statement: Statement) -> ArtifactRole? { namedRole }

  func compare(_ statement: Statement, _ check: inout StatementCheck) {
    if statement.predicateType == .message {
      check.findings.skip([.statement, .predicateType, .name], "there is none: the bytes alone are signed")
    } else {
      compareNames(statement, &check)
    }
    if isExpected(statement) {
      check.findings.skip(
        [.size, .fsverity, .freshness],
        statement.predicateType == .message
          ? "not stated" : "not looked into: the statement is of another program's type")
    } else {
      check.noteAge(of: statement)
      check.skipContent()
    }
    guard let release else { return check.noteRevocation(of: statement, withoutSequenceAs: namedRole) }
    if let objection = check.revocations.objection(
      toRelease: release.sequence, release.version, of: release.identifier, name)
    {
      check.findings.fail(.revocation, objection)
    } else {
      check.noteRevocation(of: statement, withoutSequenceAs: nil)
    }
  }

  private func compareNames(_ statement: Statement, _ check: inout StatementCheck) {
    if let type, !type.isOwn {
      check.noteType(of: statement, type)
    } else if isExpected(statement) {
      check.findings.pass(.predicateType, statement.predicateType.uri)
    } else {
      check.refuseType(of: statement, expected: "a type of another program than Signet")
    }
    if subjectNames.isEmpty || subjectNames.contains(where: { $0.isExactly(statement.subjectName) }) {
      check.findings.pass(.name, statement.subjectName)
    } else {
      check.noteName(of: statement)
    }
  }

  /// Whether a statement has the expected type.
  ///
  /// Signet's own types are never expected here: what such a statement says would pass without being checked.
  private func isExpected(_ statement: Statement) -> Bool {
    guard statement.predicateType != .message else { return canBeMessage }
    return !statement.predicateType.isOwn && type.map { $0 == statement.predicateType } ?? true
  }

  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard isExpected(statement) else { return check.refuse(statement, type ?? statement.predicateType) }
    try check.compareFlat(statement.subjectDigest)
    // Digests of two artifacts name none.
    if let other = statement.otherDigest, check.findings.isGood { try check.compareFlat(other) }
    try check.lookForRevokedBytes()
  }

  func prove(_ evidence: Evidence) -> VerifiedAttestation { VerifiedAttestation(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedAttestation {
  /// Expects an artifact of this name about which another program has made a statement of this type.
  ///
  /// Signet's own types are always refused here.
  ///
  /// - Parameters:
  ///   - type: the type that the statement must have.
  ///   - name: the name that the statement must give the artifact.
  ///   - role: the role that the caller gives the artifact. The policy says which signers are trusted for it.
  public static func attestation(
    _ type: PredicateType, about name: String, as role: ArtifactRole = .unnamed
  ) -> Self {
    Self(AttestationKind(type, about: name, as: role))
  }

  /// Expects a file of a module's release about which another program has made a statement of this type, under any name.
  ///
  /// A registry renames files. Only the digest in the statement says which one is meant.
  ///
  /// - Parameters:
  ///   - type: the type that the statement must have.
  ///   - name: what messages call the file.
  ///   - release: the release. The policy says which signers are trusted for the module, and may refuse the release. The
  ///     caller makes sure that the file is one of this release.
  package static func attestation(
    _ type: PredicateType, aboutBytesCalled name: String, of release: ModuleDescription
  ) -> Self {
    Self(AttestationKind(type, aboutBytesCalled: name, as: ArtifactRole(module: release.identifier), of: release))
  }

  /// Expects bytes about which another program has made statements of this type, under any name.
  ///
  /// Only the digest in a statement says which subject is meant. Say it to the verification, unless each has one subject.
  ///
  /// - Parameters:
  ///   - type: the type that the statements must have; nil for any but Signet's own, also several.
  ///   - name: what messages call the bytes.
  ///   - role: the role that the caller gives them. The policy says which signers are trusted for it.
  package static func attestation(
    _ type: PredicateType?, aboutBytesCalled name: String, as role: ArtifactRole
  ) -> Self {
    Self(AttestationKind(type, aboutBytesCalled: name, as: role))
  }

  /// Expects an artifact of this name about which another program has made a statement of any type but Signet's own.
  ///
  /// The caller looks at the type of the verified statement.
  ///
  /// - Parameters:
  ///   - name: the name that the statement may give the artifact.
  ///   - path: the path that the statement may give it instead, such as `linux/tool`.
  ///   - role: the role that the caller gives the artifact. The policy says which signers are trusted for it.
  package static func attestation(
    ofAnyTypeAbout name: String, or path: String, as role: ArtifactRole = .unnamed
  ) -> Self {
    Self(AttestationKind(nil, about: name, or: path.isExactly(name) ? [] : [path], as: role))
  }
}

/// The proof that a trusted signer has signed a statement of another program's type about exactly these bytes.
///
/// Only ``Verifier`` makes one. The content of the statement (``Statement/foreignPredicate``) was not checked: only
/// that the signer made it was verified. A test report about a plugin is not the permission to load it, so this is
/// not a ``VerifiedArtifact``.
public struct VerifiedAttestation: VerificationProof {
  /// The evidence that the proof rests on.
  public let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }
}
