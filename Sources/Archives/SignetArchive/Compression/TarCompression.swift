package import SignetBase
package import SignetNames
package import SignetSystem

/// The compression of a whole tar.
package enum TarCompression: Sendable, Hashable, CaseIterable {
  /// gzip (RFC 1952).
  case gzip
  /// xz (The .xz File Format, 1.2.1).
  case xz
  /// Zstandard (RFC 8878).
  case zstandard

  /// The first bytes of every file with this compression.
  var magic: [UInt8] {
    switch self {
    case .gzip: [0x1f, 0x8b]
    case .xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]
    case .zstandard: [0x28, 0xb5, 0x2f, 0xfd]
    }
  }

  /// The format of a tar with this compression.
  package var format: ArchiveFormat {
    switch self {
    case .gzip: .tarGzip
    case .xz: .tarXZ
    case .zstandard: .tarZstandard
    }
  }

  /// The same among the compressions that any file may have.
  var fileCompression: FileCompression {
    switch self {
    case .gzip: .gzip
    case .xz: .xz
    case .zstandard: .zstandard
    }
  }

  /// The compression of an archive format; nil if it has none.
  package init?(of format: ArchiveFormat) {
    guard let named = Self.allCases.first(where: { $0.format == format }) else { return nil }
    self = named
  }

  /// The compression that a file's first bytes indicate; nil if they indicate none of these.
  package init?(of source: any ByteSource) throws(SignetError) {
    let start = try source.bytes(in: 0..<min(6, source.size))
    guard let named = Self.allCases.first(where: { start.starts(with: $0.magic) }) else { return nil }
    self = named
  }

  /// The number of bytes of its own output that a decompressor may keep, in addition to its tables. This is the
  /// dictionary of `xz -9`, and eight times the window of `zstd -19`. Data that need more were compressed for other
  /// machines than those that load modules.
  static let windowLimit = 64 << 20

  /// Checks that a decompressor needs no larger window than that.
  static func check(window: UInt64, _ path: String) throws(SignetError) {
    guard window <= UInt64(windowLimit) else {
      throw SignetError(
        .archiveFilter, path, "needs too much memory to be decompressed", expected: "a window of at most 64 MiB",
        found: "\(window) bytes", hint: "compress it with a lower level")
    }
  }
}
