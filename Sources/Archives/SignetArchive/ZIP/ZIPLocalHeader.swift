internal import SignetBase
internal import SignetSystem

/// The header before an entry's data (APPNOTE 4.3.7), compared with the central directory.
enum ZIPLocalHeader {
  /// The number of extra bytes that are read with the header, so that nearly every entry takes one call.
  private static let extraAhead = 64

  /// Checks that the header at the record's offset says the same as the record.
  ///
  /// - Parameter limit: where the entries end.
  /// - Returns: the offset of the entry's data.
  /// - Throws: `archive.header-mismatch`, `archive.record`, `archive.extra-field`, `archive.zip64`,
  ///   `archive.truncated`.
  static func check(
    _ record: ZIPCentralDirectory.Record, in source: some ByteSource, before limit: Int
  ) throws(SignetError) -> Int {
    let path = record.header.path
    let start = record.offset
    guard start <= limit - ZIPHeader.localSize else { throw behind(path) }
    let ahead = ZIPHeader.localSize + record.header.name.count + extraAhead
    var bytes = ZIPBytes(try source.bytes(in: start..<min(limit, start + ahead)))
    guard bytes.has(.localHeader, at: 0) else {
      throw SignetError(
        .archiveRecord, path, "has no local header where the central directory says", expected: "one at \(start)")
    }
    let nameEnd = ZIPHeader.localSize + bytes.u16(26)
    let extraEnd = nameEnd + bytes.u16(28)
    guard extraEnd <= limit - start else { throw behind(path) }
    if extraEnd > bytes.count { bytes = ZIPBytes(try source.bytes(in: start..<start + extraEnd)) }
    try ZIPHeader.check(neededVersion: bytes.u16(4), path)
    let fields = try ZIPExtraFields(in: bytes, nameEnd..<extraEnd, .local, path)
    var values = ZIP64Values(bytes, fields.zip64, path)
    let (size, storedSize) = try sizes(bytes, fields.zip64, &values)
    try values.finish()
    try values.checkNeeded(fields.zip64 != nil, max(size, storedSize))
    let local = ZIPHeader(
      version: bytes.u16(4), flags: bytes.u16(6), method: bytes.u16(8), time: bytes.u16(10), date: bytes.u16(12),
      crc: UInt32(bytes.u32(14)), storedSize: storedSize, size: size,
      name: Array(bytes.bytes[ZIPHeader.localSize..<nameEnd]))
    guard local == record.header else { throw mismatch(local, record.header) }
    try fields.checkAgrees(with: record.fields, path)
    return start + extraEnd
  }

  /// A local ZIP64 field has both sizes (APPNOTE 4.5.3). If the header refers only to the second, Info-ZIP and
  /// libarchive use the first value for it, and other programs use the right one.
  private static func sizes(
    _ bytes: ZIPBytes, _ field: Range<Int>?, _ values: inout ZIP64Values
  ) throws(SignetError) -> (Int, Int) {
    let (storedSize, size) = (bytes.u32(18), bytes.u32(22))
    guard let field else { return (try values.take(size), try values.take(storedSize)) }
    guard field.count == 16, size == ZIPMarker.long, storedSize == ZIPMarker.long else {
      throw SignetError(
        .archiveZIP64, "local header", "has a ZIP64 field without both sizes", expected: "16 bytes",
        found: "\(field.count) bytes")
    }
    return (try values.take(size), try values.take(storedSize))
  }

  private static func behind(_ path: String) -> SignetError {
    SignetError(.archiveTruncated, path, "has a local header that does not end before the entries do")
  }

  private static func mismatch(_ local: ZIPHeader, _ central: ZIPHeader) -> SignetError {
    let fields = [
      ("name", central.path, local.path), ("flags", "\(central.flags)", "\(local.flags)"),
      ("method", "\(central.method)", "\(local.method)"), ("CRC-32", "\(central.crc)", "\(local.crc)"),
      ("size", "\(central.size)", "\(local.size)"),
      ("compressed size", "\(central.storedSize)", "\(local.storedSize)"),
      ("version needed", "\(central.version)", "\(local.version)"), ("time", "\(central.time)", "\(local.time)"),
      ("date", "\(central.date)", "\(local.date)"), ("name's bytes", "\(central.name)", "\(local.name)"),
    ]
    let difference = fields.first { !$0.1.isExactly($0.2) }
    return SignetError(
      .archiveHeaderMismatch, central.path,
      "has a local header with another \(difference?.0 ?? "field") than the central directory",
      expected: difference?.1, found: difference?.2, hint: ZIPHint.repack)
  }
}
