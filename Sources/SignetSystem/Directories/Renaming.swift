#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// How what has a temporary name gets its own.
enum Renaming {
  /// Gives a file or directory a name that nothing has.
  ///
  /// - Returns: false, with nothing done, where the file system cannot refuse to replace.
  static func moveWithoutReplacing(_ name: String, to newName: String) throws(SystemFailure) -> Bool {
    #if canImport(Darwin)
      let status = unsafe renamex_np(name, newName, UInt32(RENAME_EXCL))
    #else
      let status = unsafe renameat2(AT_FDCWD, name, AT_FDCWD, newName, UInt32(RENAME_NOREPLACE))
    #endif
    if status == 0 { return true }
    let failure = SystemFailure.last("rename")
    if failure.number == EINVAL || failure.number == ENOSYS || failure.number == ENOTSUP { return false }
    throw failure
  }
}
