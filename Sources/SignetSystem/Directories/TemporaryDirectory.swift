package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory that only its owner may enter, and that is removed with the value.
///
/// If the process is killed meanwhile, the directory remains.
package final class TemporaryDirectory: Sendable {
  /// The directory's path.
  package let path: String

  /// Creates a directory with a name that others cannot guess.
  ///
  /// - Parameter folder: the folder in which it is made; without one, that for temporary files.
  /// - Throws: `output.failed`.
  package init(in folder: String? = nil) throws(SignetError) {
    path = OutputFolder.temporaryName(in: folder ?? Snapshot.usualFolder)
    do throws(SystemFailure) {
      guard try Directory.make(path, mode: 0o700) else { throw SystemFailure("mkdir", number: EEXIST) }
    } catch {
      throw SignetError(.outputFailed, path, "cannot be created", cause: error)
    }
  }

  deinit { NewDirectory.remove(path) }
}
