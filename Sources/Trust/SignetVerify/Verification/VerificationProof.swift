public import SignetCrypto

/// The result of a successful verification, with one type for each kind of artifact. Only ``Verifier`` makes proofs.
public protocol VerificationProof: Sendable, CustomStringConvertible {
  /// The evidence that the proof rests on.
  var evidence: Evidence { get }
}

extension VerificationProof {
  /// The artifact that was verified: the same descriptor, the same bytes.
  public var artifact: Artifact { evidence.artifact }
  /// The artifact's name in its statements.
  public var name: String { evidence.name }
  /// The SHA-256, which was computed and is that of the signed bytes; nil if it was not established.
  public var sha256: Digest? { evidence.sha256 }
  /// The fs-verity digest of the verified bytes; nil if it was not established.
  ///
  /// If an fs-verity digest is signed, this is the signed one.
  public var fsverity: FSVerityDigest? { evidence.fsverity }
  /// The signatures that count: at least one, and one for each key and payload.
  public var signatures: [VerifiedSignature] { evidence.signatures }
  /// Why each signature beside the artifact that does not count is not by a trusted signer.
  package var strangers: [SignetError] { evidence.strangers }
  /// Every step, in order: passed, or skipped with the explanation.
  public var checks: [Check] { evidence.checks }
  /// A line that says what was verified and who has signed it: `plugin.zip, signed by publisher`.
  public var description: String { "\(name), \(evidence.signers)" }
}

/// The findings of a verification without objections.
public struct Evidence: Sendable {
  package let artifact: Artifact
  package let name: String
  package let sha256: Digest?
  let fsverity: FSVerityDigest?
  /// The archive, if the artifact was verified as a module's.
  package let archive: (any OpenedContent)?
  package let signatures: [VerifiedSignature]
  let checks: [Check]
  let strangers: [SignetError]
  /// Every bundle that was examined, including those of untrusted signers.
  package let bundles: [EncodedBundle]

  /// The signers, by the policy's names for them.
  package var signers: String {
    "signed by " + signatures.map { $0.entries.joined(separator: " or ") }.joined(separator: ", ")
  }

  init(
    _ artifact: HashedArtifact, name: String, signatures: [VerifiedSignature], checks: [Check],
    strangers: [SignetError], bundles: [EncodedBundle]
  ) {
    precondition(!signatures.isEmpty)
    self.artifact = artifact.artifact
    sha256 = artifact.flat
    fsverity = artifact.tree
    archive = artifact.opened
    self.strangers = strangers
    self.bundles = bundles
    self.name = name
    self.signatures = signatures
    self.checks = checks
  }
}

/// A signature by a key that the policy trusts, over a statement without faults.
public struct VerifiedSignature: Sendable {
  /// The key that made the signature.
  public let key: PublicKey
  /// The signed statement.
  public let statement: Statement
  /// The SHA-256 of the payload exactly as it was signed. Signatures over the same payload have the same digest.
  public let payloadDigest: Digest

  /// The names of the policy's entries that the signature may count for.
  public let entries: [String]
  /// The certificates from the signer's to the trusted one.
  ///
  /// Nil if the signature came without a certificate, or a bare key is trusted.
  public let certificatePath: CertificatePath?
  /// Who has signed, where others vouch for the signer; nil where a key or a certificate alone is trusted.
  public let identity: ProvenIdentity?
  /// When it was there by a trusted timestamp, at which key and certificate were judged; nil if they were judged now.
  public let stamped: UnixTime?
  /// The format, if it is one of another program; nil for a bundle.
  public let format: SignatureFormat?
  /// What a signature of another program says of itself, and its signer has signed: minisign's trusted comment. It can have
  /// any characters.
  public let remarks: [(name: String, text: String)]

  init(
    key: PublicKey, statement: Statement, payloadDigest: Digest, entries: [String],
    certificatePath: CertificatePath?, identity: ProvenIdentity? = nil, stamped: UnixTime? = nil,
    format: SignatureFormat? = nil, remarks: [(name: String, text: String)] = []
  ) {
    self.key = key
    self.statement = statement
    self.payloadDigest = payloadDigest
    self.entries = entries
    self.certificatePath = certificatePath
    self.identity = identity
    self.stamped = stamped
    self.format = format
    self.remarks = remarks
  }
}
