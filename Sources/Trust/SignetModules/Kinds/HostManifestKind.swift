internal import SignetBase

/// A host's manifest, `urn:signet:host-manifest:v1`.
///
/// It is a file's bytes under its name, for this host, and not older than the last accepted one.
struct HostManifestKind: ArtifactKind, ProvableKind {
  package let name: String
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
  // A manifest comes with the host, and nothing is loaded because of it alone.
  var isSummarized: Bool { false }
  /// Its signers must be trusted for the host's identifier.
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
  /// Expects the manifest of a host, in a file of this name: `urn:signet:host-manifest:v1`.
  ///
  /// - Parameters:
  ///   - identifier: the host that the statement must be for.
  ///   - name: the name that the statement must have.
  ///   - leastSequence: the sequence of the last accepted manifest, or 1. Lower sequences are refused.
  public static func hostManifest(
    identifier: ModuleIdentifier, named name: String, leastSequence: Int
  ) -> Self {
    Self(HostManifestKind(identifier, named: name, leastSequence: leastSequence))
  }
}

/// The proof that a trusted signer has signed exactly these bytes as this host's manifest.
///
/// Only the verifier makes one.
public struct VerifiedHostManifest: VerificationProof {
  /// The evidence that the proof rests on.
  public let evidence: Evidence
  /// The host that the manifest is for.
  public let identifier: ModuleIdentifier
  /// The manifest's sequence, below which the next manifest must not fall.
  ///
  /// If signatures state different numbers for the same bytes, this is the lowest.
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
