internal import CLibZ
internal import SignetBase
internal import SignetSystem

/// zlib's decompressor, for raw deflate data (RFC 1951), or with the header and checksum of gzip (RFC 1952) or of zlib itself
/// (RFC 1950).
@safe final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>

  /// How a call ended.
  enum State { case goesOn, ended }

  /// The format around the compressed data.
  enum Wrapping { case none, gzip, zlib }

  init(_ wrapping: Wrapping = .none) throws(SignetError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status =
      switch wrapping {
      case .none: unsafe signet_inflate_init_raw(stream)
      case .gzip: unsafe signet_inflate_init_gzip(stream)
      case .zlib: unsafe signet_inflate_init_zlib(stream)
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

  /// Passes zeros in the input that is not used yet.
  ///
  /// - Returns: how many there were, up to another byte or the end of the input.
  func passZeros() -> Int {
    let input = unsafe UnsafeBufferPointer(start: stream.pointee.next_in, count: unused)
    let count = unsafe input.firstIndex { $0 != 0 } ?? input.count
    guard count > 0 else { return 0 }
    unsafe stream.pointee.next_in = stream.pointee.next_in?.advanced(by: count)
    unsafe stream.pointee.avail_in -= UInt32(count)
    return count
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
    // What came out before the fault is passed on. The next call has the same status, and no bytes.
    case Z_DATA_ERROR where count > 0: return (count, .goesOn)
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
