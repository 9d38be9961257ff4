package import SignetBase
internal import SignetNames
package import SignetSystem

/// An entry of a new archive.
///
/// It has no owner, no time and only one bit of permissions, because an archive must not depend on who made it, when
/// and where.
package struct PackedEntry: Sendable {
  /// The path from the archive's root, without a slash at its end.
  package let path: String
  /// The kind of entry, with its content.
  package let content: Content

  /// The kind of an entry.
  package enum Content: Sendable {
    /// A regular file.
    case file(any PackedContent, isExecutable: Bool)
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink(target: String)
  }

  package init(path: String, content: Content) {
    self.path = path
    self.content = content
  }

  /// The permissions: everyone may read, and only the owner may write. Links have all permissions, as the systems give
  /// them.
  package var permissions: UInt32 {
    switch content {
    case .file(_, let isExecutable): isExecutable ? 0o755 : 0o644
    case .directory: 0o755
    case .symbolicLink: 0o777
    }
  }

  /// The number of bytes in the entry; 0 if it has none.
  package var size: Int {
    switch content {
    case .file(let content, _): content.size
    case .directory: 0
    case .symbolicLink(let target): target.utf8.count
    }
  }

  /// The name in an archive; a directory's name ends with a slash.
  package var name: String {
    if case .directory = content { path + "/" } else { path }
  }

  /// The entry as readers of archives see it, for the rules that hold for all entries together.
  ///
  /// - Throws: nothing in practice, because ``permissions`` never has other bits.
  package func asArchived() throws(SignetError) -> ArchiveEntry {
    guard let mode = FileMode(bits: permissions) else {
      throw SignetError(.archiveSpecialMode, path, "has a mode that entries cannot have")
    }
    let content: EntryContent =
      switch content {
      case .file(let content, _): .file(size: content.size)
      case .directory: .directory
      case .symbolicLink(let target): .symbolicLink(target: target)
      }
    return ArchiveEntry(
      path: path, content: content, mode: mode,
      data: ArchiveEntry.DataLocation(offset: 0, storedSize: size, coding: .plain))
  }

  /// The entries in the only order that an archive has: by the bytes of their names.
  package static func sorted(_ entries: [PackedEntry]) -> [PackedEntry] {
    entries.sorted { $0.name.precedesInBytes($1.name) }
  }
}

/// The bytes of a file for a new archive. They can be read more than once, on any thread, and are the same each time.
package protocol PackedContent: Sendable {
  /// The number of bytes.
  var size: Int { get }
  /// Passes all bytes to the sink, piece by piece.
  ///
  /// - Throws: what the sink throws, `file.changed`, `file.read-failed`, and what reading an archive throws.
  func read(_ sink: EntryReader.Sink) throws(SignetError)
  /// The same bytes, for random access.
  ///
  /// - Parameter path: the name of the bytes in messages.
  /// - Throws: `archive.size` if the bytes must be in memory and do not fit, and what reading throws.
  func source(_ path: String) throws(SignetError) -> any ByteSource
}

extension PackedContent {
  package func source(_ path: String) throws(SignetError) -> any ByteSource {
    guard size <= PackedBytes.sourceLimit else {
      throw SignetError(
        .archiveSize, path, "is too large to be inspected", expected: "at most \(PackedBytes.sourceLimit) bytes",
        found: "\(size) bytes", hint: "unpack it, and pack the directory")
    }
    return BytesInMemory(try PackedBytes(reading: self).bytes, path: path)
  }
}

/// A range of a file's bytes, as content of a new archive.
struct FilePart: PackedContent, ByteSource {
  private let file: any ByteSource
  private let range: Range<Int>
  let path: String

  private static let readSize = 256 << 10

  /// - Parameters:
  ///   - range: where the bytes are; within the file.
  ///   - path: the name of the bytes in messages.
  init(_ file: any ByteSource, _ range: Range<Int>, path: String) {
    self.file = file
    self.range = range
    self.path = path
  }

  var size: Int { range.count }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    guard offset >= 0, offset <= range.count - buffer.count else {
      throw SignetError(
        .fileChanged, path, "is truncated", expected: "\(offset) and \(buffer.count) bytes",
        found: "\(range.count) bytes")
    }
    try unsafe file.read(into: buffer, at: range.lowerBound + offset)
  }

  func read(_ sink: EntryReader.Sink) throws(SignetError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, min(Self.readSize, range.count)), alignment: 4096)
    defer { unsafe buffer.deallocate() }
    for start in stride(from: 0, to: range.count, by: Self.readSize) {
      let piece = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(Self.readSize, range.count - start)])
      try unsafe read(into: piece, at: start)
      try unsafe sink(UnsafeRawBufferPointer(piece))
    }
  }

  func source(_ path: String) -> any ByteSource { FilePart(file, range, path: path) }
}
