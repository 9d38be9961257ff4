internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that is open and locked by this process (F_SETLK, fcntl(2)) as long as the value lives.
///
/// A process that is forked off does not have the lock. With a lock of the open file (``OpenFileLock``) it would have it: a crash of this process
/// would not show before its children have ended, too. A lock of the process ends when the process closes any descriptor of the file. So a file
/// that is locked here is never opened a second time.
final class ProcessLockedFile: Sendable {
  let descriptor: Int32
  private let identity: FileStatus.Identity

  /// The files that this process has locked. A thread that opens or closes one holds this monitor.
  private static let locked = Monitor<Set<FileStatus.Identity>>([])

  /// Opens a regular file and locks it.
  ///
  /// - Parameters:
  ///   - folder: the descriptor of its directory.
  ///   - isNew: whether the file is made; it must not be there.
  /// - Returns: nil where it is locked, by another process or by this one, or is no regular file.
  static func open(_ name: String, in folder: Int32, isNew: Bool) throws(SystemFailure) -> ProcessLockedFile? {
    try locked.withLock { (locked) throws(SystemFailure) in
      if !isNew {
        let status = try FileStatus(of: Array(name.utf8), in: folder)
        guard status.kind == .regular, !locked.contains(status.identity) else { return nil }
      }
      let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
      let number = unsafe openat(folder, name, isNew ? flags | O_CREAT | O_EXCL : flags, 0o600)
      guard number >= 0 else { throw .last("openat") }
      do throws(SystemFailure) {
        guard let identity = try lock(number, except: locked) else { return nil }
        locked.insert(identity)
        return ProcessLockedFile(number, identity)
      } catch {
        // Where nothing can be locked, nobody would remove it later either.
        if isNew { unsafe unlinkat(folder, name, 0) }
        throw error
      }
    }
  }

  /// - Returns: which file it is; nil where it is not to be had, and then it is closed.
  private static func lock(
    _ descriptor: Int32, except locked: Set<FileStatus.Identity>
  ) throws(SystemFailure) -> FileStatus.Identity? {
    guard let status = try? FileStatus(of: descriptor, path: "") else {
      let failure = SystemFailure.last("fstat")
      close(descriptor)
      throw failure
    }
    // Another file may have got the name since it was looked at, and this process may have locked it. Closing it would give that up.
    guard !locked.contains(status.identity) else { return nil }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    guard status.kind == .regular, unsafe fcntl(descriptor, F_SETLK, &range) == 0 else {
      let failure = SystemFailure.last("fcntl")
      close(descriptor)
      guard status.kind == .regular, ![EAGAIN, EACCES].contains(failure.number) else { return nil }
      throw failure
    }
    return status.identity
  }

  private init(_ descriptor: Int32, _ identity: FileStatus.Identity) {
    self.descriptor = descriptor
    self.identity = identity
  }

  deinit {
    Self.locked.withLock { locked in
      close(descriptor)
      locked.remove(identity)
    }
  }
}
