package import SignetBase

extension Directory {
  private static let readSize = 64 << 10

  /// Hands the bytes of a regular file of the directory on, piece by piece.
  ///
  /// - Parameter entry: an entry of a scan; its name must be UTF-8.
  /// - Throws: what the sink throws; `file.changed` when the file is not the one that was scanned, or is written to
  ///   meanwhile; `file.unreadable`, `file.read-failed`.
  package func read(
    _ entry: DirectoryScan.Entry, _ sink: (UnsafeRawBufferPointer) throws(SignetError) -> Void
  ) throws(SignetError) {
    let file = try file(entry)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
    defer { unsafe buffer.deallocate() }
    for offset in stride(from: 0, to: file.size, by: Self.readSize) {
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(Self.readSize, file.size - offset)])
      try unsafe file.read(into: piece, at: offset)
      try unsafe sink(UnsafeRawBufferPointer(piece))
    }
    try file.checkUnchanged()
  }

  /// Opens a regular file of a scan.
  ///
  /// - Throws: `file.changed` when it is not the one that was scanned; `file.unreadable`.
  package func file(_ entry: DirectoryScan.Entry) throws(SignetError) -> RegularFile {
    let file: RegularFile
    do throws(SignetError) {
      file = try self.file(String(decoding: entry.path, as: UTF8.self))
    } catch  where [.fileMissing, .fileIsDirectory, .fileNotRegular].contains(error.code) {
      throw changed(entry.path, "it is there no longer, or something else is", cause: error)
    }
    guard file.status == entry.status else {
      throw changed(entry.path, "it is another file, or was written to")
    }
    return file
  }
}
