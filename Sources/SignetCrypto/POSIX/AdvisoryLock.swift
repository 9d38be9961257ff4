#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A lock on a file or directory that other runs of the same program take, too (flock(2)). It lasts until the
/// descriptor is closed.
package enum AdvisoryLock {
  /// Milliseconds between two tries.
  private static let interval: UInt32 = 20
  /// Half a minute of tries.
  package static let patience = 1500

  /// Takes the lock of an open file.
  ///
  /// - Throws: `file.locked` when somebody else keeps it.
  package static func take(_ file: RegularFile, tries: Int = patience) throws(SignetError) {
    try take(file.descriptor, file.path, tries)
  }

  /// Takes the lock of an open directory.
  ///
  /// - Throws: `file.locked` when somebody else keeps it.
  package static func take(_ directory: Directory) throws(SignetError) {
    try take(directory.descriptor, directory.path, patience)
  }

  private static func take(_ descriptor: Int32, _ path: String, _ tries: Int) throws(SignetError) {
    for _ in 0..<tries {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      let failure = SystemFailure.last("flock")
      // File systems without locks: there it cannot be had.
      guard failure.number == EWOULDBLOCK || failure.number == EINTR else { return }
      usleep(interval * 1000)
    }
    throw SignetError(
      .fileLocked, path, "is being signed or changed by somebody else",
      hint: "run it again when the other has finished")
  }
}
