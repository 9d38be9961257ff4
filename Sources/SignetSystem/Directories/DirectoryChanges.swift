#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// How a directory is changed: by its descriptor and names. A link is replaced or removed and not followed, so nothing outside is
/// touched whatever is exchanged meanwhile.
extension Directory {
  /// Makes a directory.
  ///
  /// - Returns: false where something is at that path.
  package static func make(_ path: String, mode: UInt32) throws(SystemFailure) -> Bool {
    if unsafe mkdir(path, mode_t(mode)) == 0 { return true }
    let failure = SystemFailure.last("mkdir")
    guard failure.number == EEXIST else { throw failure }
    return false
  }

  /// Makes a directory in this one.
  ///
  /// - Returns: false where something has that name.
  package func makeSubdirectory(_ name: String, mode: UInt32) throws(SystemFailure) -> Bool {
    if unsafe mkdirat(descriptor, name, mode_t(mode)) == 0 { return true }
    let failure = SystemFailure.last("mkdirat")
    guard failure.number == EEXIST else { throw failure }
    return false
  }

  /// Gives the directory itself these permissions, whatever the umask took away.
  package func setMode(_ mode: UInt32) throws(SystemFailure) {
    guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .last("fchmod") }
  }

  /// What has that name; nil where nothing has.
  package func status(of name: String) throws(SystemFailure) -> FileStatus? {
    do throws(SystemFailure) {
      return try FileStatus(of: Array(name.utf8), in: descriptor)
    } catch  where error.number == ENOENT {
      return nil
    }
  }

  /// Gives something its place in another directory, where nothing has that name.
  ///
  /// File systems that cannot refuse to replace are asked before: nobody else may change the directories meanwhile.
  package func move(_ name: String, to target: Directory, as newName: String) throws(SystemFailure) {
    if try Renaming.moveWithoutReplacing(name, in: descriptor, to: newName, in: target.descriptor) { return }
    guard try target.status(of: newName) == nil else { throw SystemFailure("renameat", number: EEXIST) }
    try replace(newName, in: target, with: name)
  }

  /// Puts something of this directory in the place of what has a name in another.
  package func replace(_ newName: String, in target: Directory, with name: String) throws(SystemFailure) {
    guard unsafe renameat(descriptor, name, target.descriptor, newName) == 0 else { throw .last("renameat") }
  }

  /// Brings the names in it to the disk.
  package func sync() throws(SystemFailure) {
    guard fsync(descriptor) == 0 else { throw .last("fsync") }
  }

  /// Brings everything that was written to its file system to the disk, and says whether any of it was lost since the
  /// directory was opened.
  package func syncFileSystem() throws(SystemFailure) {
    #if canImport(Darwin)
      guard unsafe fcntl(descriptor, F_FULLFSYNC) == 0 else { throw .last("fcntl") }
    #else
      guard syncfs(descriptor) == 0 else { throw .last("syncfs") }
    #endif
  }

  /// Names in a path at most, and so descriptors that are open at once. Twice what may be unpacked: what lies deeper is
  /// not ours, and is left.
  private static let removalDepth = 128
  /// Names that are read at once.
  private static let removalCount = 4096

  /// Removes something in this directory, with all that lies in it; what is not there is as good as removed.
  package func removeTree(named name: String) throws(SystemFailure) {
    try Self.remove(Array(name.utf8), in: descriptor, Self.removalDepth)
  }

  /// Removes all that lies in this directory.
  package func removeContents() throws(SystemFailure) { try Self.empty(descriptor, Self.removalDepth) }

  private static func remove(_ name: [UInt8], in folder: Int32, _ depth: Int) throws(SystemFailure) {
    if try unlink(name, in: folder, isDirectory: false) { return }
    guard depth > 0 else { throw SystemFailure("unlinkat", number: ENAMETOOLONG) }
    let below: Int32
    do throws(SystemFailure) {
      below = try descend(name, in: folder)
    } catch  where error.number == ENOENT {
      return
    }
    defer { close(below) }
    try empty(below, depth - 1)
    _ = try unlink(name, in: folder, isDirectory: true)
  }

  private static func empty(_ folder: Int32, _ depth: Int) throws(SystemFailure) {
    while true {
      let found = try names(in: folder, upTo: removalCount)
      for name in found.names { try remove(name, in: folder, depth) }
      if found.isWhole { return }
    }
  }

  /// - Returns: false for a directory, unless that was expected.
  private static func unlink(_ name: [UInt8], in folder: Int32, isDirectory: Bool) throws(SystemFailure) -> Bool {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    guard unsafe unlinkat(folder, name, isDirectory ? AT_REMOVEDIR : 0) != 0 else { return true }
    let failure = SystemFailure.last("unlinkat")
    if failure.number == ENOENT { return true }
    // Linux says the first, POSIX and others the second.
    if !isDirectory, failure.number == EISDIR || failure.number == EPERM { return false }
    throw failure
  }
}

/// How something gets a name that nothing has.
enum Renaming {
  /// Gives a file or directory a name that nothing has.
  ///
  /// - Returns: false, with nothing done, where the file system cannot refuse to replace.
  static func moveWithoutReplacing(
    _ name: String, in folder: Int32 = AT_FDCWD, to newName: String, in newFolder: Int32 = AT_FDCWD
  ) throws(SystemFailure) -> Bool {
    #if canImport(Darwin)
      let status = unsafe renameatx_np(folder, name, newFolder, newName, UInt32(RENAME_EXCL))
    #else
      let status = unsafe renameat2(folder, name, newFolder, newName, UInt32(RENAME_NOREPLACE))
    #endif
    if status == 0 { return true }
    let failure = SystemFailure.last("rename")
    if failure.number == EINVAL || failure.number == ENOSYS || failure.number == ENOTSUP { return false }
    throw failure
  }
}
