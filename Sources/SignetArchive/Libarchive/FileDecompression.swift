internal import CLibArchive
package import SignetBase
package import SignetSystem

/// Decompresses a file with any compression, also one in several pieces, to search what is in it.
///
/// ``DecompressionFilter`` is for modules, which must be compressed in one way. Here whatever other programs decompress
/// is decompressed, too, in constant memory. gzip goes through zlib, because libarchive checks neither checksum nor size.
package enum FileDecompression {
  /// Decompresses a file.
  ///
  /// - Parameter sink: takes the bytes as they come. The memory is valid until the sink returns.
  /// - Returns: why a module could not be compressed in this way; nil if it could.
  /// - Throws: `archive.filter`, `archive.data`, `archive.truncated`, `archive.trailing-data`, what the sink throws, and
  ///   what reading throws.
  package static func decompress(
    _ source: any ByteSource, _ compression: FileCompression, _ sink: EntryReader.Sink
  ) throws(SignetError) -> SignetError? {
    // The sink counts the bytes.
    var limits = ArchiveLimits()
    limits.ratio = .max
    limits.totalSize = .max
    var form: SignetError?
    switch compression {
    case .gzip:
      let members = try unsafe GzipReader.decompress(source, limits, joinsMembers: true, sink)
      return members == 1 ? nil : severalPieces(source, "\(members) members")
    case .xz: form = try XZStructure.checkAll(source) ? nil : severalPieces(source, "several streams")
    case .zstandard:
      do throws(SignetError) {
        try ZstandardStructure.check(source)
      } catch {
        // libarchive takes no larger window than 128 MiB, and checks the frames itself.
        guard error.code != .archiveFilter, Set.aboutArchives.contains(error.code) else { throw error }
        form = error
      }
    case .bzip2, .lz4, .lzma, .lzip, .compress:
      form = SignetError(
        .archiveFilter, source.path, "has a compression that modules cannot have", expected: "gzip, xz or Zstandard",
        found: compression.rawValue)
    }
    let start = try source.bytes(in: 0..<min(source.size, FileCompression.magicSize))
    try checkWindow(start, compression, source.path)
    let data = try firstFrame(in: source, compression)
    let archive = try RawArchive(data, LibarchiveFilter(compression))
    while true {
      let piece = try unsafe archive.next()
      guard unsafe !piece.isEmpty else {
        try archive.checkAtEnd()
        return form
      }
      try unsafe sink(piece)
    }
  }

  private static func severalPieces(_ source: any ByteSource, _ found: String) -> SignetError {
    SignetError(
      .archiveTrailingData, source.path, "is compressed in several pieces", expected: "one", found: found,
      hint: "compress it as one piece")
  }

  /// Checks the window of lzma and lzip, which may ask for one of any size.
  private static func checkWindow(
    _ start: [UInt8], _ compression: FileCompression, _ path: String
  ) throws(SignetError) {
    guard start.count >= 6 else { return }
    switch compression {
    case .lzma: try TarCompression.check(window: start[1..<5].reversed().reduce(0) { $0 << 8 | UInt64($1) }, path)
    case .lzip: try TarCompression.check(window: 1 << UInt64(start[5] & 0x1f), path)
    default: break
    }
  }

  /// The file without the skippable frames at its beginning, by which libarchive does not know Zstandard.
  private static func firstFrame(
    in source: any ByteSource, _ compression: FileCompression
  ) throws(SignetError) -> any ByteSource {
    guard compression == .zstandard else { return source }
    var offset = 0
    while source.size - offset >= 8 {
      let start = try source.bytes(in: offset..<offset + 8)
      guard FileCompression.isSkippable(start) else { break }
      offset += 8 + start[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard offset > 0 else { return source }
    guard offset < source.size else {
      throw SignetError(.archiveData, source.path, "has only frames that are skipped")
    }
    return FilePart(source, offset..<source.size, path: source.path)
  }
}

extension LibarchiveFilter {
  /// The filter for a compression.
  init(_ compression: FileCompression) {
    switch compression {
    case .gzip: self.init(TarCompression.gzip)
    case .xz: self.init(TarCompression.xz)
    case .zstandard: self.init(TarCompression.zstandard)
    case .bzip2: self = .bzip2
    case .lz4: self = .lz4
    case .lzma: self = .lzma
    case .lzip: self = .lzip
    case .compress: self = .compress
    }
  }
}
