#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Paths that stay right when the working folder changes.
enum Path {
  /// The path from the root, through symbolic links, of something that is there.
  static func resolved(_ path: String) throws -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw BenchFailure(system: "realpath", path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The path from the root of something that may not be there yet.
  static func absolute(_ path: String) throws -> String {
    path.hasPrefix("/") ? path : try resolved(".") + "/" + path
  }

  /// The path of another file in the same folder.
  static func sibling(of path: String, named name: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { $0 + "/" }.joined() + name
  }

  /// Whether a program of this name is in one of the folders of PATH.
  static func hasProgram(_ name: String) -> Bool {
    guard let folders = ChildProcess.searchPath else { return false }
    return folders.split(separator: ":").contains { folder in unsafe access("\(folder)/\(name)", X_OK) == 0 }
  }
}
