internal import SignetBase

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
