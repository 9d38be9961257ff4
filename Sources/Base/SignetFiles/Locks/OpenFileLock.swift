package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Locks that belong to an open file (F_OFD_SETLK, fcntl(2)), not to the process.
///
/// Two openings exclude each other even in one process, and closing another descriptor of the file does not release a
/// lock. A lock ends with the last descriptor of its opening.
package enum OpenFileLock {
  /// What a lock shares its byte with.
  package enum Kind: Sendable {
    /// Other shared locks.
    case shared
    /// No other lock.
    case exclusive
  }

  /// The interval between two tries, in milliseconds.
  private static let interval = 20

  /// Takes the lock of one byte, which need not exist in the file.
  ///
  /// - Parameters:
  ///   - descriptor: the open file; for an exclusive lock it must be open for writing.
  ///   - byte: the offset of the byte, from 0 on.
  ///   - patience: how long to wait for others, in milliseconds.
  /// - Returns: false if others still hold the lock.
  fileprivate static func take(
    _ kind: Kind, of descriptor: Int32, byte: Int64 = 0, patience: Int = 0
  ) throws(SystemFailure) -> Bool {
    var waited = 0
    while true {
      var lock = flock()
      lock.l_type = Int16(kind == .shared ? F_RDLCK : F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = off_t(byte)
      lock.l_len = 1
      if unsafe fcntl(descriptor, F_OFD_SETLK, &lock) == 0 { return true }
      let failure = SystemFailure.last("fcntl")
      guard [EAGAIN, EACCES, EINTR].contains(failure.number) else { throw failure }
      guard waited < patience else { return false }
      usleep(UInt32(interval * 1000))
      waited += interval
    }
  }

  /// Ends all locks of an opening, also those of its copies in other processes.
  fileprivate static func releaseAll(of descriptor: Int32) {
    var lock = flock()
    lock.l_type = Int16(F_UNLCK)
    lock.l_whence = Int16(SEEK_SET)
    // A length of 0 is everything from the start on.
    _ = unsafe fcntl(descriptor, F_OFD_SETLK, &lock)
  }
}

/// A file that exists only to be locked.
///
/// It is never removed. Otherwise there could be two such files, each with a lock held by a different process.
package final class LockFile: Sendable {
  let descriptor: Int32
  /// The file's status when it was opened.
  package let status: FileStatus

  /// Opens the file, and creates it if it is missing and `isMade` is true.
  ///
  /// - Parameters:
  ///   - isMade: false for callers that only lock an existing file: the directory may be another user's.
  ///   - isShared: whether the file is only locked for reading, so it need not be writable.
  ///   - mode: the permissions of a new file, before the umask.
  package init(
    _ name: String, in folder: Directory, isMade: Bool, isShared: Bool = false, mode: UInt32 = 0o600
  ) throws(SystemFailure) {
    // O_NONBLOCK: opening a pipe must not wait.
    let access = (isShared ? O_RDONLY : O_RDWR) | (isMade ? O_CREAT : 0)
    let flags = access | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    descriptor = try SystemCall.open(Array(name.utf8), in: folder.descriptor, flags, mode: mode)
    do throws(SystemFailure) { status = try FileStatus(of: descriptor) } catch {
      close(descriptor)
      throw error
    }
  }

  deinit {
    // A process that is just starting another program has a copy of the descriptor, with the lock, until that program
    // runs. The lock ends now all the same.
    OpenFileLock.releaseAll(of: descriptor)
    close(descriptor)
  }

  /// Takes the lock of one byte for the lifetime of this value.
  ///
  /// - Returns: false if others still hold the lock.
  package func take(
    _ kind: OpenFileLock.Kind, byte: Int64 = 0, patience: Int
  ) throws(SystemFailure) -> Bool {
    try OpenFileLock.take(kind, of: descriptor, byte: byte, patience: patience)
  }
}

extension TrustedPath {
  /// Checks that no other user may write a lock's file.
  ///
  /// - Throws: `file.others-may-write`.
  package static func check(_ file: LockFile, _ path: String) throws(SignetError) {
    try check(file.status, .descriptor(file.descriptor), path, isFolder: false)
  }
}
