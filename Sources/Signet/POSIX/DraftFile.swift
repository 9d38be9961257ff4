internal import SignetCrypto

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that has no name yet, or a temporary one, until it is published.
struct DraftFile: ~Copyable {
  let descriptor: Int32
  private let target: String
  private let folder: String
  /// The temporary name; nil while the file has none.
  private var temporary: String?

  /// - Parameter mayBeUnnamed: false to do without O_TMPFILE where there is one, which is for tests.
  init(beside target: String, mode: UInt32, mayBeUnnamed: Bool = true) throws(SystemFailure) {
    self.target = target
    folder = Self.folder(of: target)
    #if canImport(Darwin)
      let unnamed: Int32 = -1
    #else
      let unnamed = mayBeUnnamed ? unsafe open(folder, O_WRONLY | O_CLOEXEC | Self.unnamedFlag, mode_t(mode)) : -1
    #endif
    if unnamed >= 0 {
      descriptor = unnamed
      temporary = nil
      return
    }
    // No O_TMPFILE on this file system (or on this system): a random name beside the target.
    let name = Self.temporaryName(in: folder)
    let named = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
    guard named >= 0 else { throw .last("open") }
    descriptor = named
    temporary = name
  }

  deinit {
    close(descriptor)
    if let temporary { unsafe unlink(temporary) }
  }

  /// Syncs the bytes and gives the file its name.
  consuming func publish(replacing: Bool) throws(SystemFailure) {
    guard fsync(descriptor) == 0 else { throw .last("fsync") }
    if replacing {
      let name: String
      if let temporary {
        name = temporary
      } else {
        name = Self.temporaryName(in: folder)
        try link(to: name)
        temporary = name
      }
      guard unsafe rename(name, target) == 0 else { throw .last("rename") }
      temporary = nil
    } else {
      // Unlike rename, link never replaces a file that appeared meanwhile.
      try link(to: target)
    }
    try Self.syncFolder(folder)
  }

  private borrowing func link(to name: String) throws(SystemFailure) {
    if let temporary {
      guard unsafe linkat(AT_FDCWD, temporary, AT_FDCWD, name, 0) == 0 else { throw .last("link") }
    } else {
      // open(2), O_TMPFILE: the way to name the file that needs no privilege.
      guard unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
        throw .last("linkat")
      }
    }
  }

  private static func syncFolder(_ folder: String) throws(SystemFailure) {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open") }
    defer { close(descriptor) }
    // Some file systems do not sync folders and say so with EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync") }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func temporaryName(in folder: String) -> String {
    "\(folder)/.signet-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
  }

  #if !canImport(Darwin)
    /// O_TMPFILE (fcntl.h hides it from Swift behind a feature macro): __O_TMPFILE | O_DIRECTORY.
    private static let unnamedFlag: Int32 = 0o20_000_000 | O_DIRECTORY
  #endif
}
