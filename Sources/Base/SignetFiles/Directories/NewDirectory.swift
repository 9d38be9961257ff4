package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory that appears with all its files, or not at all.
///
/// It is filled under a name that others cannot guess, and gets its own name in one step. If the process is killed
/// meanwhile, the hidden draft may remain; a failure leaves nothing.
package enum NewDirectory {
  /// Writes files into a directory that does not exist yet.
  ///
  /// - Parameters:
  ///   - files: the paths of the files in the directory, and their bytes.
  ///   - secret: the path and the bytes of a file that only its owner may read; nil for none.
  ///   - links: the names of links in the directory, and where they lead.
  ///   - path: the directory's path, without a trailing slash.
  /// - Throws: `output.exists`, `output.failed`.
  package static func write(
    _ files: [(path: String, bytes: [UInt8])], secret: (path: String, bytes: SecretBytes)? = nil,
    links: [(name: String, target: String)] = [], to path: String
  ) throws(SignetError) {
    if (try? FileStatus(ofLink: path)) != nil { throw exists(path) }
    let folder = OutputFolder(of: path)
    let draft = folder.temporaryName()
    do throws(SignetError) {
      try make(draft)
      for file in files {
        var current = draft
        for part in file.path.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
          current += "/" + String(decoding: part, as: UTF8.self)
          if (try? FileStatus(ofLink: current)) == nil { try make(current) }
        }
        try OutputFile.write(file.bytes, to: draft + "/" + file.path, .keep)
      }
      if let secret { try OutputFile.write(secret: secret.bytes, to: draft + "/" + secret.path) }
      for link in links {
        guard unsafe symlink(link.target, "\(draft)/\(link.name)") != 0 else { continue }
        throw SignetError(.outputFailed, path, "cannot be created", cause: SystemFailure.last("symlink"))
      }
      do throws(SystemFailure) { try publish(draft, to: path) } catch {
        guard ![EEXIST, ENOTEMPTY, ENOTDIR].contains(error.number) else { throw exists(path) }
        throw SignetError(.outputFailed, path, "cannot be created", cause: error)
      }
    } catch {
      remove(draft)
      throw error
    }
    // The directory is complete. Like whatever is built in it later, it outlives a loss of power only after a sync,
    // so a failure is ignored.
    try? folder.sync()
  }

  private static func make(_ path: String) throws(SignetError) {
    guard unsafe mkdir(path, 0o755) != 0 else { return }
    throw SignetError(.outputFailed, path, "cannot be created", cause: SystemFailure.last("mkdir"))
  }

  private static func publish(_ draft: String, to path: String) throws(SystemFailure) {
    guard try !Renaming.moveWithoutReplacing(draft, to: path) else { return }
    // Something may have appeared since the check; rename lets a directory replace only an empty directory.
    guard unsafe rename(draft, path) == 0 else { throw .last("rename") }
  }

  /// Removes a directory that was written, as far as possible.
  package static func remove(_ draft: String) {
    let name = draft.utf8.lastIndex(of: UInt8(ascii: "/")).map { draft[draft.utf8.index(after: $0)...] } ?? draft[...]
    try? Directory(opening: OutputFolder.path(of: draft)).removeTree(named: String(name))
  }

  private static func exists(_ path: String) -> SignetError {
    SignetError(.outputExists, path, "already exists", hint: "choose another name, or move it away")
  }
}
