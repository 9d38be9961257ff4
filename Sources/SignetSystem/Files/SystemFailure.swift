#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A system call that failed, and why.
public struct SystemFailure: Error, Sendable, CustomStringConvertible {
  /// The call.
  public let operation: String
  /// The value of `errno`.
  public let number: Int32

  /// Describes a failure the caller has the number of.
  package init(_ operation: String, number: Int32) {
    self.operation = operation
    self.number = number
  }

  /// Takes the calling thread's `errno`: make it the first thing after the call.
  package static func last(_ operation: String) -> SystemFailure { SystemFailure(operation, number: errno) }

  /// What is not to be had just now.
  package static func unavailable(_ operation: String) -> SystemFailure {
    SystemFailure(operation, number: EAGAIN)
  }

  /// Whether nothing has that name.
  package var isMissing: Bool { number == ENOENT }
  /// Whether this user may not do it.
  package var isDenied: Bool { number == EACCES }
  /// Whether something cannot be renamed because its new place is another file system's, or another layer's.
  package var isAcrossFileSystems: Bool { number == EXDEV }
  /// Whether nobody reads what was written.
  package var isBrokenPipe: Bool { number == EPIPE }

  /// The call and the system's words for the number.
  public var description: String {
    var buffer = [CChar](repeating: 0, count: 256)
    #if canImport(Glibc)
      // GNU's form, which may give a text of its own instead of filling the buffer.
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
