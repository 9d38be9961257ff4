package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that is created under an unused name, and that other users cannot open before it is finished.
///
/// Only one thread at a time may write to it.
package final class NewFile: @unchecked Sendable {
  // Sendable: a thread that passes the file to another thread waits for it before it uses the file again.
  private var descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends bytes.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    try unsafe SystemCall.write(descriptor, bytes)
  }

  /// Appends bytes.
  package func append(_ bytes: [UInt8]) throws(SystemFailure) { try SystemCall.write(descriptor, bytes) }

  /// Starts to write a range of bytes to the disk, so that the final sync has less to do.
  ///
  /// A failure here is also reported by that sync.
  package func startWriting(_ range: Range<Int>) {
    #if !canImport(Darwin)
      _ = sync_file_range(descriptor, off_t(range.lowerBound), off_t(range.count), UInt32(SYNC_FILE_RANGE_WRITE))
    #endif
  }

  /// Sets the file's permissions, regardless of the umask, and closes it.
  ///
  /// - Parameter isSynced: whether the bytes are synced to the disk first.
  /// - Returns: the file's status afterwards.
  package func finish(mode: UInt32, isSynced: Bool = false) throws(SystemFailure) -> FileStatus {
    guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .last("fchmod") }
    if isSynced, fsync(descriptor) != 0 { throw .last("fsync") }
    let status = try FileStatus(of: descriptor)
    let number = descriptor
    descriptor = -1
    // Some file systems report only now that there was no space.
    guard close(number) == 0 || errno == EINTR else { throw .last("close") }
    return status
  }
}

extension OpenFolder {
  /// Creates a file under an unused name.
  package func newFile(_ name: [UInt8]) throws(SystemFailure) -> NewFile {
    NewFile(try SystemCall.open(name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
  }
}

extension Directory {
  /// Creates a file under an unused name.
  package func newFile(_ name: String) throws(SystemFailure) -> NewFile {
    NewFile(try SystemCall.open(Array(name.utf8), in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
  }
}
