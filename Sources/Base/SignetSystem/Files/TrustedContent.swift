package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Small content that decides about trust: keys, certificates, policies.
///
/// It comes from a file that no other user can have put there, or from a descriptor that the caller has opened.
package enum TrustedContent {
  /// Reads the content at a path.
  ///
  /// `/dev/stdin` and `/dev/fd/N`, which shells give for `<(command)`, name a descriptor. Its content was chosen by
  /// the user who started this process. If a descriptor leads to a file, no other user may be able to write that
  /// file, as with any other file.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - isSecret: whether the content is a secret, which others must not be able to read either. It may throw,
  ///     because an error about the content says more than one about its permissions.
  /// - Throws: `file.others-may-write`, `key.others-may-read`, `file.too-large`, what opening a ``RegularFile``
  ///   throws, and what `isSecret` throws.
  package static func read(
    _ path: String, limit: Int, isSecret: (SecretBytes) throws(SignetError) -> Bool = { _ in false }
  ) throws(SignetError) -> SecretBytes {
    if let number = descriptor(path) { return try read(number, path, limit: limit, isSecret: isSecret) }
    let file = try TrustedPath.open(path, isSecret: false)
    let content = try file.secretBytes(limit: limit)
    if try isSecret(content) { try TrustedPath.check(file, path, isSecret: true) }
    return content
  }

  /// Reads the content of a descriptor that the caller has opened, up to its end.
  ///
  /// - Parameter object: the name for messages.
  /// - Throws: the same errors as for a path.
  package static func read(
    _ descriptor: Int32, _ object: String, limit: Int,
    isSecret: (SecretBytes) throws(SignetError) -> Bool = { _ in false }
  ) throws(SignetError) -> SecretBytes {
    let status = try FileStatus(of: descriptor, path: object)
    let isFile = status.kind == .regular
    if isFile { try TrustedPath.check(status, of: descriptor, object, isSecret: false) }
    let content = try read(descriptor, object, limit: limit)
    if try isSecret(content), isFile { try TrustedPath.check(status, of: descriptor, object, isSecret: true) }
    return content
  }

  /// Reads content whose digest or key ID the caller knows, so that another user's file cannot pass for it.
  ///
  /// - Throws: `file.too-large`, and what opening a ``RegularFile`` throws.
  package static func readPinned(_ path: String, limit: Int) throws(SignetError) -> SecretBytes {
    guard let number = descriptor(path) else { return try RegularFile(opening: path).secretBytes(limit: limit) }
    return try read(number, path, limit: limit)
  }

  private static func read(_ descriptor: Int32, _ object: String, limit: Int) throws(SignetError) -> SecretBytes {
    guard isatty(descriptor) == 0 else {
      throw SignetError(.fileUnreadable, object, "is a terminal", expected: "a file or a pipe")
    }
    return try unsafe SecretBytes(capacity: limit + 1) { (memory) throws(SignetError) -> Int in
      var count = 0
      while count < memory.count {
        let got: Int
        do throws(SystemFailure) {
          got = try unsafe SystemCall.read(
            descriptor, into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
        } catch {
          throw SignetError(.fileReadFailed, object, "cannot be read", cause: error)
        }
        if got == 0 { return count }
        count += got
      }
      throw SignetError(
        .fileTooLarge, object, "is too large", expected: "at most \(limit) bytes")
    }
  }

  /// The descriptor that a path names; nil for other paths.
  private static func descriptor(_ path: String) -> Int32? {
    if path.isExactly("/dev/stdin") { return 0 }
    for prefix in ["/dev/fd/", "/proc/self/fd/"] where path.utf8.starts(with: prefix.utf8) {
      let digits = path.utf8.dropFirst(prefix.utf8.count)
      guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
      return Int32(String(decoding: digits, as: UTF8.self))
    }
    return nil
  }
}
