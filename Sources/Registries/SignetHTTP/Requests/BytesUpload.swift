package import SignetBase

/// Bytes in memory that are sent.
package final class BytesUpload: HTTPUpload {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var size: Int { bytes.count }

  package func next(atMost count: Int) throws(SignetError) -> [UInt8] {
    let piece = Array(bytes[position..<min(bytes.count, position + count)])
    position += piece.count
    return piece
  }

  package func rewind() { position = 0 }
}
