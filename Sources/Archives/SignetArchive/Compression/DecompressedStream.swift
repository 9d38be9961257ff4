internal import SignetBase
internal import SignetSystem

/// Decompresses data through exactly one compression, in constant memory.
protocol DecompressedStream: AnyObject {
  /// The next bytes, valid until the next call; empty at the end.
  ///
  /// - Throws: `archive.data`, `archive.truncated` or `archive.trailing-data` for a fault, and what reading throws. Bytes
  ///   that come before the fault have been returned before.
  func next() throws(SignetError) -> UnsafeRawBufferPointer
}

extension ByteSource {
  private static var zeroPieceSize: Int { 64 << 10 }

  /// The offset of the first byte from `start` on that is not zero, or nil.
  func firstNonzero(from start: Int) throws(SignetError) -> Int? {
    for start in stride(from: start, to: size, by: Self.zeroPieceSize) {
      let piece = try bytes(in: start..<Swift.min(start + Self.zeroPieceSize, size))
      if let place = piece.firstIndex(where: { $0 != 0 }) { return start + place }
    }
    return nil
  }
}
