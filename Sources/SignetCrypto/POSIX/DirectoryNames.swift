package import SignetBase

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

extension Directory {
  /// Names at most of a directory that a person fills.
  private static let entryLimit = 10_000

  /// The names in it that are text, sorted by their bytes.
  ///
  /// - Throws: `file.unreadable`, also for more than 10,000 names.
  package func entryNames() throws(SignetError) -> [String] {
    let found: (names: [[UInt8]], isWhole: Bool)
    do throws(SystemFailure) { found = try Self.names(in: descriptor, upTo: Self.entryLimit) } catch {
      throw SignetError(.fileUnreadable, path, "cannot be read", cause: error)
    }
    guard found.isWhole else {
      throw SignetError(
        .fileUnreadable, path, "has too many entries", expected: "at most \(Self.entryLimit)")
    }
    return found.names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap {
      String(validating: $0, as: UTF8.self)
    }
  }
}
