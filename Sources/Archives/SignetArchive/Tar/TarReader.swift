package import SignetBase
package import SignetNames
package import SignetSystem

/// Reads the structure of a tar that is not compressed: POSIX's ustar format, with extended headers where they are
/// needed, and nothing else. So all readers see the same in it.
package struct TarReader {
  private let source: any ByteSource
  private let limits: ArchiveLimits
  private var position = 0

  /// The entries of a tar, in its order.
  ///
  /// - Throws: `archive.…`, `path.…`, and what reading throws.
  package static func entries(
    of source: any ByteSource, _ limits: ArchiveLimits
  ) throws(SignetError) -> [ArchiveEntry] {
    var reader = TarReader(source: source, limits: limits)
    let (entries, headers) = try reader.entries()
    try ArchiveRules.check(entries, limits)
    try TarHeaderNames.check(headers, of: entries, limits)
    return entries
  }

  private init(source: any ByteSource, limits: ArchiveLimits) {
    self.source = source
    self.limits = limits
  }

  private mutating func entries() throws(SignetError) -> ([ArchiveEntry], [TarHeaderNames.Headers]) {
    var entries: [ArchiveEntry] = []
    var headers: [TarHeaderNames.Headers] = []
    while let (first, start) = try nextHeader() {
      try ArchiveRules.checkCount(entries.count + 1, limits)
      guard first.type == UInt8(ascii: "x") else {
        entries.append(try entry(first, nil, start))
        headers.append(TarHeaderNames.Headers(extended: nil, header: first, start: start))
        continue
      }
      let records = try records(first, start)
      guard let (header, next) = try nextHeader(), header.type != UInt8(ascii: "x") else {
        throw damaged(start, "is an extended header without an entry after it")
      }
      entries.append(try entry(header, records, next))
      headers.append(
        TarHeaderNames.Headers(
          extended: (first, records.path != nil, records.linkPath != nil), header: header, start: start))
    }
    return (entries, headers)
  }

  /// The next header and its offset; nil at the end of the archive, which this checks.
  private mutating func nextHeader() throws(SignetError) -> (TarHeader, Int)? {
    let start = position
    let block = try bytes(TarField.blockSize)
    guard block.allSatisfy({ $0 == 0 }) else { return (try TarHeader(block, at: start), start) }
    guard try bytes(TarField.blockSize).allSatisfy({ $0 == 0 }) else {
      throw damaged(start, "is empty, but others follow", expected: "two empty blocks at the end")
    }
    try checkEnd()
    return nil
  }

  /// Checks that only zeros follow up to the end of the record, and nothing after it.
  private mutating func checkEnd() throws(SignetError) {
    let rest = source.size - position
    let overhang = position % TarField.recordSize
    let room = overhang == 0 ? 0 : TarField.recordSize - overhang
    guard rest <= room, rest % TarField.blockSize == 0, try bytes(rest).allSatisfy({ $0 == 0 }) else {
      throw SignetError(
        .archiveTrailingData, source.path, "has bytes after its end",
        expected: "zeros up to a multiple of \(TarField.recordSize) bytes", found: "\(rest) bytes")
    }
  }

  private mutating func records(_ header: TarHeader, _ start: Int) throws(SignetError) -> PaxRecords {
    guard header.size <= PaxRecords.sizeLimit else {
      throw damaged(
        start, "is an extended header that is too large", expected: "at most \(PaxRecords.sizeLimit) bytes",
        found: "\(header.size) bytes")
    }
    guard header.linkName.isEmpty else { throw damaged(start, "has a link target, but is not a link") }
    let bytes = try bytes(header.size)
    try passPadding(behind: header.size, of: "extended header at \(start)")
    return try PaxRecords(bytes, at: start)
  }

  private mutating func entry(
    _ header: TarHeader, _ records: PaxRecords?, _ start: Int
  ) throws(SignetError) -> ArchiveEntry {
    let name = try text(records?.path ?? header.name, start)
    try checkType(header.type, name, start)
    let size = try size(header, records, start)
    let mode = try mode(header, name, start)
    let location = ArchiveEntry.DataLocation(offset: position, storedSize: size, coding: .plain)
    let isLink = header.type == UInt8(ascii: "2")
    guard isLink || (header.linkName.isEmpty && records?.linkPath == nil) else {
      throw damaged(start, "has a link target, but is not a link")
    }
    guard header.type != UInt8(ascii: "0") else {
      guard size <= limits.fileSize else {
        throw SignetError(
          .archiveSize, name, "is too large", expected: "at most \(limits.fileSize) bytes", found: "\(size) bytes")
      }
      try pass(size)
      try passPadding(behind: size, of: name)
      return ArchiveEntry(path: name, content: .file(size: size), mode: mode, data: location)
    }
    guard size == 0 else {
      throw damaged(start, "has content, but is not a file", expected: "0", found: "\(size)")
    }
    guard isLink else {
      return ArchiveEntry(path: directory(name), content: .directory, mode: mode, data: location)
    }
    let target = try text(records?.linkPath ?? header.linkName, start)
    return ArchiveEntry(path: name, content: .symbolicLink(target: target), mode: mode, data: location)
  }

  /// A directory's name without the slash at its end. A name that is only a slash is left as it is, for the rules to
  /// refuse.
  private func directory(_ name: String) -> String {
    name.utf8.count > 1 && name.utf8.last == UInt8(ascii: "/") ? String(name.unicodeScalars.dropLast()) : name
  }

  private func checkType(_ type: UInt8, _ name: String, _ start: Int) throws(SignetError) {
    switch type {
    // Files, links and directories.
    case UInt8(ascii: "0"), UInt8(ascii: "2"), UInt8(ascii: "5"): return
    case UInt8(ascii: "1"):
      throw SignetError(
        .archiveHardLink, name, "is a hard link", expected: "a file of its own", hint: TarHint.repack)
    case UInt8(ascii: "3"), UInt8(ascii: "4"), UInt8(ascii: "6"):
      throw SignetError(
        .archiveSpecialFile, name, "is not a file, a directory or a symbolic link",
        expected: "files, directories and symbolic links", found: "a pipe or device")
    default:
      // These include g, which applies to all that follows, and GNU's L, K and S.
      let letter = type > 0x20 && type < 0x7f ? String(UnicodeScalar(type)) : "byte \(type)"
      throw damaged(start, "has a type that is not read", expected: "0, 2, 5 or x", found: letter)
    }
  }

  /// The size from the header, or from the extended header if the field has no room for it.
  private func size(_ header: TarHeader, _ records: PaxRecords?, _ start: Int) throws(SignetError) -> Int {
    guard let size = records?.size else { return header.size }
    // If the field has no room, programs leave it empty or write the largest number that fits.
    let isTooLarge = size > TarField.largestNumber && [0, TarField.largestNumber].contains(header.size)
    guard size == header.size || isTooLarge else {
      throw damaged(start, "has two sizes", expected: "\(size)", found: "\(header.size)")
    }
    return size
  }

  private func mode(_ header: TarHeader, _ name: String, _ start: Int) throws(SignetError) -> FileMode {
    guard header.mode <= 0o7777 else {
      throw damaged(start, "has a mode with bits other than permissions", found: String(header.mode, radix: 8))
    }
    guard let mode = FileMode(bits: UInt32(header.mode)) else {
      throw SignetError(
        .archiveSpecialMode, name, "has set-user-ID, set-group-ID or the sticky bit", expected: "0000 to 0777",
        found: FileMode.text(UInt32(header.mode)))
    }
    return mode
  }

  private func text(_ bytes: [UInt8], _ start: Int) throws(SignetError) -> String {
    guard UTF8Check.firstFault(in: bytes) == nil else {
      throw SignetError(
        .pathNotUTF8, String(decoding: bytes, as: UTF8.self), "a name in the header at \(start) is not UTF-8")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func passPadding(behind size: Int, of name: String) throws(SignetError) {
    guard try bytes(TarField.padding(behind: size)).allSatisfy({ $0 == 0 }) else {
      throw SignetError(
        .archiveGap, name, "has bytes between its content and the next header", expected: "zeros",
        hint: TarHint.repack)
    }
  }

  private mutating func bytes(_ count: Int) throws(SignetError) -> [UInt8] {
    let start = position
    try pass(count)
    return count == 0 ? [] : try source.bytes(in: start..<start + count)
  }

  private mutating func pass(_ count: Int) throws(SignetError) {
    guard count <= source.size - position else {
      throw SignetError(
        .archiveTruncated, source.path, "ends before its content does",
        hint: "get the archive again from its publisher")
    }
    position += count
  }

  private func damaged(
    _ start: Int, _ message: String, expected: String? = nil, found: String? = nil
  ) -> SignetError {
    SignetError(
      .archiveTarHeader, "header at \(start)", message, expected: expected, found: found, hint: TarHint.repack)
  }
}
