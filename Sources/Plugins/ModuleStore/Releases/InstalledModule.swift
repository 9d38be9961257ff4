public import Signet
public import SignetBase
internal import SignetCrypto
package import SignetSystem

/// The proof that a release of a module is installed, that a signer trusted by the store's policy has signed it, and
/// that its files are the signed ones.
///
/// Only ``ModuleStore`` makes one, from the disk, each time it is asked. The proof keeps no descriptor. What is read
/// later is looked up where it was verified, and checked against what was signed.
public struct InstalledModule: Sendable {
  /// The module's description: its identity, and what it may do.
  public let module: ModuleDescription
  /// The contents of the release.
  public let contents: ModuleContents
  /// The SHA-256 that is signed for its archive, without the signing block.
  public let sha256: Digest
  /// The lowest sequence to which a fallback is allowed, as the release says.
  public let minimumSequence: Int?
  /// The signatures that count, at least one.
  public let signatures: [VerifiedSignature]
  /// Every step of the verification, in order: passed, or skipped and why.
  public let checks: [Check]
  /// The directory with its files, for messages.
  public let path: String
  private let place: ReleasePlace

  init(_ proof: VerifiedUnpackedModule, in place: ReleasePlace) {
    module = proof.module
    contents = proof.contents
    sha256 = proof.archiveDigest
    minimumSequence = proof.minimumSequence
    signatures = proof.signatures
    checks = proof.checks
    path = proof.directory.path
    self.place = place
  }

  /// The sequence of the release.
  public var sequence: Int { module.sequence }

  /// When the last signature that counts was made, as its signer says.
  var signedAt: UnixTime? { signatures.compactMap(\.statement.signedAt).max() }

  /// The bytes of a file of the release, read from where it was verified, and checked against the signed contents
  /// again.
  ///
  /// - Parameter path: the path, as it is in the contents.
  /// - Throws: `directory.extra-entry` if the contents have no file with that path, `digest.mismatch` if it is
  ///   another file by now; `file.…`, `crypto.failure`.
  public func bytes(of path: String) throws(SignetError) -> [UInt8] {
    try place.files().directory.bytes(
      of: path, signed: contents[path]?.content, in: "\(module.identifier) \(sequence)")
  }

  /// A file of the release, opened now, and what is signed of it. The caller has to compare what it copies.
  ///
  /// - Throws: `directory.extra-entry` if the contents have no file with that path; errors of opening a
  ///   ``RegularFile``.
  package func file(_ path: String) throws(SignetError) -> (file: RegularFile, size: Int, sha256: Digest) {
    guard case .file(_, let size, let digest) = contents[path]?.content else {
      throw SignetError(.directoryExtraEntry, path, "is not a signed file")
    }
    return (try place.files().directory.file(path), size, digest)
  }
}
