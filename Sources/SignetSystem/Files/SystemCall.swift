#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// System calls whose names Swift's own hide, begun again when a signal interrupts them.
package enum SystemCall {
  /// Reads what there is, up to the buffer's size; 0 at the end.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemFailure) -> Int {
    while true {
      #if canImport(Darwin)
        let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      let failure = SystemFailure.last("read")
      guard failure.number == EINTR else { throw failure }
    }
  }

  /// Opens something by its name in an open folder (openat(2)). The caller closes the descriptor.
  ///
  /// - Parameters:
  ///   - flags: O_CLOEXEC goes without saying.
  ///   - mode: the permissions of what is made, which the umask may lessen.
  static func open(
    _ name: [UInt8], in folder: Int32, _ flags: Int32, mode: UInt32 = 0o600
  ) throws(SystemFailure) -> Int32 {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    while true {
      let number = unsafe openat(folder, name, flags | O_CLOEXEC, mode_t(mode))
      if number >= 0 { return number }
      let failure = SystemFailure.last("openat")
      guard failure.number == EINTR else { throw failure }
    }
  }

  /// Fills a buffer from an offset on, in as many calls as the system needs. The descriptor's position stays where it is.
  ///
  /// - Returns: how many bytes there were: fewer than the buffer has room for where the file ends.
  static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemFailure) -> Int {
    var done = 0
    while done < buffer.count {
      let count = unsafe pread(
        descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(offset + done))
      if count < 0 {
        let failure = SystemFailure.last("pread")
        if failure.number == EINTR { continue }
        throw failure
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes everything.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    var done = 0
    while done < bytes.count {
      let start = unsafe bytes.baseAddress?.advanced(by: done)
      #if canImport(Darwin)
        let count = unsafe Darwin.write(descriptor, start, bytes.count - done)
      #elseif canImport(Musl)
        let count = unsafe Musl.write(descriptor, start, bytes.count - done)
      #else
        let count = unsafe Glibc.write(descriptor, start, bytes.count - done)
      #endif
      if count >= 0 {
        done += count
        continue
      }
      let failure = SystemFailure.last("write")
      guard failure.number == EINTR else { throw failure }
    }
  }

  /// Writes a text, whole.
  package static func write(_ descriptor: Int32, _ text: String) throws(SystemFailure) {
    try write(descriptor, Array(text.utf8))
  }

  /// Writes bytes, all of them.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemFailure) {
    var failure: SystemFailure?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SystemFailure) { try unsafe write(descriptor, bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
