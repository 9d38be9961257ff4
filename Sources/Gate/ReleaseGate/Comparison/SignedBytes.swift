internal import Signet
internal import SignetBase
internal import SignetCrypto

extension ExaminedArtifact {
  /// Whether two artifacts are the same to their users: the same bytes, without the signatures in an archive.
  ///
  /// What signers say of the bytes counts only if both artifacts are verified. Both digests must be the same, so that
  /// the one that the verifier has compared is among them.
  func hasSameBytes(as other: ExaminedArtifact) -> Bool {
    if isDirectory == other.isDirectory, sha256 == other.sha256 { return true }
    guard let module, let another = other.module, let digest = subjectDigest else { return false }
    return digest == other.subjectDigest && module.archive.fsverity == another.archive.fsverity
  }

  private var subjectDigest: Digest? { signatures.first?.statement.subjectDigest }

  /// The lowest sequence to which a host may fall back: the highest one in the statements.
  var minimumSequence: Int? { signatures.compactMap { $0.statement.module?.minimumSequence }.max() }
}
