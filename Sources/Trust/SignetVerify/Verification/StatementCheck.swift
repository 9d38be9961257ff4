package import SignetBase
internal import SignetCrypto

/// The comparison of a trusted signer's statement with what is known before the artifact's content is read.
///
/// The artifact's kind chooses the comparisons.
package struct StatementCheck {
  /// What messages call the artifact.
  package let name: String
  package let revocations: Revocations
  package let artifact: HashedArtifact
  private let now: UnixTime
  private let allowsFolders: Bool
  package var findings: Findings

  /// - Parameter allowsFolders: whether the statement may name folders before the artifact's name.
  init(
    _ name: String, allowsFolders: Bool, policy: PolicyInForce, artifact: HashedArtifact, findings: Findings
  ) {
    self.name = name
    self.allowsFolders = allowsFolders
    revocations = policy.revocations
    now = policy.now
    self.artifact = artifact
    self.findings = findings
  }

  /// What messages call the bundle.
  package var label: String { findings.label }

  /// Notes whether the statement has this type.
  package mutating func noteType(of statement: Statement, _ type: PredicateType) {
    let found = statement.predicateType
    findings.note(.predicateType, found.uri, found == type ? nil : otherType(found, type.uri))
  }

  /// Notes that the statement does not have the expected type.
  package mutating func refuseType(of statement: Statement, expected: String) {
    findings.fail(.predicateType, otherType(statement.predicateType, expected))
  }

  private func otherType(_ found: PredicateType, _ expected: String) -> SignetError {
    SignetError(
      .statementPredicateType, label, "has a statement of another type", expected: expected, found: found.uri,
      hint: "ask the publisher for a signature of the expected type")
  }

  /// Notes whether the statement calls the artifact by its name.
  package mutating func noteName(of statement: Statement) {
    let expected = SubjectName(text: name, allowsFolders: allowsFolders)
    guard !expected.matches(statement.subjectName) else { return findings.pass(.name, statement.subjectName) }
    findings.fail(
      .name,
      SignetError(
        .subjectName, label, "is about an artifact of another name", expected: name, found: statement.subjectName,
        hint: "ask the publisher for this file's bundle"))
  }

  /// Notes whether the statement has expired.
  package mutating func noteAge(of statement: Statement) {
    guard let end = statement.notAfter, now > end else {
      return findings.pass(.freshness, statement.notAfter.map { "until \($0)" } ?? "without an end")
    }
    findings.fail(
      .freshness,
      SignetError(
        .statementExpired, label, "has a statement that has expired", expected: "a time up to \(end)",
        found: "\(now)", hint: "get a newer release"))
  }

  /// Notes whether the artifact has the signed size. An artifact of another size is not read.
  package mutating func noteSize(_ signed: Int) {
    let size = artifact.size
    guard size != signed else { return findings.pass(.size, "\(size) bytes") }
    findings.fail(.size, .changedContent(name, expected: "\(signed) bytes", found: "\(size) bytes"))
    findings.skip([.fsverity, .sha256], "the size differs already")
    findings.skip([.structure, .contents], "the bytes are not the signed ones")
  }

  /// Notes that nothing more is compared with a statement about something else.
  package mutating func skipContent() {
    findings.skip(
      [.size, .fsverity, .sha256, .structure, .contents, .identifier, .sequence],
      "not looked at: the statement is about something else")
  }

  /// Notes whether the policy revokes the artifact.
  ///
  /// The signed digests and those that are known already are looked for here. The artifact's own digests are looked
  /// for later.
  ///
  /// - Parameter role: the role of an artifact without a sequence; nil for an artifact with one.
  package mutating func noteRevocation(of statement: Statement, withoutSequenceAs role: ArtifactRole?) {
    if let objection = revocations.objection(toMissingSequenceOf: role?.module, in: statement, name) {
      return findings.fail(.revocation, objection)
    }
    guard revocations.areAboutDigests else {
      return findings.skip([.revocation], "the policy revokes no artifact by its digest")
    }
    let known = artifact.knownRawDigests
    if let objection = revocations.objection(
      toDigests: [statement.subjectDigest, known?.sha256].compactMap(\.self),
      [statement.subjectTree, known?.fsverity].compactMap(\.self), name)
    {
      findings.fail(.revocation, objection)
    }
  }
}

extension SignetError {
  /// The error for an artifact whose bytes are not the signed ones.
  package static func changedContent(_ name: String, expected: String, found: String) -> SignetError {
    SignetError(
      .digestMismatch, name, "is not what was signed: its bytes were changed", expected: expected, found: found,
      hint: "get the artifact again from its publisher")
  }
}
