package import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that is written in sequence, and in which headers can be overwritten once their values are known.
///
/// It is written in large pieces, so most headers are corrected while they are still in memory.
@safe package final class OutputWriter {
  private static let capacity = 1 << 20

  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer
  /// The offset of the buffer's first byte in the file.
  private var start = 0
  private var count = 0

  /// Takes a descriptor for reading and writing, which must stay open as long as this writer is in use.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 4096)
  }

  deinit { unsafe buffer.deallocate() }

  /// The number of bytes written so far.
  package var position: Int { start + count }

  /// Appends bytes.
  ///
  /// - Throws: `output.failed`.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SignetError) {
    var done = 0
    while done < bytes.count {
      if count == Self.capacity { try flush() }
      let piece = min(bytes.count - done, Self.capacity - count)
      unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[done..<done + piece]))
      count += piece
      done += piece
    }
  }

  /// Appends bytes.
  ///
  /// - Throws: `output.failed`.
  package func append(_ bytes: [UInt8]) throws(SignetError) {
    try unsafe Self.with(bytes) { (bytes) throws(SignetError) in try unsafe append(bytes) }
  }

  /// Overwrites bytes that were written before.
  ///
  /// - Throws: `output.failed`.
  package func overwrite(at offset: Int, with bytes: [UInt8]) throws(SignetError) {
    if offset < start { try flush() }
    guard offset >= start else {
      return try unsafe Self.with(bytes) { (bytes) throws(SignetError) in try unsafe write(bytes, at: offset) }
    }
    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(offset - start)...]).copyBytes(from: bytes)
  }

  /// Discards what was written from this offset on.
  package func rewind(to offset: Int) {
    if offset >= start {
      count = offset - start
    } else {
      start = offset
      count = 0
    }
  }

  /// Writes everything to the file, which then ends at the last byte.
  ///
  /// - Returns: the file's bytes.
  /// - Throws: `output.failed`.
  package func finish() throws(SignetError) -> WrittenBytes {
    try flush()
    guard ftruncate(descriptor, off_t(position)) == 0 else { throw Self.failed(.last("ftruncate")) }
    return WrittenBytes(descriptor: descriptor, size: position)
  }

  private func flush() throws(SignetError) {
    try unsafe write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), at: start)
    start += count
    count = 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SignetError) {
    var done = 0
    while done < bytes.count {
      let written = unsafe pwrite(
        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
      if written >= 0 {
        done += written
        continue
      }
      let failure = SystemFailure.last("pwrite")
      guard failure.number == EINTR else { throw Self.failed(failure) }
    }
  }

  private static func with(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(SignetError) -> Void
  ) throws(SignetError) {
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SignetError) { try unsafe body(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private static func failed(_ failure: SystemFailure) -> SignetError {
    SignetError(
      .outputFailed, "archive", "cannot be written; nothing of it is left", cause: failure,
      hint: "check that the folder has space")
  }
}

/// The bytes written to a file that has no name yet.
package struct WrittenBytes: ByteSource {
  private let descriptor: Int32
  package let size: Int
  package var path: String { "archive" }

  init(descriptor: Int32, size: Int) {
    self.descriptor = descriptor
    self.size = size
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    let count: Int
    do throws(SystemFailure) {
      count = try unsafe SystemCall.read(descriptor, into: buffer, at: offset)
    } catch {
      throw SignetError(.fileReadFailed, path, "cannot be read again", cause: error)
    }
    guard count == buffer.count else { throw SignetError(.fileChanged, path, "is truncated") }
  }
}
