package import SignetBase
internal import SignetFiles
package import SignetNames
package import SignetSystem

/// A tar, compressed or not, as an archive that can be read.
package enum TarArchive {
  /// The format of a tar, from its first bytes; nil if they are not a tar's.
  ///
  /// A compressed file counts as a tar. Whether there is a tar in it is known only when it is opened.
  package static func format(of source: any ByteSource) throws(SignetError) -> ArchiveFormat? {
    if let compression = try TarCompression(of: source) { return compression.format }
    guard source.size >= TarField.blockSize else { return nil }
    let magic = try source.bytes(in: TarField.magic)
    // GNU's magic differs after these bytes, and is refused later with a message of its own.
    return magic.starts(with: Array("ustar".utf8)) ? .tar : nil
  }

  /// Whether a block of 512 bytes is the header of a tar of any kind, by its checksum.
  package static func isHeader(_ block: [UInt8]) -> Bool {
    // Most files are seen to be none by the first character of the checksum.
    let first = block[TarField.checksum].first { $0 != 0 && $0 != 0x20 && $0 != 0x09 } ?? 0
    let isNumber = first & 0x80 != 0 || first == UInt8(ascii: "-") || (0x30...0x37).contains(first)
    return isNumber && ZIPPolyglot.isTarHeader(block) && mayBeSize(block[TarField.size])
  }

  /// Whether some program reads a size in its field. Without one, none finds content behind the header: a file that is no
  /// tar can have the checksum of one by chance.
  private static func mayBeSize(_ field: ArraySlice<UInt8>) -> Bool {
    // GNU's forms: binary, or base64 behind a sign.
    if let first = field.first, [0x80, 0xff, UInt8(ascii: "-"), UInt8(ascii: "+")].contains(first) { return true }
    let rest = field.drop { $0 == 0 || $0 == 0x20 || $0 == 0x09 }
      .drop { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    return rest.first.map { $0 == 0 || $0 == 0x20 || $0 == 0x09 } ?? true
  }

  /// Reads the structure of a tar.
  ///
  /// A compressed tar is first decompressed into a private file, which goes away with the archive.
  ///
  /// - Parameter folder: the folder whose file system holds the private file.
  /// - Throws: `archive.…`, `path.…`, `extraction.failed`, and what reading throws.
  package static func open(
    _ source: any ByteSource, snapshotsIn folder: String, _ limits: ArchiveLimits
  ) throws(SignetError) -> OpenedArchive {
    guard let format = try format(of: source) else {
      throw SignetError(
        .archiveFormat, source.path, "is not a tar", expected: "a tar, with gzip, xz, zstd or not compressed")
    }
    guard let compression = try TarCompression(of: source) else {
      return OpenedArchive(source: source, format: format, entries: try TarReader.entries(of: source, limits))
    }
    let file = try decompressed(source, compression, snapshotsIn: folder, limits)
    guard try Self.format(of: file) == .tar else {
      throw SignetError(.archiveFormat, source.path, "is compressed, but holds no tar", expected: "a tar")
    }
    return OpenedArchive(source: file, format: format, entries: try TarReader.entries(of: file, limits))
  }

  /// The bytes of a compressed file, decompressed into a private file, which goes away with the result.
  ///
  /// - Parameter folder: the folder whose file system holds the private file.
  /// - Throws: `archive.…` if the compressed data cannot be read, `extraction.failed`, and what reading throws.
  package static func decompressed(
    _ source: any ByteSource, _ compression: TarCompression, snapshotsIn folder: String, _ limits: ArchiveLimits
  ) throws(SignetError) -> RegularFile {
    let snapshot = try Snapshot(in: folder, of: source.path)
    try unsafe DecompressionFilter.decompress(source, compression: compression, limits: limits) {
      (piece) throws(SignetError) in
      try unsafe snapshot.append(piece)
    }
    return try snapshot.finish()
  }
}
