internal import SignetArchive
package import SignetBase
package import SignetCrypto
package import SignetSystem

/// The digests of what is signed of a file: of an archive with a signing block those without it, which stay the same
/// whatever signatures are put in or taken out.
package struct SignedDigests: Sendable {
  /// Of what is signed: the file's bytes, or the archive without its signing block.
  package let signed: FileDigests
  /// Of the file as it is, where it has a signing block; nil elsewhere.
  package let file: FileDigests?

  /// Reads a file.
  ///
  /// - Throws: `signature.malformed` for a ZIP with a damaged signing block: what was signed cannot be told then;
  ///   `file.changed`, `file.read-failed`, `crypto.failure`.
  package init(of file: RegularFile, progress: ProgressCounter? = nil) throws(SignetError) {
    var archive: ArchiveFile?
    do throws(SignetError) {
      archive = try ArchiveFile(file, limits: ArchiveLimits())
    } catch {
      // What is no strict ZIP has no signing block, and is signed as it is.
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
  /// The target that revokes what an artifact holds, whatever is signed about it: the SHA-256 of its bytes, of an archive
  /// without its signing block; of a directory that of its listing.
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
