internal import SignetNames

/// What lies at an offset of an archive, for people who look for the cause of a difference.
package struct ArchivePlace: Sendable, Equatable {
  /// The entry that the bytes belong to; nil if they belong to none.
  package let entry: String?
  /// What the bytes are, such as `the time in its header`.
  package let words: String
}

extension OpenedArchive {
  /// What lies at an offset of ``source``.
  ///
  /// In archives that can be opened, entries follow each other without gaps. So the places of their data show where
  /// their headers are.
  package func place(at offset: Int) -> ArchivePlace {
    var start = 0
    for entry in entries.sorted(by: { $0.data.offset < $1.data.offset }) {
      let end = format == .zip ? entry.data.end : entry.data.paddedEnd
      if offset < entry.data.offset {
        let words =
          format == .zip
          ? Self.zipField(offset - start, nameLength: Self.nameLength(of: entry))
          : Self.tarField(offset - start, length: entry.data.offset - start)
        return ArchivePlace(entry: entry.path, words: words)
      }
      if offset < end {
        let isData = offset < entry.data.end
        return ArchivePlace(entry: entry.path, words: isData ? Self.dataWords(of: entry) : "the padding after it")
      }
      start = end
    }
    return ArchivePlace(entry: nil, words: format == .zip ? "the central directory, or the end" : "the end")
  }

  private static func dataWords(of entry: ArchiveEntry) -> String {
    if case .deflated = entry.data.coding { "its compressed bytes" } else { "its bytes" }
  }

  /// A directory's name ends with a slash in the archive.
  private static func nameLength(of entry: ArchiveEntry) -> Int {
    entry.path.utf8.count + (entry.content == .directory ? 1 : 0)
  }

  /// A field of a local header (APPNOTE 4.3.7).
  private static func zipField(_ offset: Int, nameLength: Int) -> String {
    switch offset {
    case 6..<8: "the flags in its header"
    case 8..<10: "the compression method in its header"
    case 10..<14: "the time in its header"
    case 14..<18: "the checksum in its header"
    case 18..<22: "the compressed size in its header"
    case 22..<26: "the size in its header"
    case ZIPHeader.localSize..<ZIPHeader.localSize + nameLength: "the name in its header"
    case (ZIPHeader.localSize + nameLength)...: "an extra field in its header, such as a time or an owner"
    default: "its header"
    }
  }

  /// A field of the header before an entry's data; whatever precedes that header is an extended one.
  private static func tarField(_ offset: Int, length: Int) -> String {
    let place = offset - (length - TarField.blockSize)
    guard place >= 0 else { return "its extended header, which can hold times, owners and long names" }
    return switch place {
    case TarField.name, TarField.prefix: "the name in its header"
    case TarField.mode: "the mode in its header"
    case TarField.uid, TarField.gid, TarField.userName, TarField.groupName: "the owner in its header"
    case TarField.size: "the size in its header"
    case TarField.mtime: "the time in its header"
    // The checksum comes before some of the fields that it covers. Those before it are the same.
    case TarField.checksum: "its header, after the checksum, such as the owner's name"
    default: "its header"
    }
  }
}

extension ArchiveEntry.DataLocation {
  /// The offset after the last byte.
  fileprivate var end: Int { offset + storedSize }

  /// The offset after the block with the last byte, in a tar.
  fileprivate var paddedEnd: Int { end + TarField.padding(behind: storedSize) }
}
