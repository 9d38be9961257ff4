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

// How names move between directories of a store.
extension StoreFolder {
  /// Gives something its place in another directory, where nothing has that name.
  func move(_ name: String, to target: StoreFolder, as newName: String) throws(SignetError) {
    let (old, new) = (directory.descriptor, target.directory.descriptor)
    #if canImport(Darwin)
      let status = unsafe renameatx_np(old, name, new, newName, UInt32(RENAME_EXCL))
    #else
      let status = unsafe renameat2(old, name, new, newName, UInt32(RENAME_NOREPLACE))
    #endif
    if status == 0 { return }
    let failure = SystemFailure.last("renameat2")
    guard Self.isUnknown(failure), try !target.has(newName) else { throw target.failed(newName, failure) }
    // File systems without such a flag: nobody else changes the store meanwhile.
    guard unsafe renameat(old, name, new, newName) == 0 else { throw target.failed(newName, .last("renameat")) }
  }

  /// Puts a file in the place of another.
  func replace(_ target: StoreFolder, _ newName: String, with name: String) throws(SignetError) {
    guard unsafe renameat(directory.descriptor, name, target.directory.descriptor, newName) == 0 else {
      throw target.failed(newName, .last("renameat"))
    }
  }

  /// Whether something has that name.
  func has(_ name: String) throws(SignetError) -> Bool {
    var status = stat()
    if unsafe fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return true }
    let failure = SystemFailure.last("fstatat")
    guard failure.number == ENOENT else {
      throw SignetError(.fileUnreadable, directory.shown(Array(name.utf8)), "cannot be examined", cause: failure)
    }
    return false
  }

  private static func isUnknown(_ failure: SystemFailure) -> Bool {
    failure.number == EINVAL || failure.number == ENOSYS || failure.number == ENOTSUP
  }
}
