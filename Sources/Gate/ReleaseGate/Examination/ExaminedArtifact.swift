package import Signet
package import SignetBase
internal import SignetCrypto

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
  /// How its verification ended.
  package let outcome: Outcome

  /// How the verification of an artifact ended.
  package enum Outcome: Sendable {
    /// Trusted signers have signed it.
    ///
    /// - Parameters:
    ///   - signatures: the signatures that count; at least one.
    ///   - strangers: why each other signature beside it is not by a trusted signer.
    case verified([VerifiedSignature], strangers: [SignetError])
    /// It is refused, for at least one reason. The most telling comes first.
    case refused([SignetError])
    /// It is a file of signatures, whose bytes are searched. It needs none itself.
    case notVerified
  }

  /// The signatures that count; empty if the artifact is refused.
  package var signatures: [VerifiedSignature] {
    if case .verified(let signatures, _) = outcome { signatures } else { [] }
  }

  /// Every reason to refuse it, the most telling first; empty if it is verified.
  package var reasons: [SignetError] { if case .refused(let reasons) = outcome { reasons } else { [] } }

  /// Why each signature beside it that does not count is not by a trusted signer; empty if the artifact is refused.
  package var strangers: [SignetError] { if case .verified(_, let strangers) = outcome { strangers } else { [] } }

  /// Whether trusted signers have signed it.
  package var isVerified: Bool { if case .verified = outcome { true } else { false } }

  /// The type of its statements; nil if it is refused.
  package var type: PredicateType? { signatures.first?.statement.predicateType }

  /// What its verified statement says of a module; nil for anything else, and if it is refused.
  package var module: ModulePredicate? { signatures.first?.statement.module }

  /// What its verified statement lists of a directory; nil for anything else, and if it is refused.
  package var listing: DirectoryListing? { signatures.first?.statement.directory?.listing }

  /// The last name of the path.
  package var baseName: String { ReleasePath.baseName(of: path) }

  package init(path: String, isDirectory: Bool, size: Int, sha256: Digest, _ outcome: Outcome) {
    switch outcome {
    case .verified(let signatures, _): precondition(!signatures.isEmpty)
    case .refused(let reasons): precondition(!reasons.isEmpty)
    case .notVerified: break
    }
    self.path = path
    self.isDirectory = isDirectory
    self.size = size
    self.sha256 = sha256
    self.outcome = outcome
  }
}
