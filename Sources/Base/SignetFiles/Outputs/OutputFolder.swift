internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The folder that a file is written into.
final class OutputFolder: Sendable {
  private let path: String
  /// The descriptor of the folder, opened before anything is written, so that only the disk can fail once a file has
  /// its name.
  ///
  /// It is negative if the folder can be written to but not read; such a folder cannot be synced.
  private let descriptor: Int32

  /// The folder of a file.
  convenience init(of file: String) {
    let path = Self.path(of: file)
    self.init(path: path, descriptor: unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// The path of the folder that contains a file.
  static func path(of file: String) -> String {
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  /// Takes a descriptor of the open folder, and closes it at the end.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the folder is a directory or is inside it, at any depth.
  ///
  /// The result is false for a folder that cannot be opened: writing into it fails, too.
  func lies(in directory: FileStatus.Identity) -> Bool {
    guard descriptor >= 0, var current = try? FileStatus(of: descriptor, path: path).identity else { return false }
    guard var above = try? Directory.descend(Array(".".utf8), in: descriptor) else { return false }
    defer { close(above) }
    while current != directory {
      guard let next = try? Directory.descend(Array("..".utf8), in: above) else { return false }
      close(above)
      above = next
      // The root is its own parent.
      guard let parent = try? FileStatus(of: above, path: path).identity, parent != current else {
        return false
      }
      current = parent
    }
    return true
  }

  /// Opens a file without a name; negative if there are no such files, or if the file could not be named later.
  func openUnnamed(_ mode: UInt32) -> Int32 {
    #if canImport(Darwin)
      return -1
    #else
      guard unsafe access("/proc/self/fd", X_OK) == 0 else { return -1 }
      return unsafe open(path, O_RDWR | O_CLOEXEC | O_TMPFILE, mode_t(mode))
    #endif
  }

  /// A name in the folder that others cannot guess.
  func temporaryName() -> String { Self.temporaryName(in: path) }

  /// A name in a folder that others cannot guess.
  static func temporaryName(in path: String, _ suffix: String = ".tmp") -> String {
    "\(path)/\(TemporaryName.make(suffix))"
  }

  /// Syncs the names in the folder to the disk.
  func sync() throws(SystemFailure) {
    guard descriptor >= 0, fsync(descriptor) != 0 else { return }
    let failure = SystemFailure.last("fsync")
    // File systems that do not sync folders give these errors.
    guard failure.number == EINVAL || failure.number == ENOTSUP || failure.number == EROFS else { throw failure }
  }
}
