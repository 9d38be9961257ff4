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
  /// The fs-verity digest of the bytes that were verified, found to be the signed one where one is signed; nil when it was
  /// not established.
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

/// A signature by a key the policy trusts, over a statement that holds.
public struct VerifiedSignature: Sendable {
  /// Whose it is.
  public let key: PublicKey
  /// What was signed.
  public let statement: Statement
  /// SHA-256 of the payload, byte for byte as it was signed: signatures over the same payload have the same.
  public let payloadDigest: Digest

  /// The names of the policy's entries that it may count for.
  public let entries: [String]
  /// The certificates from the signer's to the trusted one; nil where the signature came without, or a bare key is
  /// trusted.
  public let certificatePath: CertificatePath?

  init(
    key: PublicKey, statement: Statement, payloadDigest: Digest, entries: [String], certificatePath: CertificatePath?
  ) {
    self.key = key
    self.statement = statement
    self.payloadDigest = payloadDigest
    self.entries = entries
    self.certificatePath = certificatePath
  }
}
