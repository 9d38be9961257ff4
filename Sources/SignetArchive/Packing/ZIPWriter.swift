package import SignetCrypto

/// Writes strict ZIPs (docs/format.md): entries in the order of their names, one after another without gaps, sizes in
/// front of the data, and nothing that depends on the machine.
package struct ZIPWriter {
  private let output: ArchiveOutput
  private let time: DOSTime
  private let compressor: EntryCompressor
  private var directory: [UInt8] = []
  private var count = 0

  /// Writes an archive.
  ///
  /// - Parameters:
  ///   - entries: what goes into it, in any order; ``ArchiveRules`` must hold for them.
  ///   - output: an empty file.
  ///   - time: what all entries have as their time.
  /// - Throws: `archive.empty`, `file.changed`, `output.failed`, and what reading the entries throws.
  package static func write(
    _ entries: [PackedEntry], to output: ArchiveOutput, time: UnixTime, limits: ArchiveLimits,
    progress: ProgressCounter? = nil
  ) throws(SignetError) {
    guard !entries.isEmpty else {
      throw SignetError(.archiveEmpty, "archive", "would have no entries", expected: "one entry or more")
    }
    let total = entries.reduce(0) { $0 + $1.size }
    var writer = ZIPWriter(
      output: output, time: DOSTime(time), compressor: try EntryCompressor(limits, total: total))
    for entry in PackedEntry.sorted(entries) { try writer.add(entry, progress) }
    let start = output.position
    try output.append(writer.directory)
    try output.append(ZIPRecords.end(count: writer.count, directory: start..<output.position))
  }

  private init(output: ArchiveOutput, time: DOSTime, compressor: EntryCompressor) {
    self.output = output
    self.time = time
    self.compressor = compressor
  }

  /// The header is written twice: without sizes to keep its place, then as it must be.
  private mutating func add(_ entry: PackedEntry, _ progress: ProgressCounter?) throws(SignetError) {
    let offset = output.position
    var header = ZIPRecords.Header(name: Array(entry.name.utf8), size: entry.size)
    try output.append(header.local(time))
    let outcome: EntryCompressor.Outcome
    let type: Int
    switch entry.content {
    case .file(let content, _):
      type = ZIPAttributes.regularType
      outcome = try compressor.write(content, entry.path, to: output, progress)
    case .directory:
      type = ZIPAttributes.directoryType
      outcome = EntryCompressor.Outcome(crc: 0, storedSize: 0, isDeflated: false)
    case .symbolicLink(let target):
      type = ZIPAttributes.linkType
      outcome = try compressor.write(PackedBytes(Array(target.utf8)), entry.path, to: output, nil)
    }
    header.crc = Int(outcome.crc)
    header.storedSize = outcome.storedSize
    header.isDeflated = outcome.isDeflated
    try output.overwrite(at: offset, with: header.local(time))
    let attributes =
      (type | Int(entry.permissions)) << 16 | (type == ZIPAttributes.directoryType ? ZIPAttributes.directoryBit : 0)
    directory += header.central(time, attributes: attributes, offset: offset)
    count += 1
  }
}
