package import SignetBase
package import SignetCrypto
package import SignetSystem

/// The digests of an archive, from one pass over its bytes: of the whole file, and of the part that is signed.
///
/// Before the pass, the archive's end is read to guess the place of its signing block. Nothing relies on that guess.
package struct ArchiveDigests: Sendable {
  /// The digests of all bytes.
  package let whole: FileDigests
  /// The digests of the signed bytes; nil if all bytes are signed, or if one pass did not give both digests.
  package let signed: FileDigests?

  /// Hashes an archive.
  ///
  /// The caller makes sure that the archive has not changed when it uses them.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`.
  package init(of archive: any ByteSource, progress: ProgressCounter? = nil) throws(SignetError) {
    try self.init(of: archive, readThrough: archive, progress: progress) { () throws(SignetError) in archive }
  }

  /// Hashes an archive while something else is done with its bytes.
  ///
  /// - Parameters:
  ///   - reader: what the bytes are read through, from the first to the last.
  ///   - read: gives the bytes that were read, where their signing block is looked for.
  init(
    of archive: any ByteSource, readThrough reader: any ByteSource, progress: ProgressCounter?,
    _ read: () throws(SignetError) -> any ByteSource
  ) throws(SignetError) {
    let guess = (try? ArchiveFile(archive, limits: ArchiveLimits()))?.splice?.head
    let computed = try reader.bothDigests(sharing: guess ?? 0, progress: progress)
    whole = computed.whole
    if let splice = (try? ArchiveFile(try read(), limits: ArchiveLimits()))?.splice, splice.head == guess {
      signed = try computed.digests(followedBy: splice.tail)
    } else {
      signed = nil
    }
  }
}
