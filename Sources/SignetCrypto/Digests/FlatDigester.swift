internal import SignetBase
internal import SignetSystem

/// The flat digest of a file: read and hashed in order.
enum FlatDigester {
  private static let readSize = 256 << 10

  /// Memory for the bytes of files up to a size that are read at once. Small files get little: a whole block would be mapped for them, and
  /// unmapping it stops all threads of the process for a moment.
  static func buffer(for size: Int) -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: min(readSize, max(size, 1)), alignment: 4096)
  }

  static func digest(_ file: any ByteSource, _ progress: ProgressCounter?) throws(SignetError) -> Digest {
    let buffer = unsafe buffer(for: file.size)
    defer { unsafe buffer.deallocate() }
    return try unsafe digest(file, buffer, progress)
  }

  /// The same in a buffer of the caller's, for many small files.
  static func digest(
    _ file: any ByteSource, _ buffer: UnsafeMutableRawBufferPointer, _ progress: ProgressCounter?
  ) throws(SignetError) -> Digest {
    var digest = try IncrementalDigest(.sha256)
    for offset in stride(from: 0, to: file.size, by: buffer.count) {
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, file.size - offset)])
      try unsafe file.read(into: part, at: offset)
      try unsafe digest.update(UnsafeRawBufferPointer(part))
      progress?.add(part.count)
    }
    return try digest.finish()
  }
}
