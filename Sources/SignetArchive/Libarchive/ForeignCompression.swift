internal import SignetBase
internal import SignetSystem

/// What compresses an archive as a whole, and is taken off before the archive is read.
enum ForeignCompression {
  /// What comes out of an archive that is compressed as a whole.
  ///
  /// - Parameter folder: where it takes up space.
  /// - Returns: nil where the archive is not compressed.
  /// - Throws: `archive.filter`, `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.size`,
  ///   `extraction.failed`, and what reading throws.
  static func removed(
    from source: any ByteSource, _ limits: ArchiveLimits, snapshotsIn folder: String
  ) throws(SignetError) -> RegularFile? {
    guard try !ForeignFormat.beginsAsTar(source) else { return nil }
    // How much it expands is no matter: the new archive is held to its own limits.
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

  /// As many bytes as tell how it is compressed, and what memory that takes.
  private static let headerSize = 13

  /// Of the others, two may ask for a window of any size.
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
