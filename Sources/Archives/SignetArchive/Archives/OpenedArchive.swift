package import SignetBase
internal import SignetNames
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

/// The archive formats that a module can have.
public struct ArchiveFormat: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The stable name, which statements contain.
  public let rawValue: String

  /// Creates a format from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A strict ZIP.
  public static let zip = ArchiveFormat(rawValue: "zip")
  /// A tar that is not compressed.
  public static let tar = ArchiveFormat(rawValue: "tar")
  /// A tar compressed with gzip (RFC 1952).
  public static let tarGzip = ArchiveFormat(rawValue: "tar.gz")
  /// A tar compressed with xz.
  public static let tarXZ = ArchiveFormat(rawValue: "tar.xz")
  /// A tar compressed with Zstandard (RFC 8878).
  public static let tarZstandard = ArchiveFormat(rawValue: "tar.zst")

  private static let all: [ArchiveFormat] = [.zip, .tar, .tarGzip, .tarXZ, .tarZstandard]

  /// The known format with this name, or nil.
  package init?(known text: String) {
    guard let format = Self.all.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
    self = format
  }

  /// The stable name.
  public var description: String { rawValue }
}
