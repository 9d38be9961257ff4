internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The end records of a ZIP as other programs write it.
///
/// The central directory lies right in front of them. Where it is said to begin tells how much was put in front of the
/// archive: that much all offsets are too small.
struct SloppyZIPEnd {
  let entryCount: Int
  let directory: Range<Int>
  /// Bytes in front of the archive.
  let prefix: Int

  /// As far back as the end record can be behind a comment, and as much again for what somebody put behind it.
  private static let searchSize = 2 * (ZIPEndRecords.recordSize + 0xffff)

  init(_ source: any ByteSource) throws(SignetError) {
    let start = max(0, source.size - Self.searchSize)
    let tail = ZIPBytes(try source.bytes(in: start..<source.size))
    let offsets = stride(from: tail.count - ZIPEndRecords.recordSize, through: 0, by: -1).filter {
      tail.has(.endRecord, at: $0)
    }
    // The last one is what nearly every program believes.
    guard let last = offsets.first else {
      // A ZIP may have something in front of it, but not nothing at its end.
      let magic = try source.bytes(in: 0..<min(ArchiveFile.magicSize, source.size))
      guard ArchiveFile.format(magic) == .zip else {
        throw SignetError(
          .archiveFormat, "archive", "is of no kind that can be packed anew",
          expected: "a ZIP, tar, 7z, cpio, ar, Debian package, ISO 9660 or xar",
          hint: "unpack it with the program that made it, and pack the directory")
      }
      throw SignetError(.archiveEndRecord, "archive", "has no end record", expected: "a ZIP", hint: Self.hint)
    }
    let end = try SloppyZIPEnd(tail, last, fileOffset: start, source)
    // An archive within the archive may have one, too; behind the entries there is no place for another.
    guard !offsets.dropFirst().contains(where: { start + $0 >= end.directory.lowerBound }) else {
      throw SignetError(
        .archiveEndRecord, "archive", "has several end records: programs differ in which one they believe",
        expected: "one", hint: Self.hint)
    }
    self = end
  }

  private static let hint = "get the archive anew from where it comes from"

  private init(
    _ tail: ZIPBytes, _ classic: Int, fileOffset: Int, _ source: any ByteSource
  ) throws(SignetError) {
    guard tail.u16(classic + 20) <= tail.count - classic - ZIPEndRecords.recordSize else {
      throw SignetError(.archiveTruncated, "archive comment", "ends too early", hint: Self.hint)
    }
    var fields = ZIPEndFields(tail, classic)
    var end = classic
    let locator = classic - ZIPEndRecords.locatorSize
    let record = locator - ZIPEndRecords.zip64RecordSize
    if tail.has(.zip64Locator, at: locator) {
      guard tail.has(.zip64EndRecord, at: record) else {
        throw SignetError(.archiveZIP64, "end records", "the ZIP64 end record is not right in front of its locator")
      }
      fields = try fields.completed(by: tail, record, isSloppy: true)
      end = record
    } else if fields.needsZIP64 {
      throw SignetError(.archiveZIP64, "end records", "refer to a ZIP64 end record that is not there")
    }
    guard fields.disks.allSatisfy({ $0 == 0 }), fields.countHere == fields.count else {
      throw SignetError(
        .archiveMultiDisk, "end record", "is that of an archive on several disks", expected: "one disk")
    }
    guard fields.count > 0 else {
      throw SignetError(.archiveEmpty, "archive", "has no entries", expected: "one entry or more")
    }
    let directoryEnd = fileOffset + end
    guard fields.directorySize <= directoryEnd, fields.directoryOffset <= directoryEnd - fields.directorySize else {
      throw SignetError(
        .archiveTruncated, "central directory", "lies behind the end records", expected: "an end at \(directoryEnd)",
        found: "offset \(fields.directoryOffset), \(fields.directorySize) bytes")
    }
    let start = directoryEnd - fields.directorySize
    guard fields.directorySize >= ZIPHeader.centralSize,
      try ZIPBytes(source.bytes(in: start..<start + 4)).has(.centralHeader, at: 0)
    else {
      throw SignetError(
        .archiveEndRecord, "archive", "has no central directory right in front of its end record", hint: Self.hint)
    }
    entryCount = fields.count
    directory = start..<directoryEnd
    prefix = start - fields.directoryOffset
  }
}
