package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// An open folder within a directory, so that its files need not be looked up from the directory each time.
package struct OpenFolder: ~Copyable {
  private let directory: Directory
  package let descriptor: Int32

  /// Opens a folder by its path in the directory, name by name, without following links.
  ///
  /// An empty path opens the directory itself.
  package init(_ path: [UInt8], in directory: Directory) throws(SystemFailure) {
    self.directory = directory
    descriptor = try directory.open(below: path)
  }

  deinit { close(descriptor) }

  /// The path of the folder that contains an entry.
  package static func path(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? []
  }

  /// Opens a regular file in this folder, unless it is a link.
  ///
  /// - Parameter path: the path from the directory; its last name is the file's.
  /// - Throws: `file.missing`, `file.unreadable`, `file.is-directory`, `file.not-regular`.
  package func file(_ path: [UInt8]) throws(SignetError) -> RegularFile {
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path[...]
    return try RegularFile(String(decoding: name, as: UTF8.self), in: descriptor, path: directory.shown(path))
  }

  /// Opens a regular file of a scan in this folder.
  ///
  /// - Throws: `file.changed` if it is not the file that was scanned; `file.unreadable`.
  package func file(_ entry: DirectoryScan.Entry) throws(SignetError) -> RegularFile {
    let file: RegularFile
    do throws(SignetError) {
      file = try self.file(entry.path)
    } catch  where [.fileMissing, .fileIsDirectory, .fileNotRegular].contains(error.code) {
      throw directory.changed(entry.path, "it was removed or replaced", cause: error)
    }
    guard file.status == entry.status else {
      throw directory.changed(entry.path, "it is another file, or was written to")
    }
    return file
  }
}

extension Directory {
  private static let readSize = 64 << 10

  /// Opens a regular file below, name by name, without following links.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.is-directory`, `file.not-regular`.
  package func file(_ path: String) throws(SignetError) -> RegularFile {
    let bytes = Array(path.utf8)
    return try folder(of: bytes) { RegularFile.refusal(shown(bytes), $0) }.file(bytes)
  }

  /// Opens a regular file of a scan.
  ///
  /// - Throws: `file.changed` if it is not the file that was scanned; `file.unreadable`.
  package func file(_ entry: DirectoryScan.Entry) throws(SignetError) -> RegularFile {
    try folder(of: entry.path) { complaint(OpenFolder.path(of: entry.path), $0) }.file(entry)
  }

  private func folder(
    of path: [UInt8], _ complaint: (SystemFailure) -> SignetError
  ) throws(SignetError) -> OpenFolder {
    do throws(SystemFailure) {
      return try OpenFolder(OpenFolder.path(of: path), in: self)
    } catch {
      throw complaint(error)
    }
  }

  /// Passes the bytes of a regular file of the directory to a sink, piece by piece.
  ///
  /// - Parameter entry: an entry of a scan; its name must be UTF-8.
  /// - Throws: what the sink throws; `file.changed` if the file is not the one that was scanned, or is written to
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
}
