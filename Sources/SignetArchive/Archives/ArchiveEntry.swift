/// Something in an archive: what the archive's structure says of it, before any of its bytes is looked at.
package struct ArchiveEntry: Hashable, Sendable {
  /// The path from the archive's root, with slashes between the names and none at the end.
  package let path: String
  /// What it is.
  package let content: Content
  /// Its permissions as the archive has them; extraction goes by ``FileMode/installed(isDirectory:)``.
  package let mode: FileMode
  /// Where its bytes are.
  package let data: DataLocation

  /// What an entry is.
  package enum Content: Hashable, Sendable {
    /// A regular file of so many bytes.
    case file(size: Int)
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink(target: String)
  }

  /// Where an entry's bytes are in the archive.
  package struct DataLocation: Hashable, Sendable {
    /// The offset of the first byte.
    package let offset: Int
    /// How many bytes there are in the archive.
    package let storedSize: Int
    /// How they are kept.
    package let coding: Coding

    package init(offset: Int, storedSize: Int, coding: Coding) {
      self.offset = offset
      self.storedSize = storedSize
      self.coding = coding
    }
  }

  /// How bytes are kept in an archive.
  package enum Coding: Hashable, Sendable {
    /// As they are, in a tar, which has no checksum over them.
    case plain
    /// As they are, in a ZIP.
    case stored(crc: UInt32)
    /// Deflated (RFC 1951).
    case deflated(crc: UInt32)
  }

  package init(path: String, content: Content, mode: FileMode, data: DataLocation) {
    self.path = path
    self.content = content
    self.mode = mode
    self.data = data
  }
}

extension FileMode {
  /// The permissions an entry gets when it is unpacked: nobody but the owner may write, and everybody may read, whatever
  /// the archive says.
  package func installed(isDirectory: Bool) -> UInt32 { isDirectory || bits & 0o111 != 0 ? 0o755 : 0o644 }

  /// The permissions a file has once it is unpacked.
  package var unpacked: FileMode { FileMode(permissions: installed(isDirectory: false)) }

  /// The permissions every directory has that is unpacked.
  package static let unpackedDirectory = FileMode(permissions: 0o755)
}
