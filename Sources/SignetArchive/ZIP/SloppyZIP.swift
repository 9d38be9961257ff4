package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// A ZIP as other programs write it, read to be packed anew: by its central directory.
///
/// Tolerated is what does not change which bytes an entry has: data descriptors, extra fields, entries in any order,
/// things in front of them, between them and behind the archive. Where two readers could see two archives it is refused
/// like any other.
package struct SloppyZIP {
  /// What it holds, in the order of its central directory.
  package let entries: [ArchiveEntry]

  /// Reads an archive.
  ///
  /// - Throws: `archive.…`, `path.…`.
  package init(_ source: any ByteSource, limits: ArchiveLimits) throws(SignetError) {
    let end = try SloppyZIPEnd(source)
    guard end.directory.count <= limits.directorySize else {
      throw SignetError(
        .archiveSize, "central directory", "is too large", expected: "at most \(limits.directorySize) bytes",
        found: "\(end.directory.count) bytes")
    }
    try ArchiveRules.checkCount(end.entryCount, limits)
    let directory = ZIPBytes(try source.bytes(in: end.directory))
    let records = try ZIPCentralDirectory(directory, count: end.entryCount, isSloppy: true).records
    let reader = EntryReader(source)
    var entries: [ArchiveEntry] = []
    var ranges: [(range: Range<Int>, path: String)] = []
    for record in records {
      let (start, overflow) = record.offset.addingReportingOverflow(end.prefix)
      guard !overflow else { throw Self.behind(record) }
      let data = try SloppyZIPLocalHeader.dataOffset(
        of: record, at: start, in: source, before: end.directory.lowerBound)
      guard record.header.storedSize <= end.directory.lowerBound - data else { throw Self.behind(record) }
      ranges.append((start..<data + record.header.storedSize, record.header.path))
      // What expands much is only packed anew: the limits for all files together bound the work.
      entries.append(try ZIPEntry.make(record, dataOffset: data, reader, limits, isSloppy: true))
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

  /// What goes into the new archive.
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
