package import SignetBase
package import SignetNames
package import SignetSystem

/// A ZIP as other programs write it, read by its central directory to be packed again.
///
/// Anything that does not change an entry's bytes is tolerated: data descriptors, extra fields, entries in any order,
/// and bytes before them, between them and after the archive. If two readers could see two archives, it is refused like
/// any other.
package struct LenientZIP {
  /// The entries, in the order of the central directory.
  package let entries: [ArchiveEntry]

  /// Reads an archive.
  ///
  /// - Throws: `archive.…`, `path.…`.
  package init(_ source: any ByteSource, limits: ArchiveLimits) throws(SignetError) {
    let end = try LenientZIPEnd(source)
    guard end.directory.count <= limits.directorySize else {
      throw SignetError(
        .archiveSize, "central directory", "is too large", expected: "at most \(limits.directorySize) bytes",
        found: "\(end.directory.count) bytes")
    }
    try ArchiveRules.checkCount(end.entryCount, limits)
    let directory = ZIPBytes(try source.bytes(in: end.directory))
    let records = try ZIPCentralDirectory(directory, count: end.entryCount, isLenient: true).records
    let reader = EntryReader(source)
    var entries: [ArchiveEntry] = []
    var ranges: [(range: Range<Int>, path: String)] = []
    for record in records {
      let (start, overflow) = record.offset.addingReportingOverflow(end.prefix)
      guard !overflow else { throw Self.behind(record) }
      let data = try LenientZIPLocalHeader.dataOffset(
        of: record, at: start, in: source, before: end.directory.lowerBound)
      guard record.header.storedSize <= end.directory.lowerBound - data else { throw Self.behind(record) }
      ranges.append((start..<data + record.header.storedSize, record.header.path))
      // An entry that expands much is only packed again: the limits for all files together bound the work.
      entries.append(try ZIPEntry.make(record, dataOffset: data, reader, limits, isLenient: true))
    }
    try Self.checkOverlaps(ranges)
    try ArchiveRules.check(entries, limits)
    self.entries = entries
  }

  private static func behind(_ record: ZIPCentralDirectory.Record) -> SignetError {
    SignetError(.archiveTruncated, record.header.path, "does not end before the central directory begins")
  }

  private static func checkOverlaps(_ ranges: [(range: Range<Int>, path: String)]) throws(SignetError) {
    var end = 0
    for each in ranges.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard each.range.lowerBound >= end else {
        throw SignetError(
          .archiveOverlap, each.path, "shares bytes with another entry", expected: "a beginning from \(end) on",
          found: "\(each.range.lowerBound)")
      }
      end = each.range.upperBound
    }
  }

  /// The entries of the new archive.
  package func packed(from source: any ByteSource) -> [PackedEntry] {
    let reader = Monitor(EntryReader(source))
    return entries.map { entry in
      switch entry.content {
      case .file(let size):
        PackedEntry(
          path: entry.path,
          content: .file(RepackedFile(entry, size: size, reader), isExecutable: entry.mode.bits & 0o111 != 0))
      case .directory: PackedEntry(path: entry.path, content: .directory)
      case .symbolicLink(let target): PackedEntry(path: entry.path, content: .symbolicLink(target: target))
      }
    }
  }
}

/// The end records of a ZIP as other programs write it.
///
/// The central directory is right before them. Its stated offset tells how many bytes were put before the archive: all
/// offsets are too small by this number.
struct LenientZIPEnd {
  let entryCount: Int
  let directory: Range<Int>
  /// The number of bytes before the archive.
  let prefix: Int
  /// Where the end record ends, with its comment.
  let end: Int
  /// Where the first end record begins: the central directory ends there.
  var recordsStart: Int { directory.upperBound }

  /// How far from the end the end record is searched for: as far as a comment can reach, and as much again for bytes
  /// that were added after it.
  static let searchSize = 2 * (ZIPEndRecords.recordSize + 0xffff)

  /// - Parameter mayBeEmpty: whether the archive may be nothing but its end record.
  init(_ source: any ByteSource, mayBeEmpty: Bool = false) throws(SignetError) {
    let start = max(0, source.size - Self.searchSize)
    let tail = ZIPBytes(try source.bytes(in: start..<source.size))
    let offsets = stride(from: tail.count - ZIPEndRecords.recordSize, through: 0, by: -1).filter {
      tail.has(.endRecord, at: $0)
    }
    // Nearly every program uses the last one.
    guard let last = offsets.first else {
      // A ZIP may have something before it, but it must have an end record.
      let magic = try source.bytes(in: 0..<min(ArchiveFile.magicSize, source.size))
      guard ArchiveFile.format(magic) == .zip else {
        throw SignetError(
          .archiveFormat, "archive", "has a format that cannot be converted",
          expected: "a ZIP, tar, 7z, cpio, ar, Debian package, ISO 9660 or xar",
          hint: "unpack it with the program that made it, and pack the directory")
      }
      throw SignetError(.archiveEndRecord, "archive", "has no end record", expected: "a ZIP", hint: Self.hint)
    }
    let end = try LenientZIPEnd(tail: tail, classic: last, fileOffset: start, source: source, mayBeEmpty: mayBeEmpty)
    // An archive within the archive may have an end record, too. After the entries, there is no place for another.
    guard !offsets.dropFirst().contains(where: { start + $0 >= end.directory.lowerBound }) else {
      throw SignetError(
        .archiveEndRecord, "archive", "has several end records, and programs differ in which one they use",
        expected: "one", hint: Self.hint)
    }
    self = end
  }

  private static let hint = "get the archive again from its publisher"

  private init(
    tail: ZIPBytes, classic: Int, fileOffset: Int, source: any ByteSource, mayBeEmpty: Bool
  ) throws(SignetError) {
    guard tail.u16(classic + 20) <= tail.count - classic - ZIPEndRecords.recordSize else {
      throw SignetError(.archiveTruncated, "archive comment", "is truncated", hint: Self.hint)
    }
    var fields = ZIPEndFields(tail, classic)
    var end = classic
    let locator = classic - ZIPEndRecords.locatorSize
    let record = locator - ZIPEndRecords.zip64RecordSize
    if tail.has(.zip64Locator, at: locator) {
      guard tail.has(.zip64EndRecord, at: record) else {
        throw SignetError(.archiveZIP64, "end records", "the ZIP64 end record is not right before its locator")
      }
      fields = try fields.completed(by: tail, record, isLenient: true)
      end = record
    } else if fields.needsZIP64 {
      throw SignetError(.archiveZIP64, "end records", "refer to a ZIP64 end record that is missing")
    }
    guard fields.disks.allSatisfy({ $0 == 0 }), fields.countHere == fields.count else {
      throw SignetError(
        .archiveMultiDisk, "end record", "belongs to an archive on several disks", expected: "one disk")
    }
    let isEmpty = fields.count == 0 && fields.directorySize == 0
    guard fields.count > 0 || isEmpty && mayBeEmpty else {
      throw SignetError(.archiveEmpty, "archive", "has no entries", expected: "one entry or more")
    }
    let directoryEnd = fileOffset + end
    guard fields.directorySize <= directoryEnd, fields.directoryOffset <= directoryEnd - fields.directorySize else {
      throw SignetError(
        .archiveTruncated, "central directory", "lies after the end records", expected: "an end at \(directoryEnd)",
        found: "offset \(fields.directoryOffset), \(fields.directorySize) bytes")
    }
    let start = directoryEnd - fields.directorySize
    let begins = try ZIPBytes(source.bytes(in: start..<min(start + 4, directoryEnd))).has(.centralHeader, at: 0)
    guard isEmpty || fields.directorySize >= ZIPHeader.centralSize && begins else {
      throw SignetError(
        .archiveEndRecord, "archive", "has no central directory right before its end record", hint: Self.hint)
    }
    entryCount = fields.count
    directory = start..<directoryEnd
    prefix = start - fields.directoryOffset
    self.end = fileOffset + classic + ZIPEndRecords.recordSize + tail.u16(classic + 20)
  }
}

/// A local header as other programs write it. It must be the one that the central directory refers to.
enum LenientZIPLocalHeader {
  private static let dataDescriptor = 0x0008

  /// Checks the header.
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
      throw mismatch(header, field: "name", expected: header.path, found: String(decoding: name, as: UTF8.self))
    }
    guard fixed.u16(8) == header.method else {
      throw mismatch(header, field: "method", expected: "\(header.method)", found: "\(fixed.u16(8))")
    }
    // With a data descriptor, the header may have zeros. Any other value in it must be right.
    let isLate = fixed.u16(6) & dataDescriptor != 0
    let numbers = [
      ("CRC-32", fixed.u32(14), Int(header.crc)), ("compressed size", fixed.u32(18), header.storedSize),
      ("size", fixed.u32(22), header.size),
    ]
    for (field, local, central) in numbers {
      let refersToZIP64 = local == ZIPMarker.long && field != "CRC-32"
      guard local == central || (isLate && local == 0) || refersToZIP64 else {
        throw mismatch(header, field: field, expected: "\(central)", found: "\(local)")
      }
    }
    return data
  }

  private static func behind(_ path: String) -> SignetError {
    SignetError(.archiveTruncated, path, "has a local header that does not end before the central directory")
  }

  private static func mismatch(
    _ header: ZIPHeader, field: String, expected: String, found: String
  ) -> SignetError {
    SignetError(
      .archiveHeaderMismatch, header.path, "has a local header with another \(field) than the central directory",
      expected: expected, found: found, hint: "get the archive again from its publisher")
  }
}
