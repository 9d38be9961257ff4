package import SignetBase
package import SignetSystem

/// A file of a directory that goes into an archive.
package struct PackedFile: PackedContent {
  private let directory: Directory
  private let entry: DirectoryScan.Entry

  package init(_ entry: DirectoryScan.Entry, of directory: Directory) {
    self.directory = directory
    self.entry = entry
  }

  package var size: Int { entry.status.size }

  package func read(_ sink: EntryReader.Sink) throws(SignetError) { try unsafe directory.read(entry, sink) }

  package func source(_ path: String) throws(SignetError) -> any ByteSource { try directory.file(entry) }
}

/// Bytes in memory that go into an archive.
package struct PackedBytes: PackedContent {
  /// What is read into memory to be looked into: the largest shared libraries, those of compilers, have half of it.
  static let sourceLimit = 256 << 20

  /// The bytes.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes of something small, whole.
  ///
  /// - Throws: what reading throws.
  package init(reading content: any PackedContent) throws(SignetError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.size)
    try unsafe content.read { (piece) throws(SignetError) in
      guard piece.count <= content.size - bytes.count else {
        throw SignetError(.fileChanged, "file", "grew while it was read")
      }
      unsafe bytes += piece
    }
    self.bytes = bytes
  }

  package var size: Int { bytes.count }

  package func read(_ sink: EntryReader.Sink) throws(SignetError) {
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SignetError) { try unsafe sink(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

/// A file of an archive that goes into another.
package struct RepackedFile: PackedContent {
  private let reader: Monitor<EntryReader>
  private let entry: ArchiveEntry
  package let size: Int

  /// - Parameter reader: one of the archive that the entry is in; entries share it, and one is read at a time.
  package init(_ entry: ArchiveEntry, size: Int, _ reader: Monitor<EntryReader>) {
    self.entry = entry
    self.size = size
    self.reader = reader
  }

  package func read(_ sink: EntryReader.Sink) throws(SignetError) {
    try reader.withLock { (reader) throws(SignetError) in
      try unsafe reader.read(entry.data, size: size, path: entry.path, sink)
    }
  }
}
