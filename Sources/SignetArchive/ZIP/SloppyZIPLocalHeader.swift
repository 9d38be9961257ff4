internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A local header as other programs write it: it must be the one that the central directory means.
enum SloppyZIPLocalHeader {
  private static let dataDescriptor = 0x0008

  /// Makes sure of it.
  ///
  /// - Returns: the offset of the entry's data.
  /// - Throws: `archive.record`, `archive.truncated`, `archive.header-mismatch`.
  static func dataOffset(
    of record: ZIPCentralDirectory.Record, at start: Int, in source: any ByteSource, before limit: Int
  ) throws(SignetError) -> Int {
    let header = record.header
    guard start <= limit - ZIPHeader.localSize else { throw behind(header.path) }
    let fixed = ZIPBytes(try source.bytes(in: start..<start + ZIPHeader.localSize))
    guard fixed.has(.localHeader, at: 0) else {
      throw SignetError(
        .archiveRecord, header.path, "has no local header where the central directory says",
        expected: "one at \(start)")
    }
    let nameEnd = start + ZIPHeader.localSize + fixed.u16(26)
    let data = nameEnd + fixed.u16(28)
    guard data <= limit else { throw behind(header.path) }
    let name = try source.bytes(in: start + ZIPHeader.localSize..<nameEnd)
    guard name == header.name else {
      throw mismatch(header, "name", header.path, String(decoding: name, as: UTF8.self))
    }
    guard fixed.u16(8) == header.method else {
      throw mismatch(header, "method", "\(header.method)", "\(fixed.u16(8))")
    }
    // With a data descriptor the header may have zeros; what it has otherwise must be right.
    let isLate = fixed.u16(6) & dataDescriptor != 0
    let numbers = [
      ("CRC-32", fixed.u32(14), Int(header.crc)), ("compressed size", fixed.u32(18), header.storedSize),
      ("size", fixed.u32(22), header.size),
    ]
    for (field, local, central) in numbers {
      let refersToZIP64 = local == ZIPMarker.long && field != "CRC-32"
      guard local == central || (isLate && local == 0) || refersToZIP64 else {
        throw mismatch(header, field, "\(central)", "\(local)")
      }
    }
    return data
  }

  private static func behind(_ path: String) -> SignetError {
    SignetError(.archiveTruncated, path, "has a local header that does not end before the central directory")
  }

  private static func mismatch(
    _ header: ZIPHeader, _ field: String, _ expected: String, _ found: String
  ) -> SignetError {
    SignetError(
      .archiveHeaderMismatch, header.path, "has a local header with another \(field) than the central directory",
      expected: expected, found: found, hint: "get the archive anew from where it comes from")
  }
}
