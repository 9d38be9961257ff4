#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file of bytes that no program can take a short cut through.
enum TestFile {
  private static let pieceSize = 1 << 20

  /// What a file is made of, the same every time.
  enum Content {
    /// Pseudo-random bytes (SplitMix64), which cannot be compressed.
    case noise
    /// Pseudo-random words of a small vocabulary, which can.
    case text
  }

  /// Makes a file of `size` bytes, written to the disk and left in the page cache: a disk that is still busy writing it
  /// would slow down whoever runs first.
  ///
  /// - Parameter seed: another gives other bytes.
  static func make(
    _ path: String, size: Int, of content: Content = .noise, seed: UInt64 = 1, isSynced: Bool = true
  ) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchFailure(system: "open", path) }
    defer { close(descriptor) }
    var state = seed
    var left = size
    while left > 0 {
      try Interruption.check()
      let bytes = piece(min(left, pieceSize), content, &state)
      guard TextFile.write(bytes, toDescriptor: descriptor) else { throw BenchFailure(system: "write", path) }
      left -= bytes.count
    }
    guard !isSynced || fsync(descriptor) == 0 else { throw BenchFailure(system: "fsync", path) }
  }

  /// Writes one byte over the first of a file that is there.
  static func change(_ path: String, to byte: UInt8) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw BenchFailure(system: "open", path) }
    defer { close(descriptor) }
    guard TextFile.write([byte], toDescriptor: descriptor) else { throw BenchFailure(system: "write", path) }
  }

  private static func piece(_ size: Int, _ content: Content, _ state: inout UInt64) -> [UInt8] {
    switch content {
    case .noise:
      var words = [UInt64](repeating: 0, count: (size + 7) / 8)
      for index in words.indices { words[index] = next(&state) }
      return unsafe words.withUnsafeBytes { unsafe Array($0.prefix(size)) }
    case .text:
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size + longestWord)
      while bytes.count < size { bytes += vocabulary[Int(next(&state) % UInt64(vocabulary.count))] }
      return Array(bytes.prefix(size))
    }
  }

  private static let longestWord = 10
  /// Words of two to nine letters, each with a space behind it.
  private static let vocabulary: [[UInt8]] = {
    var state: UInt64 = 7
    return (0..<2048).map { _ in
      let word = next(&state)
      let letters = (0..<2 + Int(word >> 61)).map { UInt8(ascii: "a") + UInt8(word >> (5 * UInt64($0)) & 31) % 26 }
      return letters + [UInt8(ascii: " ")]
    }
  }()

  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
