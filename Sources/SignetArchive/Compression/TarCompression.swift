package import SignetBase
package import SignetSystem

/// How a tar is compressed as a whole.
package enum TarCompression: Sendable, Hashable, CaseIterable {
  /// gzip (RFC 1952).
  case gzip
  /// xz (The .xz File Format, 1.2.1).
  case xz
  /// Zstandard (RFC 8878).
  case zstandard

  /// What its files begin with.
  var magic: [UInt8] {
    switch self {
    case .gzip: [0x1f, 0x8b]
    case .xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]
    case .zstandard: [0x28, 0xb5, 0x2f, 0xfd]
    }
  }

  /// The format of an archive that is compressed so.
  package var format: ArchiveFormat {
    switch self {
    case .gzip: .tarGzip
    case .xz: .tarXZ
    case .zstandard: .tarZstandard
    }
  }

  /// The compression of archives of a format; nil where there is none.
  package init?(of format: ArchiveFormat) {
    guard let named = Self.allCases.first(where: { $0.format == format }) else { return nil }
    self = named
  }

  /// What the first bytes of a file name; nil where they name none of these.
  package init?(of source: any ByteSource) throws(SignetError) {
    let start = try source.bytes(in: 0..<min(6, source.size))
    guard let named = Self.allCases.first(where: { start.starts(with: $0.magic) }) else { return nil }
    self = named
  }

  /// A decompressor may keep so many bytes of what it has made, beside its tables: the dictionary of `xz -9`, eight times
  /// the window of `zstd -19`. What needs more was compressed for another kind of machine than those that load modules.
  static let windowLimit = 64 << 20

  /// Makes sure that a decompressor does not need more memory than that.
  static func check(window: UInt64, _ path: String) throws(SignetError) {
    guard window <= UInt64(windowLimit) else {
      throw SignetError(
        .archiveFilter, path, "needs too much memory to be decompressed", expected: "a window of at most 64 MiB",
        found: "\(window) bytes", hint: "compress it with a lower level")
    }
  }
}
