#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Removes by descriptors, name by name: a link is removed and not followed, so nothing outside is touched whatever is
/// exchanged meanwhile.
extension Directory {
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
