package import SignetBase
internal import SignetFiles
internal import SignetNames
package import SignetSystem

extension OpenedArchive {
  /// The bytes of a file as a source: where they are in the archive, or in a private copy if they are compressed.
  ///
  /// - Parameters:
  ///   - entry: an entry of this archive. One that is not a file has no bytes.
  ///   - folder: the folder whose file system holds the copy; no file appears in it.
  /// - Throws: `archive.checksum` and `archive.data` for compressed bytes, `extraction.failed`, and what reading
  ///   throws.
  package func content(
    of entry: ArchiveEntry, snapshotsIn folder: String = TemporaryName.usualFolder
  ) throws(SignetError) -> any ByteSource {
    guard case .file(let size) = entry.content else { return BytesInMemory([], path: entry.path) }
    switch entry.data.coding {
    case .plain, .stored: return storedContent(of: entry)
    case .deflated:
      let copy = try Snapshot(in: folder, of: entry.path)
      try unsafe EntryReader(source).read(entry.data, size: size, path: entry.path) { (piece) throws(SignetError) in
        try unsafe copy.append(piece)
      }
      return try copy.finish()
    }
  }

  /// The bytes of an entry as the archive stores them, compressed or not.
  package func storedContent(of entry: ArchiveEntry) -> any ByteSource {
    FilePart(source, entry.data.offset..<entry.data.offset + entry.data.storedSize, path: entry.path)
  }
}
