internal import SignetBase
internal import SignetSystem

/// The structure of a file compressed with lz4 (LZ4 Frame Format 1.6.2): one frame or several, also of the legacy form, and
/// frames that are skipped.
///
/// libarchive passes what is no frame without saying where it began, so the blocks are walked first. It checks their
/// content.
enum LZ4Structure {
  static let markSize = 4
  private static let magic: UInt64 = 0x184d_2204
  private static let legacyMagic: UInt64 = 0x184c_2102
  /// The largest block of a legacy frame: 8 MiB that did not become smaller. What states more is no block.
  private static let legacyBlockLimit: UInt64 = 8 << 20 + 8 << 20 / 255 + 16

  /// Looks how far the frames of a file go.
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
          switch start.prefix(4).reversed().reduce(UInt64(0), { $0 << 8 | UInt64($1) }) {
          case magic where start.count >= 4: try passFrame(&cursor)
          case legacyMagic where start.count >= 4: try passLegacyFrame(&cursor)
          default:
            pieces.isPadding = try source.firstNonzero(from: cursor.position) == nil
            throw SourceCursor.trailing(source.path, cursor.remaining)
          }
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
    try cursor.skip(4)
    let flags = try cursor.byte()
    guard flags >> 6 == 1 else {
      throw SignetError(.archiveFilter, cursor.path, "has a frame of an unknown version", expected: "1")
    }
    guard flags & 1 == 0 else {
      throw SignetError(.archiveFilter, cursor.path, "needs a dictionary to be decompressed", expected: "none")
    }
    // The size of blocks, the size of the content if it is there, and the header's checksum.
    try cursor.skip(1 + (flags & 0x08 != 0 ? 8 : 0) + 1)
    while case let size = Int(try cursor.littleEndian(4)), size != 0 {
      // The highest bit says that the block is not compressed.
      try cursor.skip(size & 0x7fff_ffff + (flags & 0x10 != 0 ? 4 : 0))
    }
    if flags & 0x04 != 0 { try cursor.skip(4) }
  }

  /// Passes a legacy frame, which has no end: it ends where no block begins.
  private static func passLegacyFrame(_ cursor: inout SourceCursor) throws(SignetError) {
    try cursor.skip(4)
    while cursor.remaining >= 4 {
      var next = cursor
      let size = try next.littleEndian(4)
      guard size > 0, size <= legacyBlockLimit else { return }
      cursor = next
      try cursor.skip(Int(size))
    }
  }
}
