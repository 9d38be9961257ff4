#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Where this program's file lies.
enum ProgramPlace {
  /// The folders above it, the nearest first, without links; none where that cannot be told.
  static var foldersAbove: [String] {
    #if os(Linux)
      let program = "/proc/self/exe"
    #else
      // A name without a slash was found by the shell, who knows where.
      guard let program = CommandLine.arguments.first, program.utf8.contains(UInt8(ascii: "/")) else { return [] }
    #endif
    guard let resolved = unsafe realpath(program, nil) else { return [] }
    defer { unsafe free(resolved) }
    var path = unsafe String(cString: resolved)
    var folders: [String] = []
    while let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
      path = String(path[..<slash])
      folders.append(path)
    }
    return folders
  }
}
