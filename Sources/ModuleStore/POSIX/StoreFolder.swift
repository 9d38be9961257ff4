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

/// A directory of the store that is changed, by descriptors and names: no path is looked up again.
///
/// Every failure is that of the whole change: whoever began it undoes it.
struct StoreFolder: Sendable {
  let directory: Directory

  init(_ directory: Directory) throws(SignetError) {
    try Self.check(directory.status, directory.path)
    self.directory = directory
  }

  /// Makes the directory of a store, unless there is something of that name. Nothing is made where others may write.
  ///
  /// - Returns: whether it was made.
  /// - Throws: `store.write-failed`, `file.others-may-write`.
  static func make(_ path: String) throws(SignetError) -> Bool {
    // What a path with NUL would be is said when it is opened.
    guard !path.utf8.contains(0), (try? FileStatus(ofLink: path)) == nil else { return false }
    do throws(SignetError) {
      try TrustedPath.checkFolder(of: trimmed(path))
    } catch  where error.code == .fileMissing {
      // Why it cannot be made is said by who makes it.
    }
    guard unsafe mkdir(path, 0o755) != 0 else { return true }
    let failure = SystemFailure.last("mkdir")
    guard failure.number == EEXIST else { throw .storeWriteFailed(path, failure) }
    return false
  }

  /// Without the slashes at its end.
  private static func trimmed(_ path: String) -> String {
    path.utf8.lastIndex { $0 != UInt8(ascii: "/") }.map { String(path[...$0]) } ?? path
  }

  /// Opens a directory in this one.
  ///
  /// - Throws: `file.missing`, `file.not-directory`, `file.others-may-write`.
  func folder(_ name: String) throws(SignetError) -> StoreFolder {
    try StoreFolder(try directory.subdirectory(name))
  }

  /// Opens a file in this one.
  ///
  /// - Throws: what opening a ``RegularFile`` throws, and `file.others-may-write`.
  func file(_ name: String) throws(SignetError) -> RegularFile {
    let file = try directory.file(name)
    try Self.check(file.status, file.path)
    return file
  }

  /// Makes sure that nobody else may write something of the store.
  ///
  /// - Throws: `file.others-may-write`.
  static func check(_ status: FileStatus, _ path: String) throws(SignetError) {
    try TrustedPath.check(status, path, isFolder: false)
  }

  /// The names in it, sorted, or as many as may be looked at.
  func names(upTo limit: Int) throws(SignetError) -> [String] {
    do throws(SystemFailure) {
      return try Directory.names(in: directory.descriptor, upTo: limit).names
        .map { String(decoding: $0, as: UTF8.self) }.sorted()
    } catch {
      throw SignetError(.fileUnreadable, directory.path, "cannot be read", cause: error)
    }
  }

  /// Opens a directory in this one that nobody else can enter; what others might read of it is taken from them.
  ///
  /// - Returns: nil where there is none, or it is another user's.
  /// - Throws: `file.not-directory`, `file.others-may-write`, `file.unreadable`, `store.write-failed`.
  func privateFolder(_ name: String) throws(SignetError) -> Directory? {
    let folder: Directory
    do throws(SignetError) { folder = try directory.subdirectory(name) } catch {
      guard let failure = error.cause as? SystemFailure, failure.number == ENOENT || failure.number == EACCES else {
        throw error
      }
      return nil
    }
    guard folder.status.owner == geteuid() else { return nil }
    try Self.check(folder.status, folder.path)
    guard folder.status.mode & 0o077 == 0 || fchmod(folder.descriptor, 0o700) == 0 else {
      throw failed(name, .last("fchmod"))
    }
    return folder
  }

  /// Makes a directory, unless there is one.
  ///
  /// - Returns: whether it was made.
  @discardableResult
  func makeFolder(_ name: String, isPrivate: Bool = false) throws(SignetError) -> Bool {
    guard unsafe mkdirat(directory.descriptor, name, isPrivate ? 0o700 : 0o755) == 0 else {
      let failure = SystemFailure.last("mkdirat")
      if failure.number == EEXIST { return false }
      throw failed(name, failure)
    }
    return true
  }

  /// Gives the directory the permissions of everything in a store, whatever the umask took away.
  func share() throws(SignetError) {
    guard fchmod(directory.descriptor, 0o755) == 0 else { throw failed(nil, .last("fchmod")) }
  }

  private static let copySize = 1 << 20

  /// Makes a file with another's bytes, which are not synced.
  func makeFile(_ name: String, copying source: RegularFile) throws(SignetError) {
    try make(name, isSynced: false) { (descriptor) throws(SignetError) in
      for offset in stride(from: 0, to: source.size, by: Self.copySize) {
        let piece = try source.bytes(in: offset..<min(offset + Self.copySize, source.size))
        try write(piece, to: descriptor, name)
      }
    }
  }

  /// Makes a file whose bytes are on the disk afterwards.
  func makeSyncedFile(_ name: String, _ bytes: [UInt8]) throws(SignetError) {
    try make(name, isSynced: true) { (descriptor) throws(SignetError) in
      try write(bytes, to: descriptor, name)
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws(SignetError) {
    var failure: SystemFailure?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SystemFailure) { try unsafe SystemCall.write(descriptor, bytes) } catch { failure = error }
    }
    if let failure { throw failed(name, failure) }
  }

  private func make(
    _ name: String, isSynced: Bool, _ fill: (Int32) throws(SignetError) -> Void
  ) throws(SignetError) {
    var descriptor: Int32
    repeat {
      descriptor = unsafe openat(
        directory.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw failed(name, .last("openat")) }
    do throws(SignetError) {
      try fill(descriptor)
      guard fchmod(descriptor, 0o644) == 0 else { throw failed(name, .last("fchmod")) }
      if isSynced, fsync(descriptor) != 0 { throw failed(name, .last("fsync")) }
    } catch {
      close(descriptor)
      throw error
    }
    // Some file systems say only now that there was no room.
    guard close(descriptor) == 0 || errno == EINTR else { throw failed(name, .last("close")) }
  }

  /// Brings everything that was written to the file system to the disk, and says whether any of it was lost since this
  /// directory was opened.
  func syncFileSystem() throws(SignetError) {
    #if canImport(Darwin)
      guard unsafe fcntl(directory.descriptor, F_FULLFSYNC) == 0 else { throw failed(nil, .last("fcntl")) }
    #else
      guard syncfs(directory.descriptor) == 0 else { throw failed(nil, .last("syncfs")) }
    #endif
  }

  /// Brings the names in it to the disk.
  func sync() throws(SignetError) {
    guard fsync(directory.descriptor) == 0 else { throw failed(nil, .last("fsync")) }
  }

  /// Removes something with all that lies in it.
  func remove(_ name: String) throws(SignetError) {
    do throws(SystemFailure) { try directory.removeTree(named: name) } catch { throw failed(name, error) }
  }

  func failed(_ name: String?, _ failure: SystemFailure) -> SignetError {
    .storeWriteFailed(name.map { directory.shown(Array($0.utf8)) } ?? directory.path, failure)
  }
}
