internal import SignetBase
internal import SignetCrypto

/// The last steps with a bundle: the artifact's kind reads its content and compares it with the statement.
///
/// They are taken only if nothing refuses the artifact yet, so that Signet never reads a refused artifact's files.
package struct ContentCheck {
  private let revocations: Revocations
  private let name: String
  private let needsBothDigests: Bool
  package var artifact: HashedArtifact
  package var findings: Findings

  /// - Parameter needsBothDigests: whether the flat and the tree digest are both compared, whatever the policy says.
  package init(
    _ name: String, revocations: Revocations, needsBothDigests: Bool, artifact: HashedArtifact,
    findings: Findings
  ) {
    self.revocations = revocations
    self.name = name
    // A revocation may name either digest.
    self.needsBothDigests = needsBothDigests || revocations.areAboutDigests
    self.artifact = artifact
    self.findings = findings
  }

  /// All steps about content, for every kind of artifact.
  package static let steps: [Check.Step] = [.fsverity, .sha256, .structure, .contents, .revocation]

  /// Refuses a statement about something else. An earlier step has already objected to it.
  package mutating func refuse(_ statement: Statement, _ type: PredicateType) {
    findings.fail(
      .predicateType,
      SignetError(
        .statementPredicateType, findings.label, "is about something else", expected: type.uri,
        found: statement.predicateType.uri))
  }

  /// Compares the tree digest, and the flat digest if it is needed.
  package mutating func compareBytes(_ flat: Digest, _ tree: FSVerityDigest) throws(SignetError) {
    // One pass over the bytes gives both.
    if needsBothDigests { try artifact.both() }
    let digest = try artifact.fsverity()
    note(.fsverity, "\(digest)", isSame: digest == tree, "\(tree)")
    guard needsBothDigests else {
      return findings.skip([.sha256], "not established: the tree digest covers the same bytes")
    }
    try compareFlat(flat)
  }

  /// Compares the flat digest.
  package mutating func compareFlat(_ flat: Digest) throws(SignetError) {
    if needsBothDigests { try artifact.both() }
    let digest = flat.algorithm == .sha256 ? try artifact.sha256() : try artifact.digest(flat.algorithm)
    note(.sha256, "\(digest)", isSame: digest == flat, "\(flat)")
  }

  private mutating func note(_ step: Check.Step, _ found: String, isSame: Bool, _ expected: String) {
    findings.note(step, found, isSame ? nil : .changedContent(name, expected: expected, found: found))
  }

  /// Notes the result of comparing a directory with what is signed.
  ///
  /// - Returns: whether they are the same.
  package mutating func note(
    _ words: String,
    _ compare: (inout HashedArtifact) throws(SignetError) -> (found: DirectoryDifferences, isRepeated: Bool)
  ) throws(SignetError) -> Bool {
    do throws(SignetError) {
      let (differences, isRepeated) = try compare(&artifact)
      let found = differences.reasons(in: name)
      guard let first = found.first else {
        findings.pass(.contents, words)
        return true
      }
      findings.fail(.contents, first)
      // Another bundle with the same listing adds no reasons.
      if !isRepeated { findings.add(found.dropFirst()) }
    } catch  where error.code == .directoryEntryCount || error.code == .pathBounds {
      // No listing can have so many entries, or such a path.
      findings.fail(.contents, error)
    }
    return false
  }

  /// Compares the artifact's own digests with those that the policy revokes.
  ///
  /// For an archive, the digests with its signing block are compared too: a policy's author may have hashed the
  /// signed archive that was at hand.
  package mutating func lookForRevokedBytes() throws(SignetError) {
    guard findings.isGood, revocations.areAboutDigests else { return }
    let raw = try artifact.rawDigests()
    if let objection = revocations.objection(
      toDigests: [try artifact.sha256(), raw?.sha256].compactMap(\.self),
      [try artifact.fsverity(), raw?.fsverity].compactMap(\.self), name)
    {
      findings.fail(.revocation, objection)
    } else {
      passRevocation()
    }
  }

  /// Notes that no digest is revoked, if all of them were looked for.
  package mutating func passRevocation() {
    guard findings.isGood, revocations.areAboutDigests else { return }
    findings.pass(.revocation, "the policy revokes neither digest")
  }
}
