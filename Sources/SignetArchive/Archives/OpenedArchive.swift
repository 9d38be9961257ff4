package import SignetBase
package import SignetSystem

/// An archive whose structure has been read and found sound: what it holds, and where. Nothing of its entries' bytes has
/// been looked at, but for the targets of links.
package struct OpenedArchive: Sendable {
  /// The bytes that the entries' places are in: of a ZIP the archive itself without its signing block, of a tar the
  /// decompressed bytes.
  package let source: any ByteSource
  /// What kind of archive it is.
  package let format: ArchiveFormat
  /// What it holds, in the order of the archive.
  package let entries: [ArchiveEntry]

  package init(source: any ByteSource, format: ArchiveFormat, entries: [ArchiveEntry]) {
    self.source = source
    self.format = format
    self.entries = entries
  }

  /// The bytes of a small file, whole.
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

/// The kinds of archive that can be a module.
public struct ArchiveFormat: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The stable text, which statements have.
  public let rawValue: String

  /// A format by its text.
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

  /// A format that is known, by its text.
  package init?(known text: String) {
    guard let format = Self.all.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
    self = format
  }

  /// The stable text.
  public var description: String { rawValue }
}
