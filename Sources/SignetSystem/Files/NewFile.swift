#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that is made where nothing has its name, and that nobody else can open before it is finished.
///
/// One thread at a time writes to it.
package final class NewFile: @unchecked Sendable {
  // Sendable: a thread that passes the file to another one waits for it before it uses the file again.
  private var descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Puts bytes behind those that were written.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    try unsafe SystemCall.write(descriptor, bytes)
  }

  /// Puts bytes behind those that were written.
  package func append(_ bytes: [UInt8]) throws(SystemFailure) { try SystemCall.write(descriptor, bytes) }

  /// Has the disk begin with bytes that were written, so that a sync in the end has less to do. What fails here fails there.
  package func startWriting(_ range: Range<Int>) {
    #if !canImport(Darwin)
      _ = sync_file_range(descriptor, off_t(range.lowerBound), off_t(range.count), UInt32(SYNC_FILE_RANGE_WRITE))
    #endif
  }

  /// Gives it its permissions, whatever the umask is, and closes it.
  ///
  /// - Parameter isSynced: whether its bytes are on the disk afterwards.
  /// - Returns: what the system knows of it then.
  package func finish(mode: UInt32, isSynced: Bool = false) throws(SystemFailure) -> FileStatus {
    guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .last("fchmod") }
    if isSynced, fsync(descriptor) != 0 { throw .last("fsync") }
    let status = try FileStatus(of: descriptor)
    let number = descriptor
    descriptor = -1
    // Some file systems say only now that there was no room.
    guard close(number) == 0 || errno == EINTR else { throw .last("close") }
    return status
  }
}

extension OpenFolder {
  /// Makes a file of a name that nothing has.
  package func newFile(_ name: [UInt8]) throws(SystemFailure) -> NewFile {
    NewFile(try SystemCall.open(name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
  }
}

extension Directory {
  /// Makes a file of a name that nothing has.
  package func newFile(_ name: String) throws(SystemFailure) -> NewFile {
    NewFile(try SystemCall.open(Array(name.utf8), in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
  }
}
