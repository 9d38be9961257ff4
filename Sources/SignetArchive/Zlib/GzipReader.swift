internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Decompresses a gzip file (RFC 1952) of exactly one member.
///
/// With zlib and not with libarchive: the gzip reader of libarchive 3.6.2 checks neither the checksum nor the size at
/// the end, decompresses several members as if they were one, and takes whatever else follows for nothing. zlib checks
/// both, and the header's checksum, and says where the member ends.
@safe enum GzipReader {
  private static let inputSize = 64 << 10
  private static let outputSize = 256 << 10

  /// - Throws: `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.ratio`, `archive.size`, what the
  ///   sink throws, and what reading throws.
  static func decompress(
    _ source: any ByteSource, _ limits: ArchiveLimits, _ sink: EntryReader.Sink
  ) throws(SignetError) {
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 4096)
    defer { unsafe input.deallocate() }
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: outputSize, alignment: 4096)
    defer { unsafe output.deallocate() }
    let inflater = try Inflater(.gzip)
    var budget = ExpansionBudget(source, limits)
    var taken = 0
    while true {
      if inflater.isHungry, taken < source.size {
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: input[..<min(inputSize, source.size - taken)])
        try unsafe source.read(into: piece, at: taken)
        unsafe inflater.feed(UnsafeRawBufferPointer(piece))
        taken += piece.count
      }
      let (count, state) = try unsafe inflater.inflate(into: output, source.path)
      try budget.spend(count)
      if count > 0 { try unsafe sink(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count])) }
      if state == .ended {
        let rest = source.size - taken + inflater.unused
        guard rest == 0 else { throw SourceCursor.trailing(source.path, rest) }
        return
      }
      guard count > 0 || taken < source.size || !inflater.isHungry else { throw SourceCursor(source).truncated() }
    }
  }
}
