package import SignetBase

/// Bytes at offsets, as many as it says: an open file, or a file of which some bytes are replaced or left out.
///
/// Reading does not move a position, so several threads may read at once.
package protocol ByteSource: Sendable {
  /// What to call it in messages.
  var path: String { get }
  /// How many bytes there are.
  var size: Int { get }
  /// Fills `buffer` from `offset` on.
  ///
  /// - Throws: `file.changed` when the bytes end before the buffer is full, `file.read-failed`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError)
  /// Says that nobody reads these bytes any more. A private file gives their space back to the system; everything else
  /// takes no notice.
  func discard(_ range: Range<Int>)
}

extension ByteSource {
  package func discard(_ range: Range<Int>) {}

  /// A part of the bytes.
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

/// Bytes in memory, where a file could be as well.
package struct BytesInMemory: ByteSource {
  private let content: [UInt8]
  package let path: String

  /// - Parameter path: what to call them in messages.
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
