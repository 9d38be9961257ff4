internal import CLibZ
internal import SignetBase
internal import SignetSystem

/// zlib's decompressor, for raw deflate data (RFC 1951) or for gzip data with their header and checksum (RFC 1952).
@safe final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>

  /// How a call ended.
  enum State { case goesOn, ended }

  /// The format around the compressed data.
  enum Wrapping { case none, gzip }

  init(_ wrapping: Wrapping = .none) throws(SignetError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status =
      switch wrapping {
      case .none: unsafe signet_inflate_init_raw(stream)
      case .gzip: unsafe signet_inflate_init_gzip(stream)
      }
    // The deinitializer frees the stream.
    guard status == Z_OK else { throw SignetError(.archiveData, "zlib", "cannot be set up") }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Begins new data.
  func reset() throws(SignetError) {
    unsafe stream.pointee.avail_in = 0
    guard unsafe inflateReset(stream) == Z_OK else {
      throw SignetError(.archiveData, "zlib", "cannot be set up")
    }
  }

  /// Begins new data that are in the input already, after those that have ended.
  func beginNext() throws(SignetError) {
    guard unsafe inflateReset(stream) == Z_OK else {
      throw SignetError(.archiveData, "zlib", "cannot be set up")
    }
  }

  /// The number of input bytes that are not used yet.
  var unused: Int { unsafe Int(stream.pointee.avail_in) }

  /// Whether all input is used.
  var isHungry: Bool { unsafe stream.pointee.avail_in == 0 }

  /// Provides input, which must stay where it is until it is used.
  func feed(_ bytes: UnsafeRawBufferPointer) {
    // zlib's field is not const and is only read.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
  }

  /// Decompresses as much as the output has room for.
  ///
  /// - Returns: the number of bytes that came out, and how the call ended.
  /// - Throws: `archive.data`.
  func inflate(
    into output: UnsafeMutableRawBufferPointer, _ path: String
  ) throws(SignetError) -> (Int, State) {
    unsafe stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = UInt32(output.count)
    let status = unsafe CLibZ.inflate(stream, Z_NO_FLUSH)
    let count = unsafe output.count - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END: return (count, .ended)
    // Z_BUF_ERROR: no progress is possible with this input; the caller checks whether there is more.
    case Z_OK, Z_BUF_ERROR: return (count, .goesOn)
    default: throw SignetError(.archiveData, path, "has damaged compressed data")
    }
  }

  /// Decompresses data that are complete, and returns all bytes.
  ///
  /// - Throws: `archive.data` for damaged data, and for more bytes than the limit.
  func inflated(_ bytes: [UInt8], atMost limit: Int, _ path: String) throws(SignetError) -> [UInt8] {
    var found: [UInt8] = []
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe feed(bytes)
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
      defer { unsafe room.deallocate() }
      do throws(SignetError) {
        while true {
          let (count, state) = try unsafe inflate(into: room, path)
          unsafe found += room[..<count]
          guard state == .goesOn else { return }
          guard count > 0, found.count <= limit else {
            throw SignetError(.archiveData, path, "has compressed data that are truncated or too long")
          }
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return found
  }
}

/// Decompresses a gzip file (RFC 1952): one member, or several if the caller accepts them.
///
/// It uses zlib and not libarchive. The gzip reader of libarchive 3.6.2 checks neither the checksum nor the size at the
/// end, decompresses several members as if they were one, and ignores anything else that follows. zlib checks both, and
/// the header's checksum, and says where the member ends.
@safe enum GzipReader {
  private static let inputSize = 64 << 10
  private static let outputSize = 256 << 10

  /// - Parameter joinsMembers: whether other members may follow the first one, as `gzip` accepts them.
  /// - Returns: the number of members.
  /// - Throws: `archive.data`, `archive.truncated`, `archive.trailing-data`, `archive.ratio`, `archive.size`, what the
  ///   sink throws, and what reading throws.
  @discardableResult static func decompress(
    _ source: any ByteSource, _ limits: ArchiveLimits, joinsMembers: Bool = false, _ sink: EntryReader.Sink
  ) throws(SignetError) -> Int {
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 4096)
    defer { unsafe input.deallocate() }
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: outputSize, alignment: 4096)
    defer { unsafe output.deallocate() }
    let inflater = try Inflater(.gzip)
    var budget = ExpansionBudget(source, limits)
    var (taken, members) = (0, 1)
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
        guard rest > 0 else { return members }
        guard joinsMembers, try isMember(source, at: source.size - rest) else {
          throw SourceCursor.trailing(source.path, rest)
        }
        try inflater.beginNext()
        members += 1
        continue
      }
      guard count > 0 || taken < source.size || !inflater.isHungry else { throw SourceCursor(source).truncated() }
    }
  }

  /// Whether a member begins here: its magic, and deflate as the method.
  private static func isMember(_ source: any ByteSource, at offset: Int) throws(SignetError) -> Bool {
    guard source.size - offset >= 3 else { return false }
    return try source.bytes(in: offset..<offset + 3) == [0x1f, 0x8b, 8]
  }
}
