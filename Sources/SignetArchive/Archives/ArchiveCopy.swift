package import SignetBase
package import SignetCrypto
package import SignetSystem
internal import Synchronization

/// A private copy of an archive, and the digests of exactly the bytes that were written to it.
///
/// The copy has each byte from one reading; what is hashed is the buffer that is written. The original's end is looked at
/// before, for a guess that nothing rests on. So nobody who writes to the original meanwhile is
/// heard: either the bytes that arrived are the signed ones, or they are refused.
package struct ArchiveCopy: Sendable {
  /// The copy, which nobody else can open.
  package let file: RegularFile
  /// The digests of its bytes.
  package let digests: FileDigests
  /// The digests of those of its bytes that are signed, where they are not all and one pass gave both.
  package let signed: FileDigests?
  /// The folder whose file system has the bytes.
  package let folder: String

  /// Copies bytes.
  ///
  /// - Parameters:
  ///   - source: the original.
  ///   - folder: where the copy takes up space; nothing shows there.
  ///   - path: what to call the copy in messages: the file it is made of.
  /// - Throws: `extraction.failed`, `file.changed`, `file.read-failed`, `crypto.failure`.
  package init(
    of source: any ByteSource, in folder: String, called path: String, progress: ProgressCounter? = nil
  ) throws(SignetError) {
    let copying = CopyingSource(source, to: try Snapshot(in: folder, of: path))
    progress?.expect(source.size)
    // Where the original has its signing block is a guess at where the copy will have it.
    let guess = (try? ArchiveFile(source, limits: ArchiveLimits()))?.splice?.head
    let computed = try copying.bothDigests(sharing: guess ?? 0, progress: progress)
    digests = computed.whole
    file = try copying.snapshot.finish()
    self.folder = folder
    if let splice = (try? ArchiveFile(file, limits: ArchiveLimits()))?.splice, splice.head == guess {
      signed = try computed.digests(followedBy: splice.tail)
    } else {
      signed = nil
    }
  }
}

/// Bytes that are written to a snapshot as they are read, from the first to the last.
private final class CopyingSource: ByteSource, @unchecked Sendable {
  // Sendable: the digests are computed from one reading thread; the position tells if there ever were two.
  let snapshot: Snapshot
  private let source: any ByteSource
  private let position = Atomic<Int>(0)

  init(_ source: any ByteSource, to snapshot: Snapshot) {
    self.source = source
    self.snapshot = snapshot
  }

  var path: String { source.path }
  var size: Int { source.size }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    let expected = position.wrappingAdd(buffer.count, ordering: .sequentiallyConsistent).oldValue
    guard expected == offset else {
      throw SignetError(.fileReadFailed, path, "was not read completely")
    }
    try unsafe source.read(into: buffer, at: offset)
    try unsafe snapshot.append(UnsafeRawBufferPointer(buffer))
  }
}
