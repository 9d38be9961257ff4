package import Signet
package import SignetBase
package import SignetCrypto

/// An artifact of a release, once it was read and verified. It holds no open file.
package struct ExaminedArtifact: Sendable {
  /// The path from the release's folder.
  package let path: String
  /// Whether it is a directory that is signed as a whole.
  package let isDirectory: Bool
  /// The size in bytes; for a directory, that of all its files.
  package let size: Int
  /// The SHA-256 of the file, with any signatures in it; for a directory, that of its listing.
  package let sha256: Digest
  /// The signatures that count; empty if the artifact is refused.
  package let signatures: [VerifiedSignature]
  /// Every reason to refuse it, the most telling first; empty if it is verified.
  package let reasons: [SignetError]
  /// Why each signature beside it that does not count is not by a trusted signer; empty if the artifact is refused.
  package let strangers: [SignetError]

  /// Whether trusted signers have signed it.
  package var isVerified: Bool { !signatures.isEmpty }

  /// The type of its statements; nil if it is refused.
  package var type: PredicateType? { signatures.first?.statement.predicateType }

  /// What its verified statement says of a module; nil for anything else, and if it is refused.
  package var module: ModulePredicate? { signatures.first?.statement.module }

  /// What its verified statement lists of a directory; nil for anything else, and if it is refused.
  package var listing: DirectoryListing? { signatures.first?.statement.directory?.listing }

  /// The last name of the path.
  package var baseName: String { ReleasePath.baseName(of: path) }

  package init(
    path: String, isDirectory: Bool, size: Int, sha256: Digest, signatures: [VerifiedSignature],
    reasons: [SignetError], strangers: [SignetError] = []
  ) {
    self.path = path
    self.isDirectory = isDirectory
    self.size = size
    self.sha256 = sha256
    self.signatures = signatures
    self.reasons = reasons
    self.strangers = strangers
  }
}
