internal import SignetBase
internal import SignetFiles
internal import SignetNames
internal import SignetSystem

/// A private file that holds the bytes of all files of an archive, one after another.
final class ForeignSpool {
  private let snapshot: Snapshot
  private let limits: ArchiveLimits
  private var size = 0

  private static let zeros = [UInt8](repeating: 0, count: 64 << 10)

  /// - Parameters:
  ///   - folder: the folder whose file system holds the bytes.
  ///   - path: the archive's path, for messages.
  /// - Throws: `extraction.failed`.
  init(in folder: String, of path: String, _ limits: ArchiveLimits) throws(SignetError) {
    snapshot = try Snapshot(in: folder, of: path)
    self.limits = limits
  }

  /// Adds the bytes of the entry that the reader returned last.
  ///
  /// - Returns: where they are in the private file.
  /// - Throws: `archive.data` if they are not the bytes that the archive states, `archive.size`, `extraction.failed`,
  ///   and what reading throws.
  func take(
    _ header: ForeignReader.Header, _ path: String, from reader: ForeignReader
  ) throws(SignetError) -> Range<Int> {
    let start = size
    var inArchive = 0
    try unsafe reader.readData { (piece, offset) throws(SignetError) in
      guard offset >= size - start else {
        throw SignetError(.archiveData, path, "has overlapping data in the archive")
      }
      try fill(upTo: offset, from: start, path)
      try checkSize(offset + piece.count, from: start, path)
      try unsafe snapshot.append(piece)
      size += piece.count
      inArchive += piece.count
    }
    guard let expected = header.size else { return start..<size }
    // The last hole of a sparse file has no bytes after it.
    if let sparseSize = header.sparseSize {
      guard inArchive == sparseSize else { throw Self.wrongSize(path, expected: sparseSize, found: inArchive) }
      try fill(upTo: expected, from: start, path)
    }
    guard size - start == expected || header.isLink && size == start else {
      throw Self.wrongSize(path, expected: expected, found: size - start)
    }
    return start..<size
  }

  private static func wrongSize(_ path: String, expected: Int, found: Int) -> SignetError {
    SignetError(
      .archiveData, path, "does not have as many bytes as the archive says", expected: "\(expected)",
      found: "\(found)",
      hint: "get the archive again from its publisher")
  }

  /// Writes the zeros that the archive leaves out.
  private func fill(upTo end: Int, from start: Int, _ path: String) throws(SignetError) {
    try checkSize(end, from: start, path)
    while size - start < end {
      let count = min(Self.zeros.count, end - (size - start))
      try snapshot.append(Array(Self.zeros[..<count]))
      size += count
    }
  }

  private func checkSize(_ count: Int, from start: Int, _ path: String) throws(SignetError) {
    guard count <= limits.fileSize else {
      throw SignetError(
        .archiveSize, path, "is too large", expected: "at most \(limits.fileSize) bytes", found: "\(count) or more")
    }
    guard start + count <= limits.totalSize else {
      throw SignetError(
        .archiveSize, "archive", "is too large when unpacked", expected: "at most \(limits.totalSize) bytes in all",
        found: "more, with \(path)")
    }
  }

  /// The finished file, for reading.
  ///
  /// - Throws: `file.unreadable`.
  func finish() throws(SignetError) -> RegularFile { try snapshot.finish() }
}
