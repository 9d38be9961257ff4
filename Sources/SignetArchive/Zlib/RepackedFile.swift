package import SignetBase
internal import SignetCrypto
package import SignetSystem

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
