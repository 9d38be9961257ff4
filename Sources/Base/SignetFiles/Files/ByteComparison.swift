package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The comparison of two sources, byte by byte, in constant memory.
package enum ByteComparison {
  private static let pieceSize = 256 << 10

  /// The offset of the first byte that two sources do not have in common; nil if they are equal.
  ///
  /// If one source is the beginning of the other, it is the size of the shorter one.
  ///
  /// - Throws: what reading throws.
  package static func firstDifference(
    _ first: any ByteSource, _ second: any ByteSource
  ) throws(SignetError) -> Int? {
    let left = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 4096)
    defer { unsafe left.deallocate() }
    let right = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 4096)
    defer { unsafe right.deallocate() }
    let common = min(first.size, second.size)
    var offset = 0
    while offset < common {
      let count = min(pieceSize, common - offset)
      let one = unsafe UnsafeMutableRawBufferPointer(rebasing: left[..<count])
      let other = unsafe UnsafeMutableRawBufferPointer(rebasing: right[..<count])
      try unsafe first.read(into: one, at: offset)
      try unsafe second.read(into: other, at: offset)
      if let start = one.baseAddress, let otherStart = other.baseAddress,
        unsafe memcmp(start, otherStart, count) != 0,
        let index = (0..<count).first(where: { unsafe one[$0] != other[$0] })
      {
        return offset + index
      }
      offset += count
    }
    return first.size == second.size ? nil : common
  }
}
