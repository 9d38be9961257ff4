package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory that only its owner may enter, and that is removed with the value.
///
/// If the process is killed meanwhile, the directory remains. It is locked as long as the process works in it
/// (flock(2)), so another process knows which ones to remove: ``sweep(_:)``.
package final class TemporaryDirectory: Sendable {
  /// The directory's path.
  package let path: String
  private let descriptor: Int32

  /// How often another name is tried, because a sweep came between making the directory and locking it.
  private static let tries = 16
  /// Drafts of files and other directories end otherwise, and are not locked.
  private static let suffix = ".draft"
  /// The greatest number of names that a sweep looks at.
  private static let sweepLimit = 10_000

  /// Creates a directory with a name that others cannot guess.
  ///
  /// - Parameter folder: the folder in which it is made; without one, that for temporary files.
  /// - Throws: `output.failed`.
  package init(in folder: String? = nil) throws(SignetError) {
    let isUsual = folder == nil
    if isUsual { Self.sweepUsualFolder }
    let folder = folder ?? TemporaryName.usualFolder
    for _ in 0..<Self.tries {
      let path = OutputFolder.temporaryName(in: folder, Self.suffix)
      do throws(SystemFailure) {
        guard let descriptor = try Self.make(path) else { continue }
        self.path = path
        self.descriptor = descriptor
        return
      } catch {
        throw SignetError(
          .outputFailed, path, "cannot be created", cause: error,
          hint: isUsual ? "set TMPDIR to a writable folder" : nil)
      }
    }
    throw SignetError(.outputFailed, folder, "keeps losing new directories", hint: "see what removes them")
  }

  deinit {
    // After ``publish(to:)`` nothing has this name.
    NewDirectory.remove(path)
    close(descriptor)
  }

  /// Makes a directory and locks it; nil if a sweep has it.
  private static func make(_ path: String) throws(SystemFailure) -> Int32? {
    guard try Directory.make(path, mode: 0o700) else { throw SystemFailure("mkdir", number: EEXIST) }
    let descriptor: Int32
    do throws(SystemFailure) { descriptor = try Directory.descend(Array(path.utf8), in: AT_FDCWD) } catch
      where error.number == ENOENT
    {
      return nil
    }
    // Some file systems do not lock directories. There no sweep gets a lock, either.
    let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    guard !isTaken, AdvisoryLock.isNamed(descriptor, path) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Gives the directory a name in the same file system, unless something has it.
  ///
  /// - Returns: false if something has the name.
  package func publish(to name: String) throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      guard try !Renaming.moveWithoutReplacing(path, to: name) else { return true }
      // This replaces an empty directory alone.
      guard unsafe rename(path, name) == 0 else { throw .last("rename") }
      return true
    } catch  where [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.number) {
      return false
    }
  }

  /// A name that nothing has, for a directory that is about to be removed: a sweep removes what is left of it.
  package static func unheldName() -> String { TemporaryName.make(suffix) }

  /// The folder of a path, in which a directory can be made that gets this path later.
  package static func folder(of path: String) -> String { OutputFolder.path(of: path) }

  /// Sweeps the folder for temporary files, once in a process.
  private static let sweepUsualFolder: Void = {
    guard let folder = try? Directory(opening: TemporaryName.usualFolder), keepsNames(folder) else { return }
    sweep(folder)
  }()

  /// Whether nobody but the system's owner and this user can give another name to what this user has in a folder.
  /// Otherwise somebody could give another directory of this user the name of one that a sweep removes.
  static func keepsNames(_ folder: Directory) -> Bool {
    guard let status = try? FileStatus(of: folder.descriptor) else { return false }
    let isSticky = status.mode & UInt32(S_ISVTX) != 0
    return (status.owner == geteuid() || status.owner == 0) && (isSticky || status.mode & 0o022 == 0)
  }

  /// Removes the temporary directories in a folder that this user's processes have left which were killed. What cannot be
  /// removed stays.
  package static func sweep(_ folder: Directory) {
    guard let names = try? folder.names(upTo: sweepLimit).names else { return }
    for name in names where name.starts(with: ".signet-".utf8) && name.reversed().starts(with: suffix.utf8.reversed())
    {
      guard let descriptor = try? Directory.descend(name, in: folder.descriptor) else { continue }
      defer { close(descriptor) }
      guard (try? FileStatus(of: descriptor))?.owner == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        continue
      }
      try? folder.removeTree(named: String(decoding: name, as: UTF8.self))
    }
  }
}
