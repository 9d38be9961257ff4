internal import ModuleStore
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

/// How a directory of what is fetched is changed: by its descriptor and names, without following a link.
extension Directory {
  /// Makes a directory that nobody else can enter, unless there is one, and opens it.
  ///
  /// - Throws: `store.write-failed`, `file.not-directory`.
  func privateSubdirectory(_ name: String) throws(SignetError) -> Directory {
    guard unsafe mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else {
      throw .storeWriteFailed(shown(Array(name.utf8)), .last("mkdirat"))
    }
    return try subdirectory(name)
  }

  /// Opens a file for writing. The caller closes the descriptor.
  ///
  /// - Throws: `store.write-failed`.
  func openFile(_ name: String, _ flags: Int32) throws(SignetError) -> Int32 {
    while true {
      let number = unsafe openat(descriptor, name, flags, 0o600)
      if number >= 0 { return number }
      let failure = SystemFailure.last("openat")
      guard failure.number == EINTR else { throw .storeWriteFailed(shown(Array(name.utf8)), failure) }
    }
  }

  /// Bytes of a file in it, and when it was last written, in nanoseconds since 1970; nil for what is no file.
  func extent(of name: String) -> (size: Int, modified: Int)? {
    guard let status = try? FileStatus(of: Array(name.utf8), in: descriptor), status.kind == .regular else {
      return nil
    }
    return (status.size, status.modified.seconds * 1_000_000_000 + status.modified.nanoseconds)
  }

  /// Gives a file another name, in the place of what has that.
  ///
  /// - Throws: `store.write-failed`.
  func rename(_ name: String, to newName: String) throws(SignetError) {
    guard unsafe renameat(descriptor, name, descriptor, newName) == 0 else {
      throw .storeWriteFailed(shown(Array(newName.utf8)), .last("renameat"))
    }
  }

  /// Removes something in it, with all that lies in that; what is not there is as good as removed.
  ///
  /// - Throws: `store.write-failed`.
  func remove(_ name: String) throws(SignetError) {
    do throws(SystemFailure) { try removeTree(named: name) } catch {
      throw .storeWriteFailed(shown(Array(name.utf8)), error)
    }
  }
}
