internal import SignetBase
internal import SignetCrypto

/// The last steps with a bundle: the artifact's content is read, and its kind holds it against what the statement says.
///
/// They are taken only where nothing refuses the artifact already: nobody can have files read that are refused anyhow.
struct ContentCheck {
  private let revocations: Revocations
  private let name: String
  private let needsBothDigests: Bool
  var artifact: HashedArtifact
  var findings: Findings

  /// - Parameter needsBothDigests: whether the flat and the tree digest both have to be compared, whatever the policy
  ///   says.
  init(
    _ name: String, _ revocations: Revocations, needsBothDigests: Bool, _ artifact: HashedArtifact,
    _ findings: Findings
  ) {
    self.revocations = revocations
    self.name = name
    // Revocations are of either digest.
    self.needsBothDigests = needsBothDigests || revocations.areAboutDigests
    self.artifact = artifact
    self.findings = findings
  }

  /// The steps, whatever the artifact is.
  static let steps: [Check.Step] = [.fsverity, .sha256, .structure, .contents, .revocation]

  /// Refuses a statement that is about something else; it has been objected to before.
  mutating func refuse(_ statement: Statement, _ type: PredicateType) {
    findings.fail(
      .predicateType,
      SignetError(
        .statementPredicateType, findings.label, "is about something else", expected: type.uri,
        found: statement.predicateType.uri))
  }

  /// Compares the tree digest, and the flat one where it is needed.
  mutating func compareBytes(_ flat: Digest, _ tree: FSVerityDigest) throws(SignetError) {
    // Both come of one pass.
    if needsBothDigests { try artifact.both() }
    let digest = try artifact.fsverity()
    note(.fsverity, "\(digest)", isSame: digest == tree, "\(tree)")
    guard needsBothDigests else {
      return findings.skip([.sha256], "not established: the tree digest covers the same bytes")
    }
    try compareFlat(flat)
  }

  /// Compares the flat digest.
  mutating func compareFlat(_ flat: Digest) throws(SignetError) {
    if needsBothDigests { try artifact.both() }
    let digest = try artifact.sha256()
    note(.sha256, "\(digest)", isSame: digest == flat, "\(flat)")
  }

  private mutating func note(_ step: Check.Step, _ found: String, isSame: Bool, _ expected: String) {
    findings.note(step, found, isSame ? nil : .changedContent(name, expected: expected, found: found))
  }

  /// Notes what came of comparing a directory with what is signed.
  ///
  /// - Returns: whether they are the same.
  mutating func note(
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
      // Another bundle over the same listing has nothing to add.
      if !isRepeated { findings.add(found.dropFirst()) }
    } catch  where error.code == .directoryEntryCount || error.code == .pathBounds {
      // No listing is like that.
      findings.fail(.contents, error)
    }
    return false
  }

  /// Compares the artifact's own digests with those that the policy revokes: of an archive those with its signing block,
  /// too, since whoever revoked a signed archive may have taken the digest of what they had.
  mutating func lookForRevokedBytes() throws(SignetError) {
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

  /// Notes that none of the digests is revoked, where all of them were looked for.
  mutating func passRevocation() {
    guard findings.isGood, revocations.areAboutDigests else { return }
    findings.pass(.revocation, "the policy revokes neither digest")
  }
}
