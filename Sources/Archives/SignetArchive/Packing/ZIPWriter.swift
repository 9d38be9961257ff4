package import SignetBase
package import SignetFiles
package import SignetNames
package import SignetSystem

/// Writes strict ZIPs (docs/format.md): entries in the order of their names, one after another without gaps, sizes
/// before the data, and nothing that depends on the machine.
package struct ZIPWriter {
  private let output: OutputWriter
  private let time: DOSTime
  /// Where the central directory ends.
  private var directoryEnd = 0
  /// The indices of entries that must not contain the signature of an end record.
  private let parted: Set<Int>
  private var directory: [UInt8] = []
  /// Where the data of each entry are.
  private var places: [Range<Int>] = []

  /// Writes an archive.
  ///
  /// - Parameters:
  ///   - entries: the entries, in any order; ``ArchiveRules`` must hold for them.
  ///   - output: an empty file.
  ///   - time: the time of all entries.
  /// - Throws: `archive.empty`, `archive.end-record`, `file.changed`, `output.failed`, and what reading the entries
  ///   throws.
  package static func write(
    _ entries: [PackedEntry], to output: OutputWriter, time: UnixTime, limits: ArchiveLimits,
    memory: PackingMemory = PackingMemory(), progress: ProgressCounter? = nil
  ) throws(SignetError) {
    guard !entries.isEmpty else {
      throw SignetError(.archiveEmpty, "archive", "would have no entries", expected: "one entry or more")
    }
    let entries = PackedEntry.sorted(entries)
    var parted: Set<Int> = []
    while true {
      let writer = try ZIPWriter(
        entries, to: output, time: DOSTime(time), limits: limits, memory: memory, parted: parted,
        progress: parted.isEmpty ? progress : nil)
      let found = try writer.strays(in: output.finish(), entries)
      guard !found.isEmpty else { return }
      // This makes entries larger and never smaller, so no others come near the end: the second time is the last.
      guard parted.isDisjoint(with: found) else { throw stray(in: "archive") }
      parted.formUnion(found)
      output.rewind(to: 0)
    }
  }

  /// Writes the archive once.
  private init(
    _ entries: [PackedEntry], to output: OutputWriter, time: DOSTime, limits: ArchiveLimits,
    memory: PackingMemory, parted: Set<Int>, progress: ProgressCounter?
  ) throws(SignetError) {
    self.output = output
    self.time = time
    self.parted = parted
    let settings = CompressionQueue.Settings(
      limits: limits, memory: memory, total: entries.reduce(0) { $0 + $1.size })
    let compressor = try settings.compressor()
    let queue = CompressionQueue(entries, settings, alone: parted, progress)
    queue.start()
    defer { queue.stop() }
    for (number, run) in queue.runs.enumerated() {
      if run.isLarge {
        for entry in entries[run.entries] { try add(entry, compressor, progress) }
      } else {
        let compressed = try queue.compressed(run: number, compressor)
        for (entry, data) in zip(entries[run.entries], compressed) { try add(entry, data) }
      }
    }
    let start = output.position
    try output.append(directory)
    directoryEnd = output.position
    try output.append(ZIPRecords.end(count: places.count, directory: start..<directoryEnd))
  }

  /// The entries whose data contain the signature of an end record so near the end that programs find it.
  ///
  /// - Throws: `archive.end-record` if a signature is elsewhere: no other way to write the archive would help.
  private func strays(in written: WrittenBytes, _ entries: [PackedEntry]) throws(SignetError) -> Set<Int> {
    var found: Set<Int> = []
    for offset in try ZIPEndRecords.strays(in: written, before: directoryEnd) {
      guard let number = places.firstIndex(where: { $0.contains(offset) }), case .file = entries[number].content
      else { throw Self.stray(in: "archive") }
      found.insert(number)
    }
    return found
  }

  private static func stray(in path: String) -> SignetError {
    SignetError(
      .archiveEndRecord, path, "would have the signature of another end record near its end",
      hint: "pack it as a tar, or change a file by a byte")
  }

  /// Adds an entry whose bytes are in memory.
  private mutating func add(_ entry: PackedEntry, _ data: EntryCompressor.Compressed) throws(SignetError) {
    let offset = output.position
    let header = Self.header(entry, data.outcome)
    try output.append(header.local(time, at: offset))
    try output.append(data.bytes)
    list(entry, header, at: offset)
  }

  /// Adds a file that is compressed as it is written. The header is written twice: first without sizes to keep its
  /// place, then with its final values.
  private mutating func add(
    _ entry: PackedEntry, _ compressor: EntryCompressor, _ progress: ProgressCounter?
  ) throws(SignetError) {
    guard case .file(let content, _) = entry.content else { return }
    let offset = output.position
    try output.append(Self.header(entry, .nothing).local(time, at: offset))
    let outcome =
      parted.contains(places.count)
      ? try compressor.writeParted(content, entry.path, to: output)
      : try compressor.write(content, entry.path, to: output, progress)
    let header = Self.header(entry, outcome)
    try output.overwrite(at: offset, with: header.local(time, at: offset))
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
    places.append(output.position - header.storedSize..<output.position)
  }
}
