internal import SignetArchive
public import SignetCrypto

/// What a successful verification gives: one type for each kind of artifact. Only ``Verifier`` makes them.
public protocol VerificationProof: Sendable, CustomStringConvertible {
  /// What it rests on.
  var evidence: Evidence { get }
}

extension VerificationProof {
  /// What was verified: the same descriptor, the same bytes.
  public var artifact: Artifact { evidence.artifact }
  /// The name the statements have for it.
  public var name: String { evidence.name }
  /// The SHA-256 that was computed and found to be the signed one; nil when it was not established.
  public var sha256: Digest? { evidence.sha256 }
  /// The fs-verity digest that was computed and found to be the signed one; nil when it was not established.
  public var fsverity: FSVerityDigest? { evidence.fsverity }
  /// The signatures that count, at least one; of one key over one payload only one.
  public var signatures: [VerifiedSignature] { evidence.signatures }
  /// Every step, in order: passed, or skipped and why.
  public var checks: [Check] { evidence.checks }
  /// A line that says what was verified, and who has signed it: `plugin.zip, signed by publisher`.
  public var description: String { "\(name), \(evidence.signers)" }
}

/// What a verification without objections has found.
public struct Evidence: Sendable {
  let artifact: Artifact
  let name: String
  let sha256: Digest?
  let fsverity: FSVerityDigest?
  /// The archive, where the artifact was verified as a module's.
  let archive: OpenedArchive?
  let signatures: [VerifiedSignature]
  let checks: [Check]
  /// Every bundle that was looked at, those of strangers, too.
  let bundles: [EncodedBundle]

  /// Who has signed it, as the policy calls them.
  var signers: String {
    "signed by " + signatures.map { $0.entries.joined(separator: " or ") }.joined(separator: ", ")
  }

  init(
    _ artifact: HashedArtifact, name: String, signatures: [VerifiedSignature], checks: [Check],
    bundles: [EncodedBundle]
  ) {
    precondition(!signatures.isEmpty)
    self.artifact = artifact.artifact
    sha256 = artifact.flat
    fsverity = artifact.tree
    archive = artifact.opened
    self.bundles = bundles
    self.name = name
    self.signatures = signatures
    self.checks = checks
  }
}
