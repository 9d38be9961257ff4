internal import SignetArchive
package import SignetBase
package import SignetCrypto
package import SignetSystem
package import SignetVerify

/// The digests of what is signed in a file.
///
/// For an archive with a signing block, the block is left out. The digests then stay the same whatever signatures are
/// added or removed.
package struct SignedDigests: Sendable {
  /// The digests of what is signed: the file's bytes, or the archive without its signing block.
  package let signed: FileDigests
  /// The digests of the whole file, if it has a signing block; otherwise nil.
  package let file: FileDigests?

  /// Reads a file.
  ///
  /// - Throws: `signature.malformed` for a ZIP with a damaged signing block, since what was signed is unknown then;
  ///   `file.changed`, `file.read-failed`, `crypto.failure`.
  package init(of file: RegularFile, progress: ProgressCounter? = nil) throws(SignetError) {
    var archive: ArchiveFile?
    do throws(SignetError) {
      archive = try ArchiveFile(file, limits: ArchiveLimits())
    } catch {
      // A file that is not a strict ZIP has no signing block, and is signed as it is.
      if error.isAboutReading || error.code == .signatureMalformed { throw error.about(file.path) }
    }
    guard let archive, archive.block != nil else {
      signed = try file.digests(progress: progress)
      self.file = nil
      return
    }
    signed = try archive.signed.bothDigests(progress: progress)
    self.file = try file.digests(progress: progress)
  }
}

extension Revocation.Target {
  /// The target that revokes what an artifact holds, whatever is signed about it.
  ///
  /// It is the SHA-256 of the artifact's bytes, of an archive without its signing block, or of a directory's listing.
  ///
  /// - Throws: `signature.malformed` for a damaged signing block, and what reading throws.
  package static func content(
    of artifact: Artifact, progress: ProgressCounter? = nil
  ) throws(SignetError) -> Revocation.Target {
    if let directory = artifact.directory {
      return .sha256(try DirectoryListing(of: directory, progress: progress).digest)
    }
    guard let file = artifact.file else { return .sha256(try artifact.sha256(progress: progress)) }
    return .sha256(try SignedDigests(of: file, progress: progress).signed.sha256)
  }
}
