#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension Directory {
  /// Names in an open directory but `.` and `..`: all of them, or one more than so many.
  package static func names(
    in descriptor: Int32, upTo limit: Int
  ) throws(SystemFailure) -> (names: [[UInt8]], isWhole: Bool) {
    // A position of its own: the descriptor's is moved by whoever else reads it.
    let number = try descend([UInt8(ascii: ".")], in: descriptor)
    guard let stream = unsafe fdopendir(number) else {
      let failure = SystemFailure.last("fdopendir")
      close(number)
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while names.count <= limit {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw .last("readdir") }
        return (names, true)
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        let text = unsafe UnsafeRawPointer(start)
        return unsafe Array(
          UnsafeRawBufferPointer(start: text, count: strlen(text.assumingMemoryBound(to: CChar.self))))
      }
      if name != [UInt8(ascii: ".")], name != [UInt8(ascii: "."), UInt8(ascii: ".")] { names.append(name) }
    }
    return (names, false)
  }
}
