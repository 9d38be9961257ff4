package import SignetBase
package import SignetNames
package import SignetSystem

/// An archive whose structure has been read and found sound: its entries, and where their bytes are. No bytes of the
/// entries have been read, except the targets of links.
package struct OpenedArchive: Sendable {
  /// The bytes that the entries' offsets refer to: for a ZIP, the archive without its signing block; for a tar, the
  /// decompressed bytes.
  package let source: any ByteSource
  /// The archive's format.
  package let format: ArchiveFormat
  /// The entries, in the order of the archive.
  package let entries: [ArchiveEntry]

  package init(source: any ByteSource, format: ArchiveFormat, entries: [ArchiveEntry]) {
    self.source = source
    self.format = format
    self.entries = entries
  }

  /// All bytes of a small file.
  ///
  /// - Throws: `archive.size`, and what reading throws.
  package func bytes(of entry: ArchiveEntry, limit: Int) throws(SignetError) -> [UInt8] {
    guard case .file(let size) = entry.content, size <= limit else {
      throw SignetError(
        .archiveSize, entry.path, "is too large", expected: "at most \(limit) bytes")
    }
    return try EntryReader(source).bytes(entry.data, size: size, path: entry.path)
  }
}
