package import SignetBase
package import SignetSystem

/// Decompresses a file as a whole, in constant memory, through exactly one filter.
///
/// What libarchive 3.6.2 does, by experiment, and what answers it here:
/// - A filter that does not know the data, or is not built in and would run a program, is passed over in silence or with
///   ARCHIVE_WARN: the data come out as they went in. So enabling one must be ARCHIVE_OK, and it must be the filter that
///   is in use.
/// - Filters are stacked while one knows the data: a gzip in a gzip comes out of both. So one filter alone may be in use.
/// - What comes out of several gzip members, xz streams or Zstandard frames is put together: ``XZStructure`` and
///   ``ZstandardStructure`` let one pass. xz streams that are cut off and those with something behind them get the same
///   words; the structure tells them apart.
/// - Its gzip reader takes damaged data for good: ``GzipReader`` is zlib's.
/// - Nothing at all, compressed, has no format to it, not even that of raw data.
package enum DecompressionFilter {
  /// Decompresses.
  ///
  /// - Parameter sink: takes the bytes as they come; the memory holds until it returns.
  /// - Throws: `archive.filter`, `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.ratio`,
  ///   `archive.size`, what the sink throws, and what reading throws.
  package static func decompress(
    _ source: any ByteSource, _ compression: TarCompression, _ limits: ArchiveLimits, _ sink: EntryReader.Sink
  ) throws(SignetError) {
    switch compression {
    case .gzip: return try unsafe GzipReader.decompress(source, limits, sink)
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
