package import SignetBase
package import SignetSystem

/// A file without its middle, whose end is in memory: a ZIP as it was before a signing block was put before its central
/// directory.
///
/// The end was read once: the bytes that were parsed to find the block are the bytes that are hashed.
package struct SplicedFile: ByteSource {
  private let file: any ByteSource
  /// The number of bytes that come from the file.
  let head: Int
  /// The bytes after them.
  let tail: [UInt8]

  package init(_ file: any ByteSource, upTo head: Int, followedBy tail: [UInt8]) {
    self.file = file
    self.head = head
    self.tail = tail
  }

  package var path: String { file.path }
  package var size: Int { head + tail.count }

  package func discard(_ range: Range<Int>) { file.discard(range.clamped(to: 0..<head)) }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    guard offset >= 0, buffer.count <= size, offset <= size - buffer.count else {
      throw SignetError(.fileChanged, path, "is truncated", expected: "\(offset + buffer.count) bytes")
    }
    let count = max(0, min(buffer.count, head - offset))
    if count > 0 {
      try unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    }
    guard count < buffer.count else { return }
    let start = offset + count - head
    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(
      from: tail[start..<start + buffer.count - count])
  }
}
