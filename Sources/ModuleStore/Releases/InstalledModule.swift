public import Signet
public import SignetCrypto

/// The proof that a release of a module is installed, that somebody the store's policy trusts has signed it, and that its
/// files are the signed ones. Only ``ModuleStore`` makes one, from the disk, each time it is asked.
public struct InstalledModule: Sendable {
  private let proof: VerifiedUnpackedModule

  init(_ proof: VerifiedUnpackedModule) { self.proof = proof }

  /// Who the module is, and what it may do.
  public var module: ModuleDescription { proof.module }
  /// Which release it is.
  public var sequence: Int { proof.module.sequence }
  /// Everything in it.
  public var contents: ModuleContents { proof.contents }
  /// The SHA-256 that is signed for its archive, without the signing block.
  public var sha256: Digest { proof.archiveDigest }
  /// The least sequence that may be fallen back to, as the release says.
  public var minimumSequence: Int? { proof.minimumSequence }
  /// The signatures that count, at least one.
  public var signatures: [VerifiedSignature] { proof.signatures }
  /// Every step of the verification, in order: passed, or skipped and why.
  public var checks: [Check] { proof.checks }
  /// The directory with its files, for messages.
  public var path: String { proof.directory.path }

  /// The bytes of a file of the release, read from the directory that was verified and held against the signed contents
  /// again.
  ///
  /// - Parameter path: the path, as the contents have it.
  /// - Throws: `directory.extra-entry` when the contents have no file of that path, `digest.mismatch` when it is
  ///   another file by now; what opening and reading a ``RegularFile`` throw.
  public func bytes(of path: String) throws(SignetError) -> [UInt8] { try proof.contents(of: path) }

  /// A file of the release, open as it is now, and what is signed of it: whoever uses it compares what it copies.
  ///
  /// - Throws: `directory.extra-entry` when the contents have no file of that path; what opening a ``RegularFile`` throws.
  package func file(_ path: String) throws(SignetError) -> (file: RegularFile, size: Int, sha256: Digest) {
    guard case .file(_, let size, let digest) = contents[path]?.content else {
      throw SignetError(.directoryExtraEntry, path, "is no file that was signed")
    }
    return (try proof.directory.file(path), size, digest)
  }
}
