internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that is being fetched: bytes are put behind those that are there, and what is read in the end is the same open file.
final class StagingFile {
  /// How many bytes it has.
  private(set) var size: Int
  let path: String
  private let descriptor: Int32

  /// Makes a file that nobody else can read, where nothing is; or goes on with the one that is there.
  ///
  /// - Throws: `store.write-failed`, `file.not-regular`.
  init(_ name: String, in folder: Directory, isNew: Bool) throws(SignetError) {
    path = folder.shown(Array(name.utf8))
    // O_NONBLOCK: opening a pipe must not wait.
    let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    descriptor = try folder.openFile(name, isNew ? flags | O_CREAT | O_EXCL : flags)
    do throws(SignetError) {
      let status = try FileStatus(of: descriptor, path: path)
      guard status.kind == .regular else {
        throw SignetError(.fileNotRegular, path, "is not a regular file", expected: "a regular file")
      }
      try TrustedPath.check(status, path, isFolder: false)
      size = status.size
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Puts bytes behind the last one.
  ///
  /// - Throws: `store.write-failed`.
  func append(_ bytes: [UInt8]) throws(SignetError) {
    var failure: SystemFailure?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SystemFailure) { try unsafe SystemCall.write(descriptor, bytes) } catch { failure = error }
    }
    if let failure { throw .storeWriteFailed(path, failure) }
    size += bytes.count
  }

  /// Takes all bytes away.
  ///
  /// - Throws: `store.write-failed`.
  func empty() throws(SignetError) {
    guard ftruncate(descriptor, 0) == 0 else { throw .storeWriteFailed(path, .last("ftruncate")) }
    size = 0
  }

  /// Brings the bytes to the disk.
  ///
  /// - Throws: `store.write-failed`.
  func sync() throws(SignetError) {
    guard fsync(descriptor) == 0 else { throw .storeWriteFailed(path, .last("fsync")) }
  }
}
