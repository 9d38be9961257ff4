#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The folder a file is written into.
final class OutputFolder: Sendable {
  private let path: String
  /// Open before anything is written, so that nothing but the disk can fail once a file has its name; negative where
  /// the folder may be written to and not read: then it cannot be synced.
  private let descriptor: Int32

  /// The folder of a file.
  convenience init(of file: String) {
    let path = Self.path(of: file)
    self.init(path: path, descriptor: unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// The path of the folder that a file is in.
  static func path(of file: String) -> String {
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  /// A folder that is open already; it closes the descriptor in the end.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether it is a directory, or lies in it at whatever depth. A folder that cannot be opened lies nowhere: writing
  /// into it fails, too.
  func lies(in directory: FileStatus.Identity) -> Bool {
    guard descriptor >= 0, var current = try? FileStatus(of: descriptor, path: path).identity else { return false }
    guard var above = try? Directory.descend(Array(".".utf8), in: descriptor) else { return false }
    defer { close(above) }
    while current != directory {
      guard let next = try? Directory.descend(Array("..".utf8), in: above) else { return false }
      close(above)
      above = next
      // The root lies in itself.
      guard let parent = try? FileStatus(of: above, path: path).identity, parent != current else {
        return false
      }
      current = parent
    }
    return true
  }

  /// Opens a file without a name; negative where there is no such thing, or no way to name it later.
  func openUnnamed(_ mode: UInt32) -> Int32 {
    #if canImport(Darwin)
      return -1
    #else
      guard unsafe access("/proc/self/fd", X_OK) == 0 else { return -1 }
      return unsafe open(path, O_RDWR | O_CLOEXEC | O_TMPFILE, mode_t(mode))
    #endif
  }

  /// A name in the folder that nobody can guess.
  func temporaryName() -> String { Self.temporaryName(in: path) }

  /// A name in a folder that nobody can guess.
  static func temporaryName(in path: String) -> String {
    "\(path)/.signet-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
  }

  /// Makes the names in it last.
  func sync() throws(SystemFailure) {
    guard descriptor >= 0, fsync(descriptor) != 0 else { return }
    let failure = SystemFailure.last("fsync")
    // What file systems say that do not sync folders.
    guard failure.number == EINVAL || failure.number == ENOTSUP || failure.number == EROFS else { throw failure }
  }
}
