#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file of bytes that no program can take a short cut through.
enum TestFile {
  private static let pieceWords = 128 << 10

  /// Makes a file of `size` pseudo-random bytes (SplitMix64, the same every time), written to the disk and left in the
  /// page cache: a disk that is still busy writing it would slow down whoever runs first.
  ///
  /// - Parameter seed: another gives other bytes.
  static func make(_ path: String, size: Int, seed: UInt64 = 1, isSynced: Bool = true) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchFailure(system: "open", path) }
    defer { close(descriptor) }
    var state = seed
    var piece = [UInt64](repeating: 0, count: pieceWords)
    var left = size
    while left > 0 {
      try Interruption.check()
      for index in piece.indices { piece[index] = next(&state) }
      let bytes = unsafe piece.withUnsafeBytes { unsafe Array($0.prefix(left)) }
      guard TextFile.write(bytes, toDescriptor: descriptor) else { throw BenchFailure(system: "write", path) }
      left -= bytes.count
    }
    guard !isSynced || fsync(descriptor) == 0 else { throw BenchFailure(system: "fsync", path) }
  }

  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
