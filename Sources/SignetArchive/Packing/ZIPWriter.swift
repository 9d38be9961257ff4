package import SignetCrypto

/// Writes strict ZIPs (docs/format.md): entries in the order of their names, one after another without gaps, sizes in
/// front of the data, and nothing that depends on the machine.
package struct ZIPWriter {
  private let output: ArchiveOutput
  private let time: DOSTime
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
    memory: PackingMemory = PackingMemory(), progress: ProgressCounter? = nil
  ) throws(SignetError) {
    guard !entries.isEmpty else {
      throw SignetError(.archiveEmpty, "archive", "would have no entries", expected: "one entry or more")
    }
    let entries = PackedEntry.sorted(entries)
    let settings = CompressionQueue.Settings(
      limits: limits, memory: memory, total: entries.reduce(0) { $0 + $1.size })
    let compressor = try settings.compressor()
    let queue = CompressionQueue(entries, settings, progress)
    var writer = ZIPWriter(output: output, time: DOSTime(time))
    queue.start()
    defer { queue.stop() }
    for (number, run) in queue.runs.enumerated() {
      if run.isLarge {
        for entry in entries[run.entries] { try writer.add(entry, compressor, progress) }
      } else {
        let compressed = try queue.compressed(run: number, compressor)
        for (entry, data) in zip(entries[run.entries], compressed) { try writer.add(entry, data) }
      }
    }
    let start = output.position
    try output.append(writer.directory)
    try output.append(ZIPRecords.end(count: writer.count, directory: start..<output.position))
  }

  private init(output: ArchiveOutput, time: DOSTime) {
    self.output = output
    self.time = time
  }

  /// Adds an entry whose bytes are in memory.
  private mutating func add(_ entry: PackedEntry, _ data: EntryCompressor.Compressed) throws(SignetError) {
    let offset = output.position
    let header = Self.header(entry, data.outcome)
    try output.append(header.local(time))
    try output.append(data.bytes)
    list(entry, header, at: offset)
  }

  /// Adds a file that is compressed as it is written. The header is written twice: without sizes to keep its place, then
  /// as it must be.
  private mutating func add(
    _ entry: PackedEntry, _ compressor: EntryCompressor, _ progress: ProgressCounter?
  ) throws(SignetError) {
    guard case .file(let content, _) = entry.content else { return }
    let offset = output.position
    try output.append(Self.header(entry, .nothing).local(time))
    let header = Self.header(entry, try compressor.write(content, entry.path, to: output, progress))
    try output.overwrite(at: offset, with: header.local(time))
    list(entry, header, at: offset)
  }

  private static func header(_ entry: PackedEntry, _ outcome: EntryCompressor.Outcome) -> ZIPRecords.Header {
    ZIPRecords.Header(
      name: Array(entry.name.utf8), size: entry.size, storedSize: outcome.storedSize, crc: Int(outcome.crc),
      isDeflated: outcome.isDeflated)
  }

  private mutating func list(_ entry: PackedEntry, _ header: ZIPRecords.Header, at offset: Int) {
    let (type, bits) =
      switch entry.content {
      case .file: (ZIPAttributes.regularType, 0)
      case .directory: (ZIPAttributes.directoryType, ZIPAttributes.directoryBit)
      case .symbolicLink: (ZIPAttributes.linkType, 0)
      }
    let attributes = (type | Int(entry.permissions)) << 16 | bits
    directory += header.central(time, attributes: attributes, offset: offset)
    count += 1
  }
}
