package import SignetBase
internal import SignetNames
package import SignetSystem

/// Whether a ZIP that another program made means the same to every reader.
///
/// ``ZIPArchive`` accepts one form of ZIPs, and ``LenientZIP`` those that can be packed again. Between them, a release
/// has what `jar`, `zip` and others ordinarily write. Such a ZIP may have data descriptors, extra fields, other methods,
/// and entries in any order. Whatever two readers could see in two ways is refused here.
package struct ZIPSurvey {
  private let source: any ByteSource
  private let end: LenientZIPEnd

  /// The maximum size of a central directory, which is kept in memory.
  private static let directoryLimit = 32 << 20

  /// What a ZIP may be in.
  package enum Surroundings: Sendable, Equatable {
    /// It is a file of its own.
    case nothing
    /// It is behind a program or a script.
    case program
    /// It is among the data of a program, with others before and behind it.
    case data
  }

  /// Checks a ZIP.
  ///
  /// - Returns: `files`, where the data of entries are that are no directories, which are searched one by one; and `trailing`,
  ///   that bytes are behind the ZIP, which is no danger in these surroundings.
  /// - Throws: `archive.…`, `path.control`, and what reading throws.
  @discardableResult package static func check(
    _ source: any ByteSource, in surroundings: Surroundings = .nothing
  ) throws(SignetError) -> (files: [Range<Int>], trailing: SignetError?) {
    let survey = ZIPSurvey(source: source, end: try LenientZIPEnd(source, mayBeEmpty: true))
    if surroundings == .nothing { try ZIPPolyglot.check(source) }
    let trailing = survey.trailing
    if surroundings != .data, let trailing { throw trailing }
    return (try survey.check(mayHavePrefix: surroundings != .nothing), trailing)
  }

  /// Whether the end of a file is that of a ZIP, whatever the file begins with. It may be a ZIP with faults.
  ///
  /// A central directory is right before an end record, or where that says. 7-Zip counts from the first local header,
  /// wherever that is. So an end record that could be right is enough, too.
  ///
  /// - Throws: what reading throws.
  package static func endsAsZIP(_ source: any ByteSource) throws(SignetError) -> Bool {
    let start = max(0, source.size - endSize)
    let tail = ZIPBytes(try source.bytes(in: start..<source.size))
    for offset in ZIPSignature.ends(in: tail.bytes)
    where tail.has(.endRecord, at: offset) && tail.count - offset >= ZIPEndRecords.recordSize {
      // A ZIP64 end record says itself that it is one.
      if tail.has(.zip64Locator, at: offset - ZIPEndRecords.locatorSize) { return true }
      let (record, end) = (ZIPEndFields(tail, offset), start + offset)
      if record.disks == [0, 0], record.directorySize >= ZIPHeader.centralSize,
        record.directoryOffset + record.directorySize <= end
      {
        return true
      }
      for directory in [end - record.directorySize, record.directoryOffset]
      where directory >= 0 && directory <= end - 4 {
        let header = ZIPBytes(try source.bytes(in: directory..<directory + 4))
        if header.has(.centralHeader, at: 0) { return true }
      }
    }
    return false
  }

  /// Checks that a ZIP can be listed in little memory: libarchive keeps the whole central directory.
  ///
  /// - Throws: `archive.size`, and for a large file whose directory cannot be found what keeps it from being found.
  package static func checkListable(_ source: any ByteSource) throws(SignetError) {
    guard source.size > directoryLimit else { return }
    let directory = try LenientZIPEnd(source, mayBeEmpty: true).directory
    guard directory.count <= directoryLimit else {
      throw SignetError(
        .archiveSize, source.path, "has a central directory that is too large",
        expected: "at most \(directoryLimit) bytes", found: "\(directory.count) bytes")
    }
  }

  /// Whether no entry of a ZIP without dangers asks for a window of more than 64 MiB to be decompressed. An entry with
  /// LZMA, xz or PPMd says itself what it needs (APPNOTE 5.8, 5.10).
  ///
  /// - Throws: what reading throws.
  package static func needsLittleMemory(_ source: any ByteSource) throws(SignetError) -> Bool {
    do throws(SignetError) {
      let survey = ZIPSurvey(source: source, end: try LenientZIPEnd(source, mayBeEmpty: true))
      guard survey.end.directory.count <= directoryLimit else { return false }
      let directory = ZIPBytes(try source.bytes(in: survey.end.directory))
      var offset = 0
      while offset < directory.count {
        let (record, next) = try SurveyedRecord.read(directory, offset)
        guard try survey.needsLittleMemory(record) else { return false }
        offset = next
      }
      return true
    } catch {
      guard Set.aboutArchives.contains(error.code) || Set.aboutPaths.contains(error.code) else { throw error }
      return false
    }
  }

  private func needsLittleMemory(_ record: SurveyedRecord) throws(SignetError) -> Bool {
    guard [14, 95, 98].contains(record.header.method) else { return true }
    let data = try dataRange(of: record)
    let start = ZIPBytes(try source.bytes(in: data.prefix(9)))
    switch record.header.method {
    // A version, the size of the properties, the properties: a byte, and the size of the dictionary.
    case 14: return start.count == 9 && start.u32(5) <= TarCompression.windowLimit
    case 95:
      try XZStructure.checkAll(FilePart(source, data, path: source.path))
      return true
    // Bits 4 to 11: MiB, less one.
    default: return start.count >= 2 && ((start.u16(0) >> 4 & 0xff) + 1) << 20 <= TarCompression.windowLimit
    }
  }

  /// How far from the end of a file the end record of a ZIP may be.
  package static var endSize: Int { LenientZIPEnd.searchSize }

  private var trailing: SignetError? {
    guard end.end != source.size else { return nil }
    return SignetError(
      .archiveTrailingData, "archive", "has bytes after its end", expected: "nothing",
      found: "\(source.size - end.end) bytes")
  }

  private func check(mayHavePrefix: Bool) throws(SignetError) -> [Range<Int>] {
    guard mayHavePrefix || end.prefix == 0 else { throw Self.leading(end.prefix) }
    guard end.directory.count <= Self.directoryLimit else {
      throw SignetError(
        .archiveSize, "central directory", "is too large", expected: "at most \(Self.directoryLimit) bytes",
        found: "\(end.directory.count) bytes")
    }
    let directory = ZIPBytes(try source.bytes(in: end.directory))
    var places: [(range: Range<Int>, path: String)] = []
    var (contents, files): ([Range<Int>], [Range<Int>]) = ([], [])
    var offset = 0
    while offset < directory.count {
      let (record, next) = try SurveyedRecord.read(directory, offset)
      places.append((try range(of: record), record.header.path))
      let data = try dataRange(of: record)
      contents.append(data)
      // Nobody decompresses what a directory has.
      if record.header.name.last != UInt8(ascii: "/") { files.append(data) }
      offset = next
    }
    guard places.count == end.entryCount else {
      throw SignetError(
        .archiveEndRecord, "central directory", "does not have as many entries as the end record says",
        expected: "\(end.entryCount)", found: "\(places.count)")
    }
    try checkPlaces(places, mayHavePrefix)
    try checkStrays(in: contents)
    return files
  }

  /// Checks the signatures of other end records, so near the end that some programs look at them. An entry that is a ZIP
  /// itself and is not compressed has one. It leads nowhere: its offsets count from where that entry begins.
  private func checkStrays(in contents: [Range<Int>]) throws(SignetError) {
    for stray in try ZIPEndRecords.strays(in: source, before: end.recordsStart) {
      let couldCount = try couldCount(stray)
      guard contents.contains(where: { $0.contains(stray) }), !couldCount else {
        throw SignetError(
          .archiveEndRecord, "archive",
          "has another end record near its end that could count, and programs differ in which one they use",
          expected: "one", found: "another at \(stray)", hint: "compress the entry in which it is")
      }
    }
  }

  /// Whether a program could use the end record that begins at an offset: it leads to a record of a central directory,
  /// counts no entries, or has a comment that ends where the file does.
  private func couldCount(_ offset: Int) throws(SignetError) -> Bool {
    let record = ZIPBytes(try source.bytes(in: offset..<min(offset + ZIPEndRecords.zip64RecordSize, source.size)))
    func leads(to place: Int?, _ signature: ZIPSignature) throws(SignetError) -> Bool {
      guard let place, place >= 0, place <= source.size - 4 else { return false }
      return try ZIPBytes(source.bytes(in: place..<place + 4)).has(signature, at: 0)
    }
    if record.has(.zip64Locator, at: 0) {
      return record.count < ZIPEndRecords.locatorSize ? false : try leads(to: record.size(8), .zip64EndRecord)
    }
    if record.has(.zip64EndRecord, at: 0) {
      guard record.count >= ZIPEndRecords.zip64RecordSize else { return false }
      return try record.u64(32) == 0 ? true : leads(to: record.size(48), .centralHeader)
    }
    guard record.count >= ZIPEndRecords.recordSize else { return false }
    let commentEnd = offset + ZIPEndRecords.recordSize + record.u16(20)
    if record.u16(10) == 0 || commentEnd == source.size { return true }
    return try leads(to: record.u32(16), .centralHeader)
  }

  /// Where an entry is: its local header, its data, and the descriptor after them.
  private func range(of record: SurveyedRecord) throws(SignetError) -> Range<Int> {
    let header = record.header
    let dataEnd = try dataRange(of: record).upperBound
    let start = record.offset + end.prefix
    let local = ZIPBytes(try source.bytes(in: start..<start + ZIPHeader.localSize))
    try ZIPHeader.checkEncryption(local.u16(6), header.path)
    let flags = (header.flags | local.u16(6)) & ZIPHeader.dataDescriptor
    guard flags != 0 else { return start..<dataEnd }
    // Without a descriptor, the header has what the descriptor would say.
    let isInHeader = local.u32(14) == Int(header.crc) && [header.storedSize, ZIPMarker.long].contains(local.u32(18))
    guard let size = try descriptorSize(of: header, at: dataEnd) ?? (isInHeader ? 0 : nil) else {
      throw SignetError(
        .archiveHeaderMismatch, header.path, "has a data descriptor that differs from the central directory")
    }
    return start..<dataEnd + size
  }

  /// Where an entry's data are, after its local header.
  private func dataRange(of record: SurveyedRecord) throws(SignetError) -> Range<Int> {
    let header = record.header
    let limit = end.directory.lowerBound
    let (start, overflow) = record.offset.addingReportingOverflow(end.prefix)
    guard !overflow, start >= 0 else { throw Self.behind(header) }
    let data = try LenientZIPLocalHeader.dataOffset(
      of: ZIPCentralDirectory.Record(
        header: header, fields: record.fields, offset: start, kind: .file, mode: FileMode(permissions: 0o644)),
      at: start, in: source, before: limit)
    guard header.storedSize <= limit - data else { throw Self.behind(header) }
    return data..<data + header.storedSize
  }

  /// The size of the descriptor after an entry's data (APPNOTE 4.3.9), with a signature or not, with sizes of four or of
  /// eight bytes; nil if none of them has the values of the central directory.
  private func descriptorSize(of header: ZIPHeader, at offset: Int) throws(SignetError) -> Int? {
    let room = min(24, end.directory.lowerBound - offset)
    let bytes = try source.bytes(in: offset..<offset + room)
    let signature = ZIPBytes.little(ZIPSignature.dataDescriptor.rawValue, 4)
    let crc = ZIPBytes.little(Int(header.crc), 4)
    for start in [signature, []] {
      for width in [4, 8] {
        let expected =
          start + crc + ZIPBytes.little(header.storedSize, width) + ZIPBytes.little(header.size, width)
        if bytes.starts(with: expected) { return expected.count }
      }
    }
    return nil
  }

  /// Checks that nothing is before, between and after the entries, and that they share nothing.
  private func checkPlaces(_ places: [(range: Range<Int>, path: String)], _ mayHavePrefix: Bool) throws(SignetError) {
    let entriesStart = try entriesStart()
    var last: Int?
    for each in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let isFirst = last == nil
      var expected = last ?? (mayHavePrefix ? each.range.lowerBound : entriesStart)
      expected = try endOfFiller(from: expected, before: each.range.lowerBound)
      guard each.range.lowerBound >= expected else {
        throw SignetError(
          .archiveOverlap, each.path, "shares bytes with another entry", expected: "a beginning from \(expected) on",
          found: "\(each.range.lowerBound)")
      }
      guard each.range.lowerBound == expected else {
        guard !isFirst else { throw Self.leading(each.range.lowerBound) }
        throw SignetError(
          .archiveGap, each.path, "has bytes between it and the entry before it", expected: "\(expected)",
          found: "\(each.range.lowerBound)")
      }
      last = each.range.upperBound
    }
    // What is before the first entry must not be another ZIP, which some programs would find.
    let first = places.map(\.range.lowerBound).min() ?? 0
    if let other = try ZIPEndRecords.strays(in: source, before: first).first {
      throw SignetError(
        .archiveEndRecord, "archive", "has the signature of another end record before its first entry",
        expected: "one", found: "another at \(other)")
    }
    let entriesEnd = last ?? 0
    guard entriesEnd != end.directory.lowerBound else { return }
    // A signing block of Signet or Android may be there.
    if try androidBlock(from: entriesEnd) != nil { return }
    let block = try SigningBlock(in: source, before: end.directory.lowerBound, entriesEnd: nil)
    guard block?.range.lowerBound == entriesEnd else {
      throw SignetError(
        .archiveGap, "archive", "has bytes between its last entry and what follows", expected: "nothing",
        found: "\(end.directory.lowerBound - entriesEnd) bytes")
    }
  }

  /// Where the first entry begins. A program that was told to split an archive, and had no need to, leaves a marker before
  /// it (APPNOTE 8.5.3 and 8.5.4).
  private func entriesStart() throws(SignetError) -> Int {
    let start = try source.bytes(in: 0..<min(4, source.size))
    return Self.markers.contains(start) ? start.count : 0
  }

  private static let markers = [Array("PK00".utf8), Array("PK".utf8) + [0x07, 0x08]]

  /// The end of what fills a hole where it says nothing: local headers without a name and without content, whose extra
  /// fields are zeros. Android's build tools leave them where an entry was removed or is aligned.
  private func endOfFiller(from start: Int, before limit: Int) throws(SignetError) -> Int {
    var position = start
    while limit - position >= ZIPHeader.localSize {
      let header = ZIPBytes(try source.bytes(in: position..<position + ZIPHeader.localSize))
      // All fields between the signature and the size of the extra field, but for the time.
      let isEmpty = (4..<10).allSatisfy { header.bytes[$0] == 0 } && (14..<28).allSatisfy { header.bytes[$0] == 0 }
      let next = position + ZIPHeader.localSize + header.u16(28)
      guard header.has(.localHeader, at: 0), isEmpty, next <= limit,
        try source.bytes(in: position + ZIPHeader.localSize..<next).allSatisfy({ $0 == 0 })
      else { break }
      position = next
    }
    return position
  }

  private func androidBlock(from start: Int?) throws(SignetError) -> AndroidSigningBlock? {
    try AndroidSigningBlock(in: source, before: end.directory.lowerBound, entriesEnd: start)
  }

  /// Where the signatures of Android are in a ZIP without dangers, or nil. They belong to no entry.
  ///
  /// - Throws: what reading throws.
  package static func androidBlock(in source: any ByteSource) throws(SignetError) -> AndroidSigningBlock? {
    do throws(SignetError) {
      return try ZIPSurvey(source: source, end: LenientZIPEnd(source, mayBeEmpty: true)).androidBlock(from: nil)
    } catch {
      guard Set.aboutArchives.contains(error.code) else { throw error }
      return nil
    }
  }

  private static func leading(_ count: Int) -> SignetError {
    SignetError(
      .archiveLeadingData, "archive", "has bytes before its first entry", expected: "nothing",
      found: "\(count) bytes")
  }

  private static func behind(_ header: ZIPHeader) -> SignetError {
    SignetError(.archiveTruncated, header.path, "does not end before the central directory begins")
  }
}
