#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Locks that belong to an open file (F_OFD_SETLK, fcntl(2)) and not to the process: two openings exclude each other in one process, too, and
/// closing another descriptor of the file gives nothing up. They end with the last descriptor of the opening.
package enum OpenFileLock {
  /// Who may have it beside the one that asks.
  package enum Kind: Sendable {
    /// Others of this kind.
    case shared
    /// Nobody.
    case exclusive
  }

  /// Milliseconds between two tries.
  private static let interval = 20

  /// Takes the lock of one byte, which need not be there.
  ///
  /// - Parameters:
  ///   - descriptor: the open file, for writing where nobody else may have the lock.
  ///   - byte: which one, from 0 on.
  ///   - patience: milliseconds to wait for others.
  /// - Returns: false when others have it still.
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
}

/// A file that is there to be locked. It is never removed: who removed it would leave two, each locked by somebody else.
package final class LockFile: Sendable {
  private let descriptor: Int32
  /// What the system knew of it when it was opened.
  package let status: FileStatus

  /// Opens it, and makes it where it is missing and may be made.
  ///
  /// - Parameters:
  ///   - isMade: false for those who only lock what is there, for reading: the directory may be another user's.
  ///   - mode: its permissions when it is made, which the umask may lessen.
  package init(_ name: String, in folder: Directory, isMade: Bool, mode: UInt32 = 0o600) throws(SystemFailure) {
    // O_NONBLOCK: opening a pipe must not wait.
    let flags = (isMade ? O_RDWR | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    descriptor = try SystemCall.open(Array(name.utf8), in: folder.descriptor, flags, mode: mode)
    do throws(SystemFailure) { status = try FileStatus(of: descriptor) } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Takes the lock of one byte, as long as this value lives.
  ///
  /// - Returns: false when others have it still.
  package func take(
    _ kind: OpenFileLock.Kind, byte: Int64 = 0, patience: Int
  ) throws(SystemFailure) -> Bool {
    try OpenFileLock.take(kind, of: descriptor, byte: byte, patience: patience)
  }
}
