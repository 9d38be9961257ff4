internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The records at the end of a ZIP (APPNOTE 4.3.14 to 4.3.16), read once.
///
/// Programs look for the end record in different ways: the last signature, the first one that fits, or the one whose
/// comment reaches the end. libzip uses the one whose archive seems the most consistent. So there must not be another
/// anywhere they look, not even in the data of an entry.
struct ZIPEndRecords {
  /// How many entries the central directory has.
  let entryCount: Int
  /// Where the central directory is.
  let directory: Range<Int>
  /// The offset of the first end record, where the directory ends.
  let offset: Int
  /// The end records' bytes.
  let bytes: ZIPBytes
  /// Where the ZIP64 end record is in `bytes`, or nil.
  let zip64: Int?
  /// Where the classic end record is in `bytes`.
  let classic: Int

  static let recordSize = 22
  static let locatorSize = 20
  static let zip64RecordSize = 56
  /// A comment's length has 16 bits.
  private static let searchSize = recordSize + 0xffff
  /// libarchive 3.6.2 looks for the end record, and for a locator before it, only in the last 16 KiB. If it finds none,
  /// it reads the local headers from the front. These do not say which entries are links, and which are executable.
  private static let commentLimit = 16384 - recordSize - locatorSize

  init(_ source: some ByteSource) throws(SignetError) {
    let start = max(0, source.size - Self.searchSize - Self.locatorSize - Self.zip64RecordSize)
    let tail = ZIPBytes(try source.bytes(in: start..<source.size))
    let classic = try Self.find(in: tail)
    let comment = tail.bytes[(classic + Self.recordSize)...]
    guard ZIPSignature.first(in: tail.bytes[(classic + 4)...]) == nil, comment.count == tail.u16(classic + 20) else {
      throw SignetError(
        .archiveComment, "archive comment", "has the signature of a record in it",
        expected: "a comment that no reader takes for a record")
    }
    guard comment.count <= Self.commentLimit else {
      throw SignetError(
        .archiveComment, "archive comment", "is so long that some readers miss the end record before it",
        expected: "at most \(Self.commentLimit) bytes", found: "\(comment.count) bytes", hint: ZIPHint.repack)
    }
    try ZIPComment.check(comment, of: "archive")
    let fields = ZIPEndFields(tail, classic)
    let zip64 = try Self.zip64(in: tail, before: classic, fields, fileOffset: start)
    let values =
      try zip64.map { (offset) throws(SignetError) in try fields.completed(by: tail, offset, isLenient: false)
      } ?? fields
    guard values.disks.allSatisfy({ $0 == 0 }), values.countHere == values.count else {
      throw SignetError(
        .archiveMultiDisk, "end record", "belongs to an archive on several disks", expected: "one disk")
    }
    guard values.count > 0 else {
      throw SignetError(.archiveEmpty, "archive", "has no entries", expected: "one entry or more")
    }
    entryCount = values.count
    let first = zip64 ?? classic
    offset = start + first
    bytes = ZIPBytes(Array(tail.bytes[first...]))
    self.classic = classic - first
    self.zip64 = zip64 == nil ? nil : 0
    directory = try Self.directory(values, upTo: offset, source)
    guard let other = try Self.strays(in: source, before: offset).first else { return }
    throw SignetError(
      .archiveEndRecord, "archive",
      "has the signature of another end record near its end, and programs differ in which one they use",
      expected: "one in the last \(Self.searchSize) bytes", found: "another at \(other)", hint: ZIPHint.repack)
  }

  /// The offsets of end record signatures, classic or ZIP64's, that are before the real ones, and so near the end of
  /// the file that programs look there.
  ///
  /// - Parameter end: where the real end records begin.
  static func strays(in source: some ByteSource, before end: Int) throws(SignetError) -> [Int] {
    let start = max(0, source.size - searchSize)
    guard start < end else { return [] }
    return ZIPSignature.ends(in: try source.bytes(in: start..<end)).map { start + $0 }
  }

  /// The offset of the end record in the last bytes of the file. Other end records are refused once this one is known;
  /// another one that also reaches the end is refused here, with a message of its own.
  private static func find(in tail: ZIPBytes) throws(SignetError) -> Int {
    var found: Int?
    var otherEnd: Int?
    for offset in ZIPSignature.places(of: [.endRecord], in: tail).reversed() where offset + recordSize <= tail.count {
      let end = offset + recordSize + tail.u16(offset + 20)
      guard end == tail.count else {
        otherEnd = otherEnd ?? end
        continue
      }
      guard found == nil else {
        throw SignetError(
          .archiveEndRecord, "archive", "has two end records that both reach its end", expected: "one")
      }
      found = offset
    }
    if let found { return found }
    guard let end = otherEnd else {
      throw SignetError(
        .archiveEndRecord, "archive", "has no end record", expected: "a ZIP, whole",
        hint: "get the archive again from its publisher")
    }
    guard end < tail.count else {
      throw SignetError(
        .archiveTruncated, "archive comment", "is truncated", expected: "\(end - tail.count) bytes more")
    }
    throw SignetError(
      .archiveTrailingData, "archive", "has bytes after its end", expected: "nothing",
      found: "\(tail.count - end) bytes")
  }

  /// The offset of the ZIP64 end record, or nil.
  private static func zip64(
    in tail: ZIPBytes, before classic: Int, _ fields: ZIPEndFields, fileOffset: Int
  ) throws(SignetError) -> Int? {
    let locator = classic - locatorSize
    let record = locator - zip64RecordSize
    guard tail.has(.zip64Locator, at: locator) else {
      guard !fields.needsZIP64 else { throw wrong("the end record refers to a ZIP64 end record that is missing") }
      return nil
    }
    guard record >= 0, tail.has(.zip64EndRecord, at: record) else {
      throw wrong("the ZIP64 end record is not right before its locator")
    }
    guard tail.u32(locator + 4) == 0, tail.u32(locator + 16) == 1 else {
      throw SignetError(.archiveMultiDisk, "ZIP64 locator", "belongs to an archive on several disks")
    }
    guard tail.size(locator + 8) == fileOffset + record else {
      throw wrong("the locator does not point at the ZIP64 end record")
    }
    guard tail.u64(record + 4) == UInt64(zip64RecordSize - 12) else {
      throw wrong("the ZIP64 end record has a size that no reader expects")
    }
    return record
  }

  private static func wrong(_ message: String) -> SignetError {
    SignetError(.archiveZIP64, "end records", message, expected: "ZIP64 fields that all readers see alike")
  }

  /// The place of the central directory, which must end where the end records begin.
  private static func directory(
    _ values: ZIPEndFields, upTo end: Int, _ source: some ByteSource
  ) throws(SignetError) -> Range<Int> {
    let (directoryEnd, overflow) = values.directoryOffset.addingReportingOverflow(values.directorySize)
    guard !overflow, directoryEnd <= end else {
      throw SignetError(
        .archiveTruncated, "central directory", "lies after the end records", expected: "an end at \(end)",
        found: "offset \(values.directoryOffset), \(values.directorySize) bytes")
    }
    guard directoryEnd == end else {
      // If all offsets are too small by the same number, something was put before the archive.
      let shifted = end - values.directorySize
      let isShifted = try ZIPBytes(source.bytes(in: shifted..<min(shifted + 4, end))).has(.centralHeader, at: 0)
      guard isShifted else {
        throw SignetError(
          .archiveGap, "archive", "has bytes between the central directory and the end record",
          expected: "nothing", found: "\(end - directoryEnd) bytes")
      }
      throw SignetError(
        .archiveLeadingData, "archive", "has bytes before its first entry", expected: "nothing",
        found: "\(end - directoryEnd) bytes")
    }
    return values.directoryOffset..<directoryEnd
  }

  /// The records' bytes, with their offsets moved by the size of a signing block that is added or removed.
  ///
  /// - Throws: `signing.block-offset` if an offset would not fit.
  func bytes(movedBy distance: Int) throws(SignetError) -> [UInt8] {
    guard distance != 0 else { return bytes.bytes }
    var moved = bytes.bytes
    let offset = bytes.u32(classic + 16)
    if offset != ZIPMarker.long {
      guard (0..<ZIPMarker.long).contains(offset + distance) else {
        throw SignetError(
          .signingBlockOffset, "end record", "cannot hold the central directory's offset after a signing block",
          expected: "an offset below 4 GiB", hint: "keep the bundles beside the archive")
      }
      moved.replaceSubrange(classic + 16..<classic + 20, with: ZIPBytes.little(offset + distance, 4))
    }
    if let zip64 {
      moved.replaceSubrange(
        zip64 + 48..<zip64 + 56, with: ZIPBytes.little(directory.lowerBound + distance, 8))
      moved.replaceSubrange(
        zip64 + Self.zip64RecordSize + 8..<zip64 + Self.zip64RecordSize + 16,
        with: ZIPBytes.little(self.offset + distance, 8))
    }
    return moved
  }
}

/// The fields that the end record and its ZIP64 form have in common.
struct ZIPEndFields {
  /// The number of this disk, and of the disk where the central directory begins.
  let disks: [Int]
  /// Entries on this disk.
  let countHere: Int
  /// Entries in all.
  let count: Int
  let directorySize: Int
  let directoryOffset: Int
  /// Whether a field says that its value is in the ZIP64 record.
  let needsZIP64: Bool

  /// Reads the classic end record (APPNOTE 4.3.16).
  init(_ bytes: ZIPBytes, _ offset: Int) {
    disks = [bytes.u16(offset + 4), bytes.u16(offset + 6)]
    countHere = bytes.u16(offset + 8)
    count = bytes.u16(offset + 10)
    directorySize = bytes.u32(offset + 12)
    directoryOffset = bytes.u32(offset + 16)
    needsZIP64 =
      (disks + [countHere, count]).contains(ZIPMarker.short)
      || directorySize == ZIPMarker.long || directoryOffset == ZIPMarker.long
  }

  private init(zip64 bytes: ZIPBytes, _ offset: Int) throws(SignetError) {
    disks = [bytes.u32(offset + 16), bytes.u32(offset + 20)]
    guard let countHere = bytes.size(offset + 24), let count = bytes.size(offset + 32),
      let size = bytes.size(offset + 40), let start = bytes.size(offset + 48)
    else {
      throw SignetError(.archiveZIP64, "ZIP64 end record", "has an impossible number")
    }
    self.countHere = countHere
    self.count = count
    directorySize = size
    directoryOffset = start
    needsZIP64 = false
  }

  /// The values of the ZIP64 end record (APPNOTE 4.3.14). Each field of the classic record must equal its value, or
  /// refer to it.
  ///
  /// - Parameter isLenient: whether the classic record may refer to it for values that it has room for.
  /// - Throws: `archive.zip64`.
  func completed(by bytes: ZIPBytes, _ offset: Int, isLenient: Bool) throws(SignetError) -> ZIPEndFields {
    let full = try ZIPEndFields(zip64: bytes, offset)
    let pairs =
      zip(disks + [countHere, count], full.disks + [full.countHere, full.count]).map { ($0, $1, ZIPMarker.short) }
      + [
        (directorySize, full.directorySize, ZIPMarker.long), (directoryOffset, full.directoryOffset, ZIPMarker.long),
      ]
    for (classic, value, marker) in pairs where classic != marker && classic != value {
      throw SignetError(
        .archiveZIP64, "end records", "contradict each other", expected: "\(classic), as the end record says",
        found: "\(value) in the ZIP64 end record")
    }
    // Some programs do not know ZIP64.
    for (classic, value, marker) in pairs where !isLenient && classic == marker && value < marker {
      throw SignetError(
        .archiveZIP64, "end record", "refers to the ZIP64 end record for a value that fits into itself",
        expected: "\(value)", hint: ZIPHint.repack)
    }
    return full
  }
}
