#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A failed system call and its reason.
public struct SystemFailure: Error, Sendable, CustomStringConvertible {
  /// The name of the call that failed.
  public let operation: String
  /// The value of `errno` after the call.
  public let number: Int32

  /// Describes a failure whose number the caller has.
  package init(_ operation: String, number: Int32) {
    self.operation = operation
    self.number = number
  }

  /// Takes the calling thread's `errno`; call it first after the failed system call.
  package static func last(_ operation: String) -> SystemFailure { SystemFailure(operation, number: errno) }

  /// A failure to get something that is not available now.
  package static func unavailable(_ operation: String) -> SystemFailure {
    SystemFailure(operation, number: EAGAIN)
  }

  /// Whether nothing has that name.
  package var isMissing: Bool { number == ENOENT }
  /// Whether the operation is not permitted to this user.
  package var isDenied: Bool { number == EACCES }
  /// Whether a rename failed because the new place is on another file system, or in another layer.
  package var isAcrossFileSystems: Bool { number == EXDEV }
  /// Whether the reader of a pipe or socket is gone.
  package var isBrokenPipe: Bool { number == EPIPE }

  /// The call, and the system's description of the error number.
  public var description: String {
    var buffer = [CChar](repeating: 0, count: 256)
    #if canImport(Glibc)
      // This is the GNU form, which may return its own text instead of filling the buffer.
      let text =
        unsafe strerror_r(number, &buffer, buffer.count).map { unsafe String(cString: $0) } ?? "error \(number)"
    #else
      let known = unsafe strerror_r(number, &buffer, buffer.count) == 0
      let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = known ? String(decoding: bytes, as: UTF8.self) : "error \(number)"
    #endif
    return "\(operation): \(text)"
  }
}

/// System calls whose names are hidden by Swift's own; they are restarted if a signal interrupts them.
package enum SystemCall {
  /// Reads the bytes that are available, up to the buffer's size; returns 0 at the end.
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
  ///   - flags: the flags of openat(2); O_CLOEXEC is always added.
  ///   - mode: the permissions of a new file, before the umask.
  package static func open(
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

  /// Fills a buffer from an offset on, in as many calls as the system needs, without moving the descriptor's
  /// position.
  ///
  /// - Returns: the number of bytes that were read; fewer than the buffer's size if the file ends before it is full.
  package static func read(
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

  /// Writes all bytes.
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

  /// Writes the whole text.
  package static func write(_ descriptor: Int32, _ text: String) throws(SystemFailure) {
    try write(descriptor, Array(text.utf8))
  }

  /// Writes all bytes.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemFailure) {
    var failure: SystemFailure?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SystemFailure) { try unsafe write(descriptor, bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
