internal import SignetBase
internal import SignetSystem

/// The compression of a whole archive, which is removed before the archive is read.
enum ForeignCompression {
  /// Decompresses an archive that is compressed as a whole.
  ///
  /// - Parameter folder: the folder whose file system holds the decompressed archive.
  /// - Returns: nil if the archive is not compressed.
  /// - Throws: `archive.filter`, `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.size`,
  ///   `extraction.failed`, and what reading throws.
  static func removed(
    from source: any ByteSource, _ limits: ArchiveLimits, snapshotsIn folder: String
  ) throws(SignetError) -> RegularFile? {
    guard try !ForeignFormat.beginsAsTar(source) else { return nil }
    // The ratio does not matter: the new archive is held to its own limits.
    var limits = limits
    limits.ratio = .max
    let start = try source.bytes(in: 0..<min(headerSize, source.size))
    guard let filter = LibarchiveFilter.all.first(where: { start.starts(with: $0.magic) }) else { return nil }
    let snapshot = try Snapshot(in: folder, of: source.path)
    if let compression = try TarCompression(of: source) {
      try unsafe DecompressionFilter.decompress(source, compression, limits) { (piece) throws(SignetError) in
        try unsafe snapshot.append(piece)
      }
    } else {
      try checkWindow(start, filter, source.path)
      let archive = try RawArchive(source, filter)
      var budget = ExpansionBudget(source, limits)
      while true {
        let piece = try unsafe archive.next()
        guard unsafe !piece.isEmpty else {
          try archive.checkAtEnd()
          break
        }
        try budget.spend(piece.count)
        try unsafe snapshot.append(piece)
      }
    }
    return try snapshot.finish()
  }

  /// The number of first bytes that identify the compression, and how much memory it needs.
  private static let headerSize = 13

  /// Checks the window of lzma and lzip, the two other filters that may ask for one of any size.
  private static func checkWindow(_ start: [UInt8], _ filter: LibarchiveFilter, _ path: String) throws(SignetError) {
    guard start.count >= 6 else { return }
    switch filter.magic {
    case LibarchiveFilter.lzma.magic:
      try TarCompression.check(window: start[1..<5].reversed().reduce(0) { $0 << 8 | UInt64($1) }, path)
    case LibarchiveFilter.lzip.magic: try TarCompression.check(window: 1 << UInt64(start[5] & 0x1f), path)
    default: break
    }
  }
}
