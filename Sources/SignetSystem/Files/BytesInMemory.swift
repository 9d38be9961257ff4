package import SignetBase

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
        .fileChanged, path, "ends too early", expected: "\(offset) and \(buffer.count) bytes",
        found: "\(content.count) bytes")
    }
    unsafe buffer.copyBytes(from: content[offset..<offset + buffer.count])
  }
}
