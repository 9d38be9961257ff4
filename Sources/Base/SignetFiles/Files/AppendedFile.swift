package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that grows: bytes are appended to it.
package final class AppendedFile {
  /// The file's size in bytes.
  package private(set) var size: Int
  package let path: String
  private let descriptor: Int32
  private let failed: @Sendable (String, SystemFailure) -> SignetError

  /// Creates a new file that other users cannot read, or opens an existing one to append to it.
  ///
  /// - Parameter failed: makes the error for a path that cannot be opened or written.
  /// - Throws: what `failed` returns, `file.not-regular`, `file.others-may-write`.
  package init(
    _ name: String, in folder: Directory, isNew: Bool,
    failed: @escaping @Sendable (String, SystemFailure) -> SignetError
  ) throws(SignetError) {
    path = folder.shown(Array(name.utf8))
    self.failed = failed
    // O_NONBLOCK: opening a pipe must not wait.
    let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    do throws(SystemFailure) {
      descriptor = try SystemCall.open(
        Array(name.utf8), in: folder.descriptor, isNew ? flags | O_CREAT | O_EXCL : flags)
    } catch {
      throw failed(path, error)
    }
    do throws(SignetError) {
      let status = try FileStatus(of: descriptor, path: path)
      guard status.kind == .regular else {
        throw SignetError(.fileNotRegular, path, "is not a regular file", expected: "a regular file")
      }
      try TrustedPath.check(status, of: descriptor, path, isSecret: false)
      size = status.size
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Appends bytes.
  package func append(_ bytes: [UInt8]) throws(SignetError) {
    do throws(SystemFailure) { try SystemCall.write(descriptor, bytes) } catch { throw failed(path, error) }
    size += bytes.count
  }

  /// Removes all bytes.
  package func empty() throws(SignetError) {
    guard ftruncate(descriptor, 0) == 0 else { throw failed(path, .last("ftruncate")) }
    size = 0
  }

  /// Syncs the bytes to the disk.
  package func sync() throws(SignetError) {
    guard fsync(descriptor) == 0 else { throw failed(path, .last("fsync")) }
  }
}
