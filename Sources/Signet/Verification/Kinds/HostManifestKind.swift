internal import SignetArchive
internal import SignetBase

/// The manifest of a host, `urn:signet:host-manifest:v1`: a file's bytes under its name, for this host, and no older than
/// what was accepted.
struct HostManifestKind: ArtifactKind, ProvableKind {
  let name: String
  private let identifier: ModuleIdentifier
  private let leastSequence: Int

  init(_ identifier: ModuleIdentifier, named name: String, leastSequence: Int) {
    self.name = name
    self.identifier = identifier
    self.leastSequence = leastSequence
  }

  let steps: [Check.Step] = [
    .bundle, .signer, .signature, .transparencyLog, .timestamps, .statement, .predicateType, .name, .identifier,
    .sequence, .size, .sha256, .freshness, .revocation,
  ]

  var predicateTypes: [PredicateType] { [.hostManifest] }
  /// Whoever signs it must be one who may speak for the host.
  var knownRole: ArtifactRole? { ArtifactRole(module: identifier) }

  func look(at artifact: Artifact, _ limits: ArchiveLimits) throws(SignetError) -> LookedAtArtifact {
    try LookedAtArtifact(file: artifact, as: self)
  }

  func role(by statement: Statement) -> ArtifactRole? { knownRole }

  func compare(_ statement: Statement, _ check: inout StatementCheck) {
    check.noteType(of: statement, .hostManifest)
    check.noteName(of: statement)
    check.noteAge(of: statement)
    if case .hostManifest(let manifest) = statement.predicate {
      check.findings.note(.identifier, "\(manifest.identifier)", objectionToHost(of: manifest, check.label))
      check.findings.note(
        .sequence, "\(manifest.sequence)",
        objectionToSequence(of: manifest, check.label)
          ?? check.revocations.objection(
            toRelease: manifest.sequence, nil, of: manifest.identifier, check.name))
      check.noteSize(manifest.size)
    } else {
      check.skipContent()
    }
    check.noteRevocation(of: statement, withoutSequenceAs: nil)
  }

  private func objectionToHost(of manifest: HostManifestPredicate, _ label: String) -> SignetError? {
    guard manifest.identifier != identifier else { return nil }
    return SignetError(
      .manifestIdentifierMismatch, label, "is about another host's manifest",
      expected: "\(identifier)", found: "\(manifest.identifier)",
      hint: "get this host's manifest and its bundle")
  }

  private func objectionToSequence(of manifest: HostManifestPredicate, _ label: String) -> SignetError? {
    guard manifest.sequence < leastSequence else { return nil }
    return SignetError(
      .policyRollback, label, "is about a manifest that is older than the last accepted one",
      expected: "sequence \(leastSequence) or later", found: "\(manifest.sequence)",
      hint: "get the newest manifest")
  }

  func compareContent(_ statement: Statement, _ check: inout ContentCheck) throws(SignetError) {
    guard statement.hostManifest != nil else { return check.refuse(statement, .hostManifest) }
    try check.compareFlat(statement.subjectDigest)
    try check.lookForRevokedBytes()
  }

  func prove(_ evidence: Evidence) throws(SignetError) -> VerifiedHostManifest { try VerifiedHostManifest(evidence) }
}

extension Verifier.Expectation where Proof == VerifiedHostManifest {
  /// The manifest of a host, in a file of this name: `urn:signet:host-manifest:v1`.
  ///
  /// - Parameter leastSequence: the sequence of the last manifest that was accepted, or 1: none below is.
  public static func hostManifest(
    identifier: ModuleIdentifier, named name: String, leastSequence: Int
  ) -> Self {
    Self(HostManifestKind(identifier, named: name, leastSequence: leastSequence))
  }
}

/// The proof that somebody the policy trusts has signed exactly these bytes as the manifest of this host. Only
/// ``Verifier`` makes one.
public struct VerifiedHostManifest: VerificationProof {
  /// What it rests on.
  public let evidence: Evidence
  /// The host it is for.
  public let identifier: ModuleIdentifier
  /// Which of the host's manifests it is: what the next one must not fall below. Where signatures say different
  /// numbers about the same bytes, the least.
  public let sequence: Int

  init(_ evidence: Evidence) throws(SignetError) {
    let manifests = evidence.signatures.compactMap(\.statement.hostManifest)
    guard let first = manifests.min(by: { $0.sequence < $1.sequence }), manifests.count == evidence.signatures.count
    else {
      throw SignetError(
        .statementPredicateType, evidence.name, "is not about a host's manifest",
        expected: PredicateType.hostManifest.uri)
    }
    self.evidence = evidence
    identifier = first.identifier
    sequence = first.sequence
  }
}
