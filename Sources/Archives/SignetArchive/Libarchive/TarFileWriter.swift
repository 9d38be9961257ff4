package import SignetBase
package import SignetFiles
internal import SignetNames
package import SignetSystem

/// Writes tars, compressed or not, that depend only on their content.
package enum TarFileWriter {
  /// Writes an archive.
  ///
  /// - Parameters:
  ///   - entries: the entries, in any order; ``ArchiveRules`` must hold for them.
  ///   - output: an empty file.
  ///   - time: the time of all entries.
  /// - Throws: `archive.empty`, `archive.filter`, `file.changed`, `output.failed`, and what reading the entries throws.
  package static func write(
    _ entries: [PackedEntry], to output: OutputWriter, _ compression: TarCompression?, time: UnixTime,
    progress: ProgressCounter? = nil
  ) throws(SignetError) {
    guard !entries.isEmpty else {
      throw SignetError(.archiveEmpty, "archive", "would have no entries", expected: "one entry or more")
    }
    guard let compression else {
      return try unsafe write(entries, time: time, progress: progress) { (piece) throws(SignetError) in
        try unsafe output.append(piece)
      }
    }
    let filter = try unsafe CompressionFilter(compression) { (piece) throws(SignetError) in
      try unsafe output.append(piece)
    }
    try unsafe write(entries, time: time, progress: progress) { (piece) throws(SignetError) in
      try unsafe filter.write(piece)
    }
    try filter.finish()
  }

  private static func write(
    _ entries: [PackedEntry], time: UnixTime, progress: ProgressCounter?, to sink: CompressionFilter.Sink
  ) throws(SignetError) {
    var writer = TarWriter(time: time)
    for entry in PackedEntry.sorted(entries) {
      let content = try entry.asArchived().content
      let header = writer.header(path: entry.path, content: content, permissions: entry.permissions)
      try unsafe PackedBytes(header).read(sink)
      guard case .file(let content, _) = entry.content else { continue }
      try unsafe write(content, path: entry.path, progress: progress, to: sink)
      try unsafe PackedBytes(TarWriter.padding(behind: content.size)).read(sink)
    }
    try unsafe PackedBytes(writer.end()).read(sink)
  }

  /// Writes a file's bytes. The header has already stated how many there are.
  private static func write(
    _ content: any PackedContent, path: String, progress: ProgressCounter?, to sink: CompressionFilter.Sink
  ) throws(SignetError) {
    var done = 0
    try unsafe content.read { (piece) throws(SignetError) in
      guard piece.count <= content.size - done else {
        throw EntryCompressor.changed(path, "more than \(content.size) bytes")
      }
      done += piece.count
      try unsafe sink(piece)
      progress?.add(piece.count)
    }
    guard done == content.size else { throw EntryCompressor.changed(path, "\(done) bytes") }
  }
}
