package import SignetBase
package import SignetSystem

/// A file of a directory, as content of a new archive.
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

/// Bytes in memory, as content of a new archive.
package struct PackedBytes: PackedContent {
  /// The maximum number of bytes that are read into memory for inspection. The largest shared libraries, those of
  /// compilers, have half of it.
  static let sourceLimit = 256 << 20

  /// The bytes.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads all bytes of small content.
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

/// A file of an archive, as content of a new archive.
package struct RepackedFile: PackedContent {
  private let reader: Monitor<EntryReader>
  private let entry: ArchiveEntry
  package let size: Int

  /// - Parameter reader: a reader of the archive that the entry is in. Entries share it, and one is read at a time.
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
