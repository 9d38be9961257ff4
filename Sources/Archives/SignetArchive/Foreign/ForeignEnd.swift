internal import SignetBase
internal import SignetSystem

/// Where libarchive stopped reading an archive, compared with where the archive ends.
///
/// libarchive takes a file that was cut between two entries for a complete one, and does not read what follows the end.
/// Another program may read on. So an archive must have its end, and only zeros may follow it.
struct ForeignEnd {
  /// The offset where libarchive looked for another header and found the end.
  let lastHeader: Int
  /// The number of bytes that libarchive has consumed.
  let readUpTo: Int

  /// - Throws: `archive.truncated`, `archive.trailing-data`, `archive.data`, and what reading throws.
  func check(_ format: ForeignFormat, _ source: any ByteSource) throws(SignetError) {
    switch format {
    case .tar:
      // A block of zeros ends a tar (POSIX.1-2017, pax, "ustar Interchange Format"). Most programs write two, and pad
      // the file.
      try Self.need(lastHeader + TarField.blockSize, of: source)
      try Self.checkZeros(from: lastHeader, of: source)
    case .cpio: try Self.checkZeros(from: readUpTo, of: source)
    case .sevenZip:
      let next = try Self.number(8, at: 12, of: source)
      let count = try Self.number(8, at: 20, of: source)
      try Self.checkEnd([32, next, count], of: source)
    case .iso9660:
      // Volume space size and logical block size (ECMA-119, 8.4.8 and 8.4.10).
      let blocks = try Self.number(4, at: 32_768 + 80, of: source)
      try Self.checkEnd([blocks * (try Self.number(2, at: 32_768 + 128, of: source))], of: source)
    case .ar, .xar: break
    }
  }

  /// Checks the end of an archive that states its own size: the sum of `sizes`.
  private static func checkEnd(_ sizes: [UInt64], of source: any ByteSource) throws(SignetError) {
    var end: UInt64 = 0
    for size in sizes {
      let (sum, overflow) = end.addingReportingOverflow(size)
      end = overflow ? .max : sum
    }
    try need(Int(clamping: end), of: source)
    try checkZeros(from: Int(end), of: source)
  }

  private static func need(_ size: Int, of source: any ByteSource) throws(SignetError) {
    guard size <= source.size else {
      throw SignetError(
        .archiveTruncated, source.path, "is truncated", expected: "\(size) bytes or more",
        found: "\(source.size) bytes", hint: "get the archive again from its publisher")
    }
  }

  private static func checkZeros(from end: Int, of source: any ByteSource) throws(SignetError) {
    guard let place = try source.firstNonzero(from: end) else { return }
    throw SignetError(
      .archiveTrailingData, source.path, "has bytes after the archive's end", expected: "zeros, or nothing",
      found: "other bytes from offset \(place) on",
      hint: "unpack it with the program that made it, and pack the directory")
  }

  /// A little-endian number.
  private static func number(_ width: Int, at offset: Int, of source: any ByteSource) throws(SignetError) -> UInt64 {
    try need(offset + width, of: source)
    return try source.bytes(in: offset..<offset + width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
