internal import SignetBase
internal import SignetSystem

/// The structure of a file compressed with xz (The .xz File Format, 1.2.1, section 2): here exactly one stream and
/// nothing else.
///
/// libarchive 3.6.2 decompresses several streams as if they were one, skips padding after them, and allows a dictionary
/// of 1 GiB. So the stream's blocks are walked first, which needs only the headers of their chunks. liblzma checks the
/// content of the chunks, the checksums, and the sizes in the index.
struct XZStructure {
  private var cursor: SourceCursor

  /// Checks the structure.
  ///
  /// - Throws: `archive.filter` if the file uses something unknown or needs too much memory, `archive.data`,
  ///   `archive.truncated`, `archive.trailing-data`, and what reading throws.
  static func check(_ source: any ByteSource) throws(SignetError) {
    var structure = XZStructure(cursor: SourceCursor(source))
    try structure.checkStream()
    try structure.cursor.expectEnd()
  }

  /// Checks the structure of a file that may have several streams, and padding after them (section 2.2).
  ///
  /// - Throws: what ``check(_:)`` throws.
  static func checkAll(_ source: any ByteSource) throws(SignetError) {
    if let fault = try survey(source).fault { throw fault }
  }

  /// Looks how far the streams of a file go, with the padding after them.
  ///
  /// - Throws: what reading throws.
  static func survey(_ source: any ByteSource) throws(SignetError) -> CompressedPieces {
    var structure = XZStructure(cursor: SourceCursor(source))
    var pieces = CompressedPieces()
    do throws(SignetError) {
      while structure.cursor.remaining > 0 {
        if pieces.count > 0, try structure.passPadding() {
          (pieces.hasOthers, pieces.end) = (true, structure.cursor.position)
          continue
        }
        try structure.checkStream()
        pieces.count += 1
        pieces.end = structure.cursor.position
      }
    } catch {
      guard Set.aboutArchives.contains(error.code) else { throw error }
      pieces.fault = error
      pieces.reached = error.code == .archiveTruncated ? source.size : structure.cursor.position
    }
    return pieces
  }

  /// Passes four zeros. A stream does not begin with a zero.
  ///
  /// - Returns: false if a stream seems to begin here.
  private mutating func passPadding() throws(SignetError) -> Bool {
    let rest = cursor.remaining
    var next = cursor
    let start = try next.littleEndian(min(4, rest))
    guard start != 0x587a_37fd else { return false }
    guard start == 0, rest >= 4 else { throw SourceCursor.trailing(cursor.path, rest) }
    cursor = next
    return true
  }

  private mutating func checkStream() throws(SignetError) {
    for byte in TarCompression.xz.magic {
      guard try cursor.byte() == byte else { throw damaged("does not begin like a stream") }
    }
    let checkSize = try checkSize()
    // The header's checksum.
    try cursor.skip(4)
    var blocks = 0
    while true {
      let start = cursor.position
      let first = try cursor.byte()
      if first == 0 {
        try passIndex(from: start, blocks)
        break
      }
      try passBlockHeader(from: start, size: (Int(first) + 1) * 4)
      try passChunks()
      try cursor.skip(checkSize)
      blocks += 1
    }
    // The footer: its checksum, the size of the index, the flags.
    try cursor.skip(10)
    guard try cursor.byte() == UInt8(ascii: "Y"), try cursor.byte() == UInt8(ascii: "Z") else {
      throw damaged("does not end like a stream")
    }
  }

  /// The size of a block's checksum, from the stream's flags. liblzma skips the checksums that it does not know.
  private mutating func checkSize() throws(SignetError) -> Int {
    let (first, kind) = (try cursor.byte(), try cursor.byte())
    let sizes: [UInt8: Int] = [0: 0, 1: 4, 4: 8, 10: 32]
    guard first == 0, let size = sizes[kind] else {
      throw SignetError(
        .archiveFilter, cursor.path, "has checksums of an unknown kind", expected: "none, CRC-32, CRC-64 or SHA-256",
        found: "kind \(kind)")
    }
    return size
  }

  /// Checks and skips a block's header (section 3.1).
  private mutating func passBlockHeader(from start: Int, size: Int) throws(SignetError) {
    let flags = try cursor.byte()
    guard flags & 0x3c == 0 else { throw damaged("has a reserved bit set") }
    if flags & 0x40 != 0 { _ = try number() }
    if flags & 0x80 != 0 { _ = try number() }
    for index in 0...(flags & 3) {
      let (filter, count) = (try number(), try number())
      let isLast = index == flags & 3
      // LZMA2 is the only filter that may be last, and may not be anywhere else (section 5.3.1).
      guard isLast == (filter == 0x21), count <= 1024, !isLast || count == 1 else {
        throw SignetError(
          .archiveFilter, cursor.path, "uses a filter that is not supported", expected: "LZMA2",
          found: "filter \(filter)")
      }
      guard isLast else {
        try cursor.skip(Int(count))
        continue
      }
      let bits = UInt64(try cursor.byte())
      guard bits <= 40 else { throw damaged("has a dictionary of no size") }
      try TarCompression.check(window: (2 | bits & 1) << (bits / 2 + 11), cursor.path)
    }
    // The header's padding and its checksum.
    let rest = start + size - cursor.position
    guard rest >= 4 else { throw damaged("has a header that is longer than it says") }
    try cursor.skip(rest)
  }

  /// Skips the chunks of LZMA2 and the padding after them.
  private mutating func passChunks() throws(SignetError) {
    let start = cursor.position
    while true {
      let control = try cursor.byte()
      switch control {
      case 0:
        try cursor.skip((4 - (cursor.position - start) % 4) % 4)
        return
      case 1, 2:
        let size = try cursor.bigEndian16() + 1
        try cursor.skip(size)
      case 0x80...:
        // The uncompressed size.
        try cursor.skip(2)
        let size = try cursor.bigEndian16() + 1
        try cursor.skip(control >= 0xc0 ? size + 1 : size)
      default: throw damaged("has a chunk of an unknown kind")
      }
    }
  }

  /// Checks and skips the index (section 4).
  private mutating func passIndex(from start: Int, _ blocks: Int) throws(SignetError) {
    guard try number() == UInt64(blocks) else { throw damaged("has an index of other blocks") }
    for _ in 0..<blocks { _ = (try number(), try number()) }
    try cursor.skip((4 - (cursor.position - start) % 4) % 4)
    // The index's checksum.
    try cursor.skip(4)
  }

  /// A number of 1 to 9 bytes, 7 bits each (section 1.2).
  private mutating func number() throws(SignetError) -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<9 {
      let byte = try cursor.byte()
      number |= UInt64(byte & 0x7f) << UInt64(7 * index)
      if byte & 0x80 == 0 { return number }
    }
    throw damaged("has a number that does not end")
  }

  private func damaged(_ message: String) -> SignetError {
    SignetError(
      .archiveData, cursor.path, "is damaged: it \(message)", hint: "get the archive again from its publisher")
  }
}
