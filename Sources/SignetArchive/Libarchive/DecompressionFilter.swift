package import SignetBase
package import SignetSystem

/// Decompresses a file as a whole, in constant memory, through exactly one filter.
///
/// How libarchive 3.6.2 behaves, by experiment, and how this code responds:
/// - A filter that does not recognize the data, or is not built in and would run a program, is skipped silently or with
///   ARCHIVE_WARN: the data come out unchanged. So enabling a filter must return ARCHIVE_OK, and it must be the filter
///   in use.
/// - Filters are stacked as long as one recognizes the data: a gzip in a gzip is decompressed twice. So only one filter
///   may be in use.
/// - The outputs of several gzip members, xz streams or Zstandard frames are joined. ``XZStructure`` and
///   ``ZstandardStructure`` accept only one. For an xz stream that is truncated, and for one with bytes after it,
///   libarchive gives the same message; the structure tells them apart.
/// - The gzip reader accepts damaged data. ``GzipReader`` uses zlib instead.
/// - Compressed data of no bytes have no format for libarchive, not even the raw one.
package enum DecompressionFilter {
  /// Decompresses a file.
  ///
  /// - Parameter sink: takes the bytes as they come. The memory is valid until the sink returns.
  /// - Throws: `archive.filter`, `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.ratio`,
  ///   `archive.size`, what the sink throws, and what reading throws.
  package static func decompress(
    _ source: any ByteSource, _ compression: TarCompression, _ limits: ArchiveLimits, _ sink: EntryReader.Sink
  ) throws(SignetError) {
    switch compression {
    case .gzip:
      try unsafe GzipReader.decompress(source, limits, sink)
      return
    case .xz: try XZStructure.check(source)
    case .zstandard: try ZstandardStructure.check(source)
    }
    let archive = try RawArchive(source, LibarchiveFilter(compression))
    var budget = ExpansionBudget(source, limits)
    while true {
      let piece = try unsafe archive.next()
      guard unsafe !piece.isEmpty else { return try archive.checkAtEnd() }
      try budget.spend(piece.count)
      try unsafe sink(piece)
    }
  }
}
