package import SignetNames

/// An entry of an archive: what the archive's structure says of it, before any of its bytes are read.
package struct ArchiveEntry: Hashable, Sendable {
  /// The path from the archive's root, with slashes between the names and none at the end.
  package let path: String
  /// The kind of entry, with a file's size or a link's target.
  package let content: EntryContent
  /// The permissions in the archive; extraction uses ``FileMode/installed(isDirectory:)``.
  package let mode: FileMode
  /// Where its bytes are.
  package let data: DataLocation

  /// Where an entry's bytes are in the archive.
  package struct DataLocation: Hashable, Sendable {
    /// The offset of the first byte.
    package let offset: Int
    /// The number of bytes in the archive.
    package let storedSize: Int
    /// How the archive stores the bytes.
    package let coding: Coding

    package init(offset: Int, storedSize: Int, coding: Coding) {
      self.offset = offset
      self.storedSize = storedSize
      self.coding = coding
    }
  }

  /// How an archive stores bytes.
  package enum Coding: Hashable, Sendable {
    /// Unchanged, in a tar, which has no checksum of them.
    case plain
    /// Unchanged, in a ZIP.
    case stored(crc: UInt32)
    /// Deflated (RFC 1951).
    case deflated(crc: UInt32)
  }

  package init(path: String, content: EntryContent, mode: FileMode, data: DataLocation) {
    self.path = path
    self.content = content
    self.mode = mode
    self.data = data
  }
}
