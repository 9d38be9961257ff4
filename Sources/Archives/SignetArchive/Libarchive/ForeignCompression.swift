internal import SignetBase
internal import SignetFiles
internal import SignetNames
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
    let start = try source.bytes(in: 0..<min(FileCompression.magicSize, source.size))
    let ofModule = try TarCompression(of: source)
    guard let compression = ofModule.map(\.fileCompression) ?? FileCompression(start) else { return nil }
    let snapshot = try Snapshot(in: folder, of: source.path)
    if let ofModule {
      try unsafe DecompressionFilter.decompress(source, compression: ofModule, limits: limits) {
        (piece) throws(SignetError) in
        try unsafe snapshot.append(piece)
      }
    } else {
      var budget = ExpansionBudget(source, limits)
      let found = try unsafe FileDecompression.decompress(source, compression) { (piece) throws(SignetError) in
        try budget.spend(piece.count)
        try unsafe snapshot.append(piece)
      }
      if let fault = found.unread ?? found.danger { throw fault }
    }
    return try snapshot.finish()
  }
}
