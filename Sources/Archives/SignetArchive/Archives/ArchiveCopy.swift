package import SignetBase
internal import SignetCrypto
internal import SignetFiles
package import SignetSystem
internal import Synchronization

/// A private copy of an archive, and the digests of exactly the bytes that were written to it.
///
/// The original is read once: the buffer that is hashed is the buffer that is written. Before that, the original's end
/// is read to guess the place of its signing block; nothing relies on that guess. So a process that writes to the
/// original meanwhile gains nothing: the bytes that arrived are either the signed ones or refused.
package struct ArchiveCopy: Sendable {
  /// The copy, which nobody else can open.
  package let file: RegularFile
  /// The digests of its bytes.
  package let digests: ArchiveDigests
  /// The folder whose file system holds the bytes.
  package let folder: String

  /// Copies an archive's bytes and computes their digests.
  ///
  /// - Parameters:
  ///   - source: the original.
  ///   - folder: the folder whose file system holds the copy; no file appears in it.
  ///   - path: the name of the copy in messages: that of the original.
  /// - Throws: `extraction.failed`, `file.changed`, `file.read-failed`, `crypto.failure`.
  package init(
    of source: any ByteSource, in folder: String, called path: String, progress: ProgressCounter? = nil
  ) throws(SignetError) {
    let copying = CopyingSource(source, to: try Snapshot(in: folder, of: path))
    progress?.expect(source.size)
    var copy: RegularFile?
    digests = try ArchiveDigests(of: source, readThrough: copying, progress: progress) { () throws(SignetError) in
      let finished = try copying.snapshot.finish()
      copy = finished
      return finished
    }
    if let copy { file = copy } else { file = try copying.snapshot.finish() }
    self.folder = folder
  }
}

/// A source that writes its bytes to a snapshot as they are read, from the first to the last.
private final class CopyingSource: ByteSource, @unchecked Sendable {
  // Sendable: one thread reads the bytes for the digests. If there ever were two, the position would show it.
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
