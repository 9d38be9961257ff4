package import SignetBase
package import SignetNames
package import SignetSystem

/// A ZIP whose end has been read: where its central directory is, and its signing block if it has one.
///
/// That is enough to find the signature and the bytes that it covers. ``entries(_:)`` reads the rest, once the bytes
/// have been verified.
package struct ZIPArchive: Sendable {
  /// The signed bytes: the archive without its signing block, and with the original offsets in its end records.
  package let unsigned: SplicedFile
  /// The signing block, or nil.
  package let block: SigningBlock?
  private let source: any ByteSource
  private let end: ZIPEndRecords
  private let directory: [UInt8]
  /// Where the entries end: at the block, or at the central directory.
  private let entriesEnd: Int

  /// Reads the end of a ZIP.
  ///
  /// - Throws: `archive.…` if the end records or the central directory's place are not those of a strict ZIP;
  ///   `signature.malformed` if the bytes where a signing block can be are not a whole one.
  package init(_ source: any ByteSource, limits: ArchiveLimits) throws(SignetError) {
    let end = try ZIPEndRecords(source)
    guard end.directory.count <= limits.directorySize else {
      throw SignetError(
        .archiveSize, "central directory", "is too large", expected: "at most \(limits.directorySize) bytes",
        found: "\(end.directory.count) bytes")
    }
    try ArchiveRules.checkCount(end.entryCount, limits)
    directory = try source.bytes(in: end.directory)
    self.source = source
    self.end = end
    let lastEnd = Self.endOfLastEntry(ZIPBytes(directory), source, before: end.directory.lowerBound)
    block = try SigningBlock(in: source, before: end.directory.lowerBound, entriesEnd: lastEnd)
    entriesEnd = block?.range.lowerBound ?? end.directory.lowerBound
    let records = try end.bytes(movedBy: -(block?.range.count ?? 0))
    unsigned = SplicedFile(source, upTo: entriesEnd, followedBy: directory + records)
  }

  /// The entries of the archive.
  ///
  /// - Throws: `archive.…`, `path.…`; for links, also what reading their targets throws.
  package func entries(_ limits: ArchiveLimits) throws(SignetError) -> [ArchiveEntry] {
    // The archive with the signing block, and without it: programs unpack both.
    try ZIPPolyglot.check(source)
    if block != nil {
      try ZIPPolyglot.check(unsigned)
      // A signature of an end record that the block kept away from the end is near it again.
      _ = try ZIPEndRecords(unsigned)
    }
    let records = try ZIPCentralDirectory(ZIPBytes(directory), count: end.entryCount).records
    let places = try places(of: records)
    let reader = EntryReader(unsigned)
    var entries: [ArchiveEntry] = []
    entries.reserveCapacity(records.count)
    for (record, place) in zip(records, places) {
      entries.append(try ZIPEntry.make(record, dataOffset: place, reader, limits))
    }
    try ArchiveRules.check(entries, limits)
    try checkRatio(entries, limits)
    return entries
  }

  /// Checks the ratio of all entries together: many that each expand to less than the grace are a bomb, too.
  private func checkRatio(_ entries: [ArchiveEntry], _ limits: ArchiveLimits) throws(SignetError) {
    var total = 0
    for case .file(let size) in entries.lazy.map(\.content) { total += size }
    guard total <= limits.ratioGrace || total / limits.ratio <= unsigned.size else {
      throw SignetError(
        .archiveRatio, "archive", "expands too much",
        expected: "at most \(limits.ratio) times its \(unsigned.size) bytes", found: "\(total) bytes",
        hint: ZIPHint.repack)
    }
  }

  /// The archive with a signing block that holds this value, in place of any block it has.
  ///
  /// - Parameter value: the bundles, each a line with its line end.
  /// - Throws: `signing.block-size`, `signing.block-offset`, `signing.block-ambiguous`.
  package func attaching(_ value: [UInt8]) throws(SignetError) -> SplicedFile {
    guard try AndroidSigningBlock(in: source, before: entriesEnd, entriesEnd: nil) == nil else {
      throw SignetError(
        .signingBlockAmbiguous, "archive", "has signatures of Android in it, which another block would break",
        expected: "a ZIP without them", hint: "keep the bundle beside it")
    }
    let bytes = try SigningBlock.bytes(holding: value)
    let records = try end.bytes(movedBy: bytes.count - (block?.range.count ?? 0))
    let attached = SplicedFile(source, upTo: entriesEnd, followedBy: bytes + directory + records)
    // Bytes that were too far from the end, or did not fit another reading, may do so in a file of another length.
    do {
      _ = try ZIPEndRecords(attached)
      try ZIPPolyglot.check(attached)
    } catch {
      throw SignetError(
        .signingBlockAmbiguous, "archive", "would have two readings with a signing block of this size in it",
        expected: "one", cause: error,
        hint: "keep the bundles beside the archive, or compress the entries that are stored")
    }
    return attached
  }

  /// Whether the central directory seems to have an entry of this name.
  package func lists(_ name: String) -> Bool { Self.lists(name, in: directory) }

  /// Whether bytes seem to have a record of a central directory with this name in them.
  package static func lists(_ name: String, in bytes: [UInt8]) -> Bool {
    let records = ZIPBytes(bytes)
    let name = Array(name.utf8)
    let least = ZIPHeader.centralSize + name.count
    guard bytes.count >= least else { return false }
    return (0...(bytes.count - least)).contains { offset in
      bytes[offset] == UInt8(ascii: "P") && records.has(.centralHeader, at: offset)
        && records.u16(offset + 28) == name.count
        && bytes[(offset + ZIPHeader.centralSize)..<(offset + least)].elementsEqual(name)
    }
  }

  /// Where the data of each entry begin. The next entry follows right after an entry's header and data: nothing is left
  /// over, and nothing is shared.
  private func places(of records: [ZIPCentralDirectory.Record]) throws(SignetError) -> [Int] {
    let offsets = Set(records.map(\.offset))
    var places: [Int] = []
    places.reserveCapacity(records.count)
    var end = 0
    for record in records {
      guard record.offset == end else { throw misplaced(record, end, isElsewhere: offsets.contains(end)) }
      let place = try ZIPLocalHeader.check(record, in: unsigned, before: entriesEnd)
      guard record.header.storedSize <= entriesEnd - place else {
        throw SignetError(
          .archiveOverlap, record.header.path, "reaches into what follows the entries",
          expected: "an end at \(entriesEnd)",
          found: "\(record.header.storedSize) bytes from \(place) on")
      }
      places.append(place)
      end = place + record.header.storedSize
    }
    guard end == entriesEnd else {
      let isAndroid = try AndroidSigningBlock(in: source, before: entriesEnd, entriesEnd: end) != nil
      throw SignetError(
        .archiveGap, "archive",
        isAndroid
          ? "has signatures of Android in it, which modules cannot have"
          : "has bytes between its last entry and what follows",
        expected: "nothing between its last entry and the central directory", found: "\(entriesEnd - end) bytes")
    }
    return places
  }

  private func misplaced(
    _ record: ZIPCentralDirectory.Record, _ end: Int, isElsewhere: Bool
  ) -> SignetError {
    let path = record.header.path
    let found = "\(record.offset)"
    if isElsewhere {
      return SignetError(
        .archiveOrder, path, "is not where the central directory's order puts it", expected: "\(end)",
        found: found, hint: ZIPHint.repack)
    }
    if record.offset < end {
      return SignetError(
        .archiveOverlap, path, "begins before the previous entry ends", expected: "\(end)", found: found)
    }
    if end == 0 {
      return SignetError(
        .archiveLeadingData, path, "has bytes before it", expected: "the first entry at 0", found: found,
        hint: ZIPHint.repack)
    }
    return SignetError(
      .archiveGap, path, "has bytes between it and the entry before it", expected: "\(end)", found: found)
  }

  /// Where the last entry ends, in whatever order the central directory has the entries; nil if that cannot be
  /// determined. It serves to tell a damaged signing block from a missing one, and is not relied on.
  private static func endOfLastEntry(_ directory: ZIPBytes, _ source: any ByteSource, before end: Int) -> Int? {
    var next = 0
    var last: Int?
    while directory.has(.centralHeader, at: next), directory.count - next >= ZIPHeader.centralSize {
      if directory.u32(next + 42) >= last.map({ directory.u32($0 + 42) }) ?? 0 { last = next }
      next += ZIPHeader.centralSize + directory.u16(next + 28) + directory.u16(next + 30) + directory.u16(next + 32)
    }
    guard next == directory.count, let last else { return nil }
    let (offset, size) = (directory.u32(last + 42), directory.u32(last + 20))
    // A data descriptor may follow the data.
    guard directory.u16(last + 8) & ZIPHeader.dataDescriptor == 0 else { return nil }
    guard offset != ZIPMarker.long, size != ZIPMarker.long, offset <= end - ZIPHeader.localSize,
      let header = try? ZIPBytes(source.bytes(in: offset..<offset + ZIPHeader.localSize)),
      header.has(.localHeader, at: 0)
    else { return nil }
    let lastEnd = offset + ZIPHeader.localSize + header.u16(26) + header.u16(28) + size
    return lastEnd <= end ? lastEnd : nil
  }
}
