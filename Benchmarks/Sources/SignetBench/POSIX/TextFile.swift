#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Small files as a whole.
enum TextFile {
  /// The content; nil when the file cannot be read.
  static func content(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    // What is under /proc has no size to go by.
    while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 { content += buffer[..<count] }
    return String(decoding: content, as: UTF8.self)
  }

  /// Writes a file, over what is there.
  static func write(_ text: String, to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchFailure(system: "open", path) }
    defer { close(descriptor) }
    guard write(Array(text.utf8), toDescriptor: descriptor) else { throw BenchFailure(system: "write", path) }
  }

  /// Writes all bytes; false when that failed.
  static func write(_ bytes: [UInt8], toDescriptor descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let rest = bytes[done...]
      let count = unsafe rest.withUnsafeBytes { unsafe Self.write(descriptor, $0) }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      done += count
    }
    return true
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}

extension BenchFailure {
  /// A system call that has just failed.
  init(system call: String, _ object: String) {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) }
    self.init(message: "\(object): \(call): \(reason ?? "failed")")
  }
}
