internal import Signet
internal import SignetCrypto

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory that is there with all its files, or not at all.
enum NewDirectory {
  /// Writes files into a directory that is not there yet.
  ///
  /// - Throws: `output.exists`, `output.failed`.
  static func write(_ files: [ModuleScaffold.File], to path: String) throws(SignetError) {
    try make(path)
    do throws(SignetError) {
      for file in files {
        var folder = path
        for name in file.path.split(separator: "/").dropLast() {
          folder += "/" + name
          do throws(SignetError) { try make(folder) } catch  where error.code == .outputExists { continue }
        }
        try OutputFile.write(Array(file.text.utf8), to: path + "/" + file.path, .keep)
      }
    } catch {
      try? Directory(opening: ".").removeTree(named: path)
      throw error
    }
  }

  private static func make(_ path: String) throws(SignetError) {
    guard unsafe mkdir(path, 0o755) != 0 else { return }
    let failure = SystemFailure.last("mkdir")
    guard failure.number != EEXIST else {
      throw SignetError(.outputExists, path, "exists already", hint: "choose another name, or move it away")
    }
    throw SignetError(.outputFailed, path, "cannot be made", cause: failure)
  }
}
