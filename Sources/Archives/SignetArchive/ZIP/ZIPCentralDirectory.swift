internal import SignetBase
internal import SignetNames

/// The central directory of a ZIP (APPNOTE 4.3.12), record by record.
struct ZIPCentralDirectory {
  /// The records, in order.
  let records: [Record]

  /// A record of the directory.
  struct Record {
    let header: ZIPHeader
    let fields: ZIPExtraFields
    /// The stated offset of the local header.
    let offset: Int
    let kind: Kind
    let mode: FileMode
  }

  /// The stated kind of an entry.
  enum Kind { case file, directory, symbolicLink }

  /// - Throws: `archive.…`, `path.not-utf8`.
  ///
  /// - Parameter isLenient: whether careless output of other programs is tolerated, because the archive is packed
  ///   again.
  init(_ bytes: ZIPBytes, count: Int, isLenient: Bool = false) throws(SignetError) {
    var records: [Record] = []
    records.reserveCapacity(min(count, bytes.count / ZIPHeader.centralSize))
    var offset = 0
    while offset < bytes.count {
      guard records.count < count else { throw Self.wrongCount(count, "more") }
      let (record, end) = try Self.record(bytes, offset, isLenient)
      records.append(record)
      offset = end
    }
    guard records.count == count else { throw Self.wrongCount(count, "\(records.count)") }
    self.records = records
  }

  private static func wrongCount(_ count: Int, _ found: String) -> SignetError {
    SignetError(
      .archiveEndRecord, "central directory", "does not have as many entries as the end record says",
      expected: "\(count)", found: found)
  }

  private static func record(
    _ bytes: ZIPBytes, _ start: Int, _ isLenient: Bool
  ) throws(SignetError) -> (Record, Int) {
    guard bytes.has(.centralHeader, at: start), bytes.count - start >= ZIPHeader.centralSize else {
      throw damaged("something that is not a record")
    }
    let nameEnd = start + ZIPHeader.centralSize + bytes.u16(start + 28)
    let extraEnd = nameEnd + bytes.u16(start + 30)
    let end = extraEnd + bytes.u16(start + 32)
    guard end <= bytes.count else { throw damaged("a record that ends after it") }
    let name = Array(bytes.bytes[(start + ZIPHeader.centralSize)..<nameEnd])
    let path = String(decoding: name, as: UTF8.self)
    // This comes first, because programs that encrypt add fields of their own.
    try ZIPHeader.checkEncryption(bytes.u16(start + 8), path)
    if !isLenient { try ZIPHeader.check(neededVersion: bytes.u16(start + 6), path) }
    let fields = try ZIPExtraFields(in: bytes, nameEnd..<extraEnd, .central, path, isLenient: isLenient)
    var values = ZIP64Values(bytes, fields.zip64, path)
    // The values are in this order in the field.
    let size = try values.take(bytes.u32(start + 24))
    let storedSize = try values.take(bytes.u32(start + 20))
    let offset = try values.take(bytes.u32(start + 42))
    if !isLenient {
      try values.finish()
      let isMarked = [20, 24].contains { bytes.u32(start + $0) == ZIPMarker.long }
      try values.checkNeeded(isMarked, max(size, storedSize))
      try values.checkNeeded(bytes.u32(start + 42) == ZIPMarker.long, offset)
    }
    guard bytes.u16(start + 34) == 0 else {
      throw SignetError(.archiveMultiDisk, path, "begins on another disk", expected: "one disk")
    }
    let header = ZIPHeader(
      version: bytes.u16(start + 6), flags: bytes.u16(start + 8), method: bytes.u16(start + 10),
      time: bytes.u16(start + 12), date: bytes.u16(start + 14), crc: UInt32(bytes.u32(start + 16)),
      storedSize: storedSize, size: size, name: name)
    try header.checkFields(isLenient: isLenient)
    let host = bytes.u16(start + 4) >> 8
    let attributes = bytes.u32(start + 38)
    if !isLenient {
      try header.checkName(host: host)
      try ZIPAttributes.check(internalAttributes: bytes.u16(start + 36), path)
      try ZIPComment.check(bytes.bytes[extraEnd..<end], of: path)
    }
    let (kind, mode) = try ZIPAttributes.read(
      host: host, attributes: isLenient ? ZIPAttributes.reduced(attributes, host) : attributes,
      isDirectory: name.last == UInt8(ascii: "/"), path)
    return (Record(header: header, fields: fields, offset: offset, kind: kind, mode: mode), end)
  }

  private static func damaged(_ found: String) -> SignetError {
    SignetError(
      .archiveRecord, "central directory", "is damaged", expected: "records up to its end", found: found)
  }
}
