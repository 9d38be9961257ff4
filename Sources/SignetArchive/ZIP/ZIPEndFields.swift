internal import SignetBase
internal import SignetCrypto

/// The fields that the end record and its ZIP64 form have in common.
struct ZIPEndFields {
  /// The number of this disk and of that where the central directory begins.
  let disks: [Int]
  /// Entries on this disk.
  let countHere: Int
  /// Entries in all.
  let count: Int
  let directorySize: Int
  let directoryOffset: Int
  /// Whether a field says that its value stands in the ZIP64 record.
  let needsZIP64: Bool

  /// The classic end record's (APPNOTE 4.3.16).
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
      throw SignetError(.archiveZIP64, "ZIP64 end record", "has a number that no file can have")
    }
    self.countHere = countHere
    self.count = count
    directorySize = size
    directoryOffset = start
    needsZIP64 = false
  }

  /// The values of the ZIP64 end record (APPNOTE 4.3.14), which the classic one must either have, too, or refer to.
  ///
  /// - Parameter isSloppy: whether the classic one may refer to it for values that it has room for.
  /// - Throws: `archive.zip64`.
  func completed(by bytes: ZIPBytes, _ offset: Int, isSloppy: Bool) throws(SignetError) -> ZIPEndFields {
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
    // Some programs know no ZIP64.
    for (classic, value, marker) in pairs where !isSloppy && classic == marker && value < marker {
      throw SignetError(
        .archiveZIP64, "end record", "refers to the ZIP64 end record for a value that it has room for",
        expected: "\(value)", hint: ZIPHint.repack)
    }
    return full
  }
}
