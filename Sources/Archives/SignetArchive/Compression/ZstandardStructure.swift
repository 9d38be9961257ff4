internal import SignetBase
internal import SignetSystem

/// The structure of a file compressed with Zstandard (RFC 8878, section 3.1.1): here exactly one frame and nothing
/// else.
///
/// libarchive 3.6.2 decompresses several frames as if they were one, and skips skippable frames silently. So two files
/// could have the same meaning, and a file would have room for anything. The frame's blocks are therefore counted
/// first, which needs only their sizes.
enum ZstandardStructure {
  /// Checks the structure.
  ///
  /// - Throws: `archive.filter` if the file needs a dictionary or too much memory, `archive.data`, `archive.truncated`,
  ///   `archive.trailing-data`, and what reading throws.
  static func check(_ source: any ByteSource) throws(SignetError) {
    var cursor = SourceCursor(source)
    try passFrame(&cursor)
    try cursor.expectEnd()
  }

  /// Looks how far the frames of a file go, with those that are skipped.
  ///
  /// - Throws: what reading throws.
  static func survey(_ source: any ByteSource) throws(SignetError) -> CompressedPieces {
    var cursor = SourceCursor(source)
    var pieces = CompressedPieces()
    do throws(SignetError) {
      while cursor.remaining > 0 {
        let start = try source.bytes(in: cursor.position..<cursor.position + min(8, cursor.remaining))
        if FileCompression.isSkippable(start) {
          try cursor.skip(8)
          let content = cursor.position
          try cursor.skip(start[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) })
          pieces.skip(content..<cursor.position)
        } else {
          guard pieces.end == 0 || start.starts(with: TarCompression.zstandard.magic) else {
            pieces.isPadding = try source.firstNonzero(from: cursor.position) == nil
            throw SourceCursor.trailing(source.path, cursor.remaining)
          }
          try passFrame(&cursor)
          pieces.count += 1
        }
        pieces.end = cursor.position
      }
    } catch {
      guard Set.aboutArchives.contains(error.code) else { throw error }
      pieces.fault = error
      pieces.reached = error.code == .archiveTruncated ? source.size : cursor.position
    }
    return pieces
  }

  private static func passFrame(_ cursor: inout SourceCursor) throws(SignetError) {
    guard try cursor.littleEndian(4) == 0xfd2f_b528 else { throw damaged(cursor, "does not begin like a frame") }
    let hasChecksum = try checkHeader(&cursor)
    while true {
      let header = Int(try cursor.littleEndian(3))
      let size = header >> 3
      switch header >> 1 & 3 {
      case 0, 2: try cursor.skip(size)
      // One byte, which is repeated.
      case 1: try cursor.skip(1)
      default: throw damaged(cursor, "has a block of an unknown kind")
      }
      if header & 1 != 0 { break }
    }
    if hasChecksum { try cursor.skip(4) }
  }

  /// - Returns: whether the frame ends with a checksum.
  private static func checkHeader(_ cursor: inout SourceCursor) throws(SignetError) -> Bool {
    let descriptor = Int(try cursor.byte())
    guard descriptor & 0x08 == 0 else { throw damaged(cursor, "has a reserved bit set") }
    let isSingleSegment = descriptor & 0x20 != 0
    var window: UInt64 = 0
    if !isSingleSegment {
      let byte = UInt64(try cursor.byte())
      let base = UInt64(1) << (10 + byte >> 3)
      window = base + base / 8 * (byte & 7)
    }
    guard descriptor & 3 == 0 else {
      throw SignetError(.archiveFilter, cursor.path, "needs a dictionary to be decompressed", expected: "none")
    }
    let sizes = [isSingleSegment ? 1 : 0, 2, 4, 8]
    let size = try cursor.littleEndian(sizes[descriptor >> 6])
    // A single segment is kept whole. (A size of two bytes is 256 larger than this, which does not matter here.)
    if isSingleSegment { window = size }
    try TarCompression.check(window: window, cursor.path)
    return descriptor & 0x04 != 0
  }

  private static func damaged(_ cursor: SourceCursor, _ message: String) -> SignetError {
    SignetError(
      .archiveData, cursor.path, "is damaged: it \(message)", hint: "get the archive again from its publisher")
  }
}
