internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// An entry of a ZIP whose two headers agree.
enum ZIPEntry {
  /// - Parameters:
  ///   - dataOffset: where the entry's data begin.
  ///   - isLenient: whether the archive is packed again. Then the expansion does not matter, and a directory may have a
  ///     compressed stream of no bytes, as Java's archiver writes it.
  /// - Throws: `archive.record`, `archive.ratio`, `path.…`; for links, also what reading their targets throws.
  static func make(
    _ record: ZIPCentralDirectory.Record, dataOffset: Int, _ reader: EntryReader, _ limits: ArchiveLimits,
    isLenient: Bool = false
  ) throws(SignetError) -> ArchiveEntry {
    let header = record.header
    let data = ArchiveEntry.DataLocation(
      offset: dataOffset, storedSize: header.storedSize,
      coding: header.method == 8 ? .deflated(crc: header.crc) : .stored(crc: header.crc))
    if !isLenient { try checkRatio(header, limits) }
    switch record.kind {
    case .file:
      return ArchiveEntry(path: header.path, content: .file(size: header.size), mode: record.mode, data: data)
    case .directory:
      guard header.size == 0, header.storedSize == 0 || (isLenient && header.method == 8), header.crc == 0 else {
        throw SignetError(
          .archiveRecord, header.path, "is a directory with content", expected: "none",
          found: "\(header.storedSize) bytes", hint: ZIPHint.repack)
      }
      if header.storedSize > 0 { _ = try reader.bytes(data, size: 0, path: header.path) }
      return ArchiveEntry(path: path(ofDirectory: header), content: .directory, mode: record.mode, data: data)
    case .symbolicLink:
      guard header.size <= EntryPath.lengthLimit else {
        throw SignetError(
          .pathBounds, header.path, "is a link with a target that is too long",
          expected: "at most \(EntryPath.lengthLimit) bytes", found: "\(header.size) bytes")
      }
      let target = try reader.bytes(data, size: header.size, path: header.path)
      guard UTF8Check.firstFault(in: target) == nil else {
        throw SignetError(.pathNotUTF8, header.path, "is a link whose target is not UTF-8")
      }
      return ArchiveEntry(
        path: header.path, content: .symbolicLink(target: String(decoding: target, as: UTF8.self)),
        mode: record.mode, data: data)
    }
  }

  /// The name without the slash that marks a directory. A name that is only a slash is left as it is.
  private static func path(ofDirectory header: ZIPHeader) -> String {
    header.name.count == 1 ? header.path : String(decoding: header.name.dropLast(), as: UTF8.self)
  }

  private static func checkRatio(_ header: ZIPHeader, _ limits: ArchiveLimits) throws(SignetError) {
    guard header.size > limits.ratioGrace, header.size / limits.ratio > header.storedSize else { return }
    throw SignetError(
      .archiveRatio, header.path, "expands too much",
      expected: "at most \(limits.ratio) times its \(header.storedSize) bytes", found: "\(header.size) bytes",
      hint: ZIPHint.repack)
  }
}
