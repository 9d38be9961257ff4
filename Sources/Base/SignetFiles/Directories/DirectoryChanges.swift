package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Changes to a directory, made by its descriptor and by names.
///
/// A link is replaced or removed, never followed. So nothing outside is touched, whatever is exchanged meanwhile.
extension Directory {
  /// Creates a directory.
  ///
  /// - Returns: false if something already exists at that path.
  package static func make(_ path: String, mode: UInt32) throws(SystemFailure) -> Bool {
    if unsafe mkdir(path, mode_t(mode)) == 0 { return true }
    let failure = SystemFailure.last("mkdir")
    guard failure.number == EEXIST else { throw failure }
    return false
  }

  /// Creates a directory, and those above it that are missing. What exists stays as it is.
  package static func makeWithParents(_ path: String, mode: UInt32) throws(SystemFailure) {
    let ends = path.utf8.indices.dropFirst().filter { path.utf8[$0] == UInt8(ascii: "/") } + [path.endIndex]
    for end in ends { _ = try make(String(path[..<end]), mode: mode) }
  }

  /// Creates a directory in this one.
  ///
  /// - Returns: false if something already has that name.
  package func makeSubdirectory(_ name: String, mode: UInt32) throws(SystemFailure) -> Bool {
    if unsafe mkdirat(descriptor, name, mode_t(mode)) == 0 { return true }
    let failure = SystemFailure.last("mkdirat")
    guard failure.number == EEXIST else { throw failure }
    return false
  }

  /// Sets the permissions of the directory itself, regardless of the umask.
  package func setMode(_ mode: UInt32) throws(SystemFailure) {
    guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .last("fchmod") }
  }

  /// The status of the entry with that name, or nil.
  package func status(of name: String) throws(SystemFailure) -> FileStatus? {
    do throws(SystemFailure) {
      return try FileStatus(of: Array(name.utf8), in: descriptor)
    } catch  where error.number == ENOENT {
      return nil
    }
  }

  /// Moves an entry to another directory, in which nothing may have the new name yet.
  ///
  /// Some file systems cannot refuse to replace an entry. On those the name is checked first, and nobody else may
  /// change the directories meanwhile.
  package func move(_ name: String, to target: Directory, as newName: String) throws(SystemFailure) {
    if try Renaming.moveWithoutReplacing(name, in: descriptor, to: newName, in: target.descriptor) { return }
    guard try target.status(of: newName) == nil else { throw SystemFailure("renameat", number: EEXIST) }
    try replace(newName, in: target, with: name)
  }

  /// Moves an entry to another directory, where it replaces any entry with the new name.
  package func replace(_ newName: String, in target: Directory, with name: String) throws(SystemFailure) {
    guard unsafe renameat(descriptor, name, target.descriptor, newName) == 0 else { throw .last("renameat") }
  }

  /// Syncs the names in the directory to the disk.
  package func sync() throws(SystemFailure) {
    guard fsync(descriptor) == 0 else { throw .last("fsync") }
  }

  /// Syncs everything written to the directory's file system to the disk.
  ///
  /// It fails if any of that data was lost since the directory was opened.
  package func syncFileSystem() throws(SystemFailure) {
    #if canImport(Darwin)
      guard unsafe fcntl(descriptor, F_FULLFSYNC) == 0 else { throw .last("fcntl") }
    #else
      guard syncfs(descriptor) == 0 else { throw .last("syncfs") }
    #endif
  }

  /// The maximum number of names in a path, and so of descriptors that are open at once.
  ///
  /// It is twice the depth that may be unpacked. Anything deeper was not created by this program, and is left.
  private static let removalDepth = 128
  /// The number of names that are read at once.
  private static let removalCount = 4096

  /// Removes an entry of this directory with everything in it; a missing entry counts as removed.
  package func removeTree(named name: String) throws(SystemFailure) {
    try Self.remove(Array(name.utf8), in: descriptor, Self.removalDepth)
  }

  /// Removes a file below this directory, name by name, without following links; a missing one counts as removed.
  package func removeFile(_ path: String) throws(SystemFailure) {
    let bytes = Array(path.utf8)
    let folder: Int32
    do throws(SystemFailure) { folder = try open(below: OpenFolder.path(of: bytes)) } catch
      where error.number == ENOENT
    {
      return
    }
    defer { close(folder) }
    let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { Array(bytes[($0 + 1)...]) } ?? bytes
    guard try Self.unlink(name, in: folder, isDirectory: false) else {
      throw SystemFailure("unlinkat", number: EISDIR)
    }
  }

  /// Removes everything in this directory.
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

  /// - Returns: false for a directory, unless `isDirectory` says that one is expected.
  private static func unlink(_ name: [UInt8], in folder: Int32, isDirectory: Bool) throws(SystemFailure) -> Bool {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    guard unsafe unlinkat(folder, name, isDirectory ? AT_REMOVEDIR : 0) != 0 else { return true }
    let failure = SystemFailure.last("unlinkat")
    if failure.number == ENOENT { return true }
    // Linux gives the first error for a directory; POSIX and other systems give the second.
    if !isDirectory, failure.number == EISDIR || failure.number == EPERM { return false }
    throw failure
  }
}

extension OpenFolder {
  /// Creates a directory that everybody may enter, regardless of the umask.
  package func makeDirectory(_ name: [UInt8]) throws(SystemFailure) {
    guard unsafe mkdirat(descriptor, Self.text(name), 0o755) == 0 else { throw .last("mkdirat") }
    let made = try Directory.descend(name, in: descriptor)
    defer { close(made) }
    guard fchmod(made, 0o755) == 0 else { throw .last("fchmod") }
  }

  /// Creates a symbolic link.
  package func makeLink(_ name: [UInt8], to target: String) throws(SystemFailure) {
    guard unsafe symlinkat(target, descriptor, Self.text(name)) == 0 else { throw .last("symlinkat") }
  }

  /// A name as a C string.
  private static func text(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}

/// Renaming to a name that is not in use.
enum Renaming {
  /// Gives a file or directory a name that is not in use.
  ///
  /// - Returns: false, without any change, if the file system cannot refuse to replace.
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
