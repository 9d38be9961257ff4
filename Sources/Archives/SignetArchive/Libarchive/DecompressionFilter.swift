package import SignetBase
package import SignetNames
package import SignetSystem

/// Decompresses a file as a whole, in constant memory, through exactly one filter.
///
/// How libarchive 3.6.2 behaves, by experiment, and how this code responds:
/// - A filter that does not recognize the data, or is not built in and would run a program, is skipped silently or with
///   ARCHIVE_WARN: the data come out unchanged. So enabling a filter must return ARCHIVE_OK, and it must be the filter
///   in use.
/// - Filters are stacked as long as one recognizes the data: a gzip in a gzip is decompressed twice. So the one filter is
///   set, and none is looked for.
/// - The outputs of several gzip members, xz streams or Zstandard frames are joined. ``XZStructure`` and
///   ``ZstandardStructure`` accept only one. For an xz stream that is truncated, and for one with bytes after it,
///   libarchive gives the same message; the structure tells them apart.
/// - The gzip reader accepts damaged data. ``GzipStream`` uses zlib instead.
package enum DecompressionFilter {
  /// Decompresses a file.
  ///
  /// - Parameter sink: takes the bytes as they come. The memory is valid until the sink returns.
  /// - Throws: `archive.filter`, `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.ratio`,
  ///   `archive.size`, what the sink throws, and what reading throws.
  package static func decompress(
    _ source: any ByteSource, compression: TarCompression, limits: ArchiveLimits, to sink: EntryReader.Sink
  ) throws(SignetError) {
    var archive: RawArchive?
    switch compression {
    case .gzip: break
    case .xz:
      try XZStructure.check(source)
      archive = try LibarchiveFilter(.xz).map { (filter) throws(SignetError) in try RawArchive(source, filter) }
    case .zstandard:
      try ZstandardStructure.check(source)
      archive = try LibarchiveFilter(.zstandard).map { (filter) throws(SignetError) in try RawArchive(source, filter)
      }
    }
    let stream: any DecompressedStream =
      if let archive { archive } else { try GzipStream(source, joinsMembers: false) }
    var budget = ExpansionBudget(source, limits)
    while case let piece = try unsafe stream.next(), unsafe !piece.isEmpty {
      try budget.spend(piece.count)
      try unsafe sink(piece)
    }
    try archive?.checkAtEnd()
  }
}
