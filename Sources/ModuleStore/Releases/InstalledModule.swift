public import Signet
public import SignetBase
public import SignetCrypto
package import SignetSystem

/// The proof that a release of a module is installed, that somebody the store's policy trusts has signed it, and that its
/// files are the signed ones. Only ``ModuleStore`` makes one, from the disk, each time it is asked.
///
/// It keeps no descriptor: what is read later is looked for where it was verified, and held against what was signed.
public struct InstalledModule: Sendable {
  /// Who the module is, and what it may do.
  public let module: ModuleDescription
  /// Everything in it.
  public let contents: ModuleContents
  /// The SHA-256 that is signed for its archive, without the signing block.
  public let sha256: Digest
  /// The least sequence that may be fallen back to, as the release says.
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

  /// Which release it is.
  public var sequence: Int { module.sequence }

  /// The bytes of a file of the release, read from where it was verified and held against the signed contents again.
  ///
  /// - Parameter path: the path, as the contents have it.
  /// - Throws: `directory.extra-entry` when the contents have no file of that path, `digest.mismatch` when it is
  ///   another file by now; what opening and reading a ``RegularFile`` throw.
  public func bytes(of path: String) throws(SignetError) -> [UInt8] {
    try place.files().directory.bytes(
      of: path, signed: contents[path]?.content, in: "\(module.identifier) \(sequence)")
  }

  /// A file of the release, open as it is now, and what is signed of it: whoever uses it compares what it copies.
  ///
  /// - Throws: `directory.extra-entry` when the contents have no file of that path; what opening a ``RegularFile`` throws.
  package func file(_ path: String) throws(SignetError) -> (file: RegularFile, size: Int, sha256: Digest) {
    guard case .file(_, let size, let digest) = contents[path]?.content else {
      throw SignetError(.directoryExtraEntry, path, "is not a signed file")
    }
    return (try place.files().directory.file(path), size, digest)
  }
}
