/// The flat digest of a file: read and hashed in order.
enum FlatDigester {
  static let readSize = 256 << 10

  static func digest(_ file: any ByteSource, _ progress: ProgressCounter?) throws(SignetError) -> Digest {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 4096)
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
