internal import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension SignetError.Code {
  /// The passphrase cannot be read from its source.
  static let passphraseUnreadable = Self("passphrase.unreadable", .failure)
  /// The bytes that were read are not a passphrase: several lines, NUL, or too long.
  static let passphraseMalformed = Self("passphrase.malformed", .failure)
  /// The passphrase is empty.
  static let passphraseEmpty = Self("passphrase.empty", .failure)
  /// The two passphrases typed in differ.
  static let passphraseDiffers = Self("passphrase.differs", .failure)
}

/// Reads a passphrase into memory that is wiped.
enum PassphraseReader {
  /// The maximum number of bytes in a passphrase; OpenSSL's own prompt accepts 1023 bytes.
  private static let limit = 1024

  /// Reads the only line of a file, which may be a pipe.
  static func file(_ path: String) throws(SignetError) -> SecretBytes {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else { throw unreadable(path, .last("open")) }
    defer { close(number) }
    try checkHidden(number, path)
    return try read(number, path)
  }

  /// Reads the only line from a descriptor that the caller opened.
  static func descriptor(_ number: Int32) throws(SignetError) -> SecretBytes {
    try checkHidden(number, "descriptor \(number)")
    return try read(number, "descriptor \(number)")
  }

  /// Checks that the descriptor is not a terminal, which would show what is typed. Terminals are asked in another way.
  private static func checkHidden(_ number: Int32, _ name: String) throws(SignetError) {
    guard isatty(number) == 1 else { return }
    throw SignetError(
      .passphraseUnreadable, name, "is a terminal, which would show the passphrase",
      hint: "omit the option; Signet then asks without showing the passphrase")
  }

  /// Reads up to the end, or on a terminal up to the end of the line, which is not part of the passphrase.
  static func read(_ number: Int32, _ name: String) throws(SignetError) -> SecretBytes {
    let isTerminal = isatty(number) == 1
    return try unsafe SecretBytes(capacity: limit + 3) { (memory) throws(SignetError) -> Int in
      var count = 0
      while count < memory.count {
        let got: Int
        do throws(SystemFailure) {
          got = try unsafe SystemCall.read(number, into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
        } catch {
          throw unreadable(name, error)
        }
        count += got
        if got == 0 { break }
        if isTerminal, unsafe memory[count - 1] == UInt8(ascii: "\n") { break }
      }
      return try unsafe length(of: UnsafeRawBufferPointer(rebasing: memory[..<count]), name)
    }
  }

  /// The number of bytes in the passphrase: all bytes except one line end.
  private static func length(of bytes: UnsafeRawBufferPointer, _ name: String) throws(SignetError) -> Int {
    var count = bytes.count
    if count > 0, unsafe bytes[count - 1] == UInt8(ascii: "\n") {
      count -= 1
      if count > 0, unsafe bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    }
    let isPlain = unsafe bytes[..<count].allSatisfy { $0 != 0 && $0 != UInt8(ascii: "\n") }
    guard count <= limit, isPlain else {
      throw SignetError(
        .passphraseMalformed, name, "does not give a passphrase", expected: "one line of at most \(limit) bytes")
    }
    return count
  }

  static func unreadable(_ name: String, _ failure: SystemFailure) -> SignetError {
    SignetError(.passphraseUnreadable, name, "the passphrase cannot be read", cause: failure)
  }
}
