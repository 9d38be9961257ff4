/// The flat digest of a file: read and hashed in order.
enum FlatDigester {
  private static let readSize = 256 << 10

  static func digest(_ file: RegularFile, _ progress: ProgressCounter?) throws(SignetError) -> Digest {
    var digest = try IncrementalDigest(.sha256)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 4096)
    defer { unsafe buffer.deallocate() }
    for offset in stride(from: 0, to: file.size, by: readSize) {
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(readSize, file.size - offset)])
      try unsafe file.read(into: part, at: offset)
      try unsafe digest.update(UnsafeRawBufferPointer(part))
      progress?.add(part.count)
    }
    return try digest.finish()
  }
}
