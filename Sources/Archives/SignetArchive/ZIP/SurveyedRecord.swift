internal import SignetBase
internal import SignetNames

/// A record of a central directory, of which only the dangers are judged.
struct SurveyedRecord {
  let header: ZIPHeader
  let fields: ZIPExtraFields
  let offset: Int

  /// Reads a record.
  ///
  /// - Returns: the record, and the offset of the next one.
  /// - Throws: `archive.…`, `path.control`.
  static func read(_ bytes: ZIPBytes, _ start: Int) throws(SignetError) -> (SurveyedRecord, Int) {
    guard bytes.has(.centralHeader, at: start), bytes.count - start >= ZIPHeader.centralSize else {
      throw damaged("something that is not a record")
    }
    let nameEnd = start + ZIPHeader.centralSize + bytes.u16(start + 28)
    let extraEnd = nameEnd + bytes.u16(start + 30)
    let end = extraEnd + bytes.u16(start + 32)
    guard end <= bytes.count else { throw damaged("a record that ends after it") }
    let name = Array(bytes.bytes[(start + ZIPHeader.centralSize)..<nameEnd])
    let path = String(decoding: name, as: UTF8.self)
    guard !name.contains(0) else {
      throw SignetError(.pathControl, path, "a path has NUL in it, where some readers end it")
    }
    try ZIPHeader.checkEncryption(bytes.u16(start + 8), path)
    let fields = try ZIPExtraFields(in: bytes, nameEnd..<extraEnd, .central, path, isLenient: true)
    var values = ZIP64Values(bytes, fields.zip64, path)
    let size = try values.take(bytes.u32(start + 24))
    let storedSize = try values.take(bytes.u32(start + 20))
    let offset = try values.take(bytes.u32(start + 42))
    let header = ZIPHeader(
      version: bytes.u16(start + 6), flags: bytes.u16(start + 8), method: bytes.u16(start + 10),
      time: bytes.u16(start + 12), date: bytes.u16(start + 14), crc: UInt32(bytes.u32(start + 16)),
      storedSize: storedSize, size: size, name: name)
    guard header.method != 0 || size == storedSize else {
      throw SignetError(
        .archiveRecord, path, "is stored, with two different sizes", expected: "\(size) bytes",
        found: "\(storedSize) bytes")
    }
    guard size == 0 || name.last != UInt8(ascii: "/") else {
      throw SignetError(.archiveRecord, path, "is a directory with content", expected: "none", found: "\(size) bytes")
    }
    guard bytes.u16(start + 34) == 0 else {
      throw SignetError(.archiveMultiDisk, path, "begins on another disk", expected: "one disk")
    }
    return (SurveyedRecord(header: header, fields: fields, offset: offset), end)
  }

  private static func damaged(_ found: String) -> SignetError {
    SignetError(
      .archiveRecord, "central directory", "is damaged", expected: "records up to its end", found: found)
  }
}
