package import SignetBase

/// A known number of bytes that are read at offsets: an open file, or a file with some bytes replaced or left out.
///
/// Reading does not move a position, so several threads may read at once.
package protocol ByteSource: Sendable {
  /// The name for messages.
  var path: String { get }
  /// The number of bytes.
  var size: Int { get }
  /// Fills `buffer` from `offset` on.
  ///
  /// - Throws: `file.changed` if the bytes end before the buffer is full; `file.read-failed`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError)
  /// States that these bytes will not be read again.
  ///
  /// A private file returns their space to the system; other sources ignore this.
  func discard(_ range: Range<Int>)
}

extension ByteSource {
  package func discard(_ range: Range<Int>) {}

  /// Reads a range of the bytes.
  ///
  /// - Throws: `file.changed`, `file.read-failed`.
  package func bytes(in range: Range<Int>) throws(SignetError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var failure: SignetError?
    unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(SignetError) { try unsafe read(into: buffer, at: range.lowerBound) } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}

extension RegularFile: ByteSource {}

/// Bytes in memory that are used in place of a file.
package struct BytesInMemory: ByteSource {
  private let content: [UInt8]
  package let path: String

  /// - Parameter path: the name for messages.
  package init(_ content: [UInt8], path: String) {
    self.content = content
    self.path = path
  }

  package var size: Int { content.count }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    guard offset >= 0, offset <= content.count - buffer.count else {
      throw SignetError(
        .fileChanged, path, "is truncated", expected: "\(offset) and \(buffer.count) bytes",
        found: "\(content.count) bytes")
    }
    unsafe buffer.copyBytes(from: content[offset..<offset + buffer.count])
  }
}
