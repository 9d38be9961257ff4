package import SignetCrypto
internal import Synchronization

/// A private copy of an archive, and the digests of exactly the bytes that were written to it.
///
/// Each byte is read once; what is hashed is the buffer that is written. So nobody who writes to the original meanwhile is
/// heard: either the bytes that arrived are the signed ones, or they are refused.
package struct ArchiveCopy: Sendable {
  /// The copy, which nobody else can open.
  package let file: RegularFile
  /// The digests of its bytes.
  package let digests: FileDigests
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
    let copying = CopyingSource(source, to: try ArchiveSnapshot(in: folder, of: path))
    progress?.expect(source.size)
    digests = try copying.bothDigests(progress: progress)
    file = try copying.snapshot.finish()
    self.folder = folder
  }
}

/// Bytes that are written to a snapshot as they are read, from the first to the last.
private final class CopyingSource: ByteSource, @unchecked Sendable {
  // Sendable: the digests are computed from one reading thread; the position tells if there ever were two.
  let snapshot: ArchiveSnapshot
  private let source: any ByteSource
  private let position = Atomic<Int>(0)

  init(_ source: any ByteSource, to snapshot: ArchiveSnapshot) {
    self.source = source
    self.snapshot = snapshot
  }

  var path: String { source.path }
  var size: Int { source.size }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    let expected = position.wrappingAdd(buffer.count, ordering: .sequentiallyConsistent).oldValue
    guard expected == offset else {
      throw SignetError(.fileReadFailed, path, "was not read from its beginning to its end")
    }
    try unsafe source.read(into: buffer, at: offset)
    try unsafe snapshot.append(UnsafeRawBufferPointer(buffer))
  }
}
