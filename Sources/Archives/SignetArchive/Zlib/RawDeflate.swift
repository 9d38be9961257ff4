internal import CLibZ
internal import SignetBase

/// zlib's compressor for raw deflate data (RFC 1951).
@safe final class Deflater {
  /// zlib's own default. Of 42 MB of shared libraries, level 6 leaves 38.8 %. Level 9 leaves 38.6 % and takes 3.5 times
  /// as long.
  private static let level: Int32 = 6

  private let stream: UnsafeMutablePointer<z_stream>

  init() throws(SignetError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // The deinitializer frees the stream.
    guard unsafe signet_deflate_init_raw(stream, Self.level) == Z_OK else { throw Self.failure }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Begins new data.
  func reset() throws(SignetError) {
    unsafe stream.pointee.avail_in = 0
    guard unsafe deflateReset(stream) == Z_OK else { throw Self.failure }
  }

  /// Compresses bytes, and passes on the output through the buffer.
  ///
  /// - Parameter isLast: whether nothing follows.
  func deflate(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, through buffer: UnsafeMutableRawBufferPointer,
    _ sink: EntryReader.Sink
  ) throws(SignetError) {
    // zlib's field is not const and is only read.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
    while true {
      unsafe stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
      unsafe stream.pointee.avail_out = UInt32(buffer.count)
      let status = unsafe CLibZ.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      // Z_BUF_ERROR: there was nothing to do.
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw Self.failure }
      let room = unsafe Int(stream.pointee.avail_out)
      let count = buffer.count - room
      if count > 0 { try unsafe sink(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])) }
      if isLast ? status == Z_STREAM_END : room > 0 { return }
    }
  }

  /// Compresses bytes that are complete.
  ///
  /// - Parameter limit: at least 1.
  /// - Returns: the compressed bytes if they are fewer than the limit; nil if they are not.
  func deflate(_ bytes: [UInt8], below limit: Int) throws(SignetError) -> [UInt8]? {
    var status = Z_STREAM_ERROR
    let deflated = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        // zlib's field is not const and is only read.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(limit)
        status = unsafe CLibZ.deflate(stream, Z_FINISH)
        count = unsafe limit - Int(stream.pointee.avail_out)
      }
    }
    // Z_OK and Z_BUF_ERROR: there is no room left. That is also so when the last byte has just fitted.
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw Self.failure }
    return status == Z_STREAM_END ? deflated : nil
  }

  private static var failure: SignetError { SignetError(.archiveData, "zlib", "cannot compress") }
}

/// Writes bytes as deflate's uncompressed blocks (RFC 1951, 3.2.4), so that they contain no signature of an end record:
/// a block ends before a signature's last byte.
///
/// An archive within an archive is stored in this way if it would be near the end. Programs that look there for end
/// records would otherwise find its own.
struct PartedBlocks {
  /// The complement of a length below 2^15 ends in a byte of 0x80 or more. So no signature (`PK`, and two bytes below
  /// 8) can extend into a block's header or out of it.
  private static let blockLimit = 0x7fff

  private var block: [UInt8] = []
  /// The last four bytes, the latest one highest, as in ``ZIPSignature``.
  private var last: UInt32 = 0

  init() { block.reserveCapacity(Self.blockLimit) }

  /// Takes bytes, and returns the blocks that are full.
  ///
  /// - Parameter isLast: whether nothing follows; then the last block is returned, too.
  mutating func encode(_ bytes: some Sequence<UInt8>, isLast: Bool) -> [UInt8] {
    var encoded: [UInt8] = []
    for byte in bytes {
      last = last >> 8 | UInt32(byte) << 24
      if block.count == Self.blockLimit || ZIPSignature.isOfEnd(last) { end(isFinal: false, in: &encoded) }
      block.append(byte)
    }
    if isLast { end(isFinal: true, in: &encoded) }
    return encoded
  }

  private mutating func end(isFinal: Bool, in encoded: inout [UInt8]) {
    encoded.append(isFinal ? 1 : 0)
    encoded += ZIPBytes.little(block.count, 2) + ZIPBytes.little(~block.count, 2) + block
    block.removeAll(keepingCapacity: true)
  }
}
