package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// An output that takes a while to write: a file without its name until it is whole. Given up, it leaves nothing.
package final class OutputDraft {
  private let path: String
  private let existing: OutputFile.Existing
  private var file: DraftFile?

  /// Begins an output.
  ///
  /// - Parameter mode: the permissions of the file, before the umask.
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`.
  package init(
    to path: String, mode: UInt32 = 0o644, _ existing: OutputFile.Existing
  ) throws(SignetError) {
    try OutputFile.check(path, existing)
    self.path = path
    self.existing = existing
    do throws(SystemFailure) {
      file = try DraftFile(beside: path, mode: mode)
    } catch {
      throw OutputFile.complaint(path, .nothingDone(error))
    }
  }

  /// The descriptor to write to, open for reading, too; it is closed with the output.
  ///
  /// - Throws: `output.failed` once it is published.
  package func descriptor() throws(SignetError) -> Int32 {
    switch file {
    case .some(let file): return file.descriptor
    case .none: throw SignetError(.outputFailed, path, "is written already")
    }
  }

  /// The folder it is written into.
  package var folder: String { OutputFolder.path(of: path) }

  /// The name to remove when the process is ended before it is published; nil where nothing would be left.
  package var temporaryName: String? {
    switch file {
    case .some(let file): file.temporary
    case .none: nil
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`, `output.not-synced`.
  package func publish() throws(SignetError) {
    // What has the name may be another file than before the long work.
    try OutputFile.check(path, existing)
    guard let file = file.take() else { return }
    do throws(DraftFile.Failure) {
      switch existing {
      case .keep: try file.publish()
      case .replace: try file.publishReplacing()
      }
    } catch {
      throw OutputFile.complaint(path, error)
    }
  }
}

/// A file that has no name yet, or a temporary one, until it is published.
struct DraftFile: ~Copyable {
  package let descriptor: Int32
  private let target: String
  private let folder: OutputFolder
  /// The temporary name; nil while the file has none.
  private(set) var temporary: String?

  /// - Parameters:
  ///   - folder: the target's folder, which tests exchange for one that cannot be synced.
  ///   - mayBeUnnamed: false to do without O_TMPFILE where there is one, which is for tests.
  package init(
    beside target: String, mode: UInt32, in folder: OutputFolder? = nil, mayBeUnnamed: Bool = true
  ) throws(SystemFailure) {
    self.target = target
    let folder = folder ?? OutputFolder(of: target)
    self.folder = folder
    let unnamed = mayBeUnnamed ? folder.openUnnamed(mode) : -1
    if unnamed >= 0 {
      descriptor = unnamed
      temporary = nil
      return
    }
    // No O_TMPFILE on this file system (or on this system): a random name beside the target.
    let name = folder.temporaryName()
    let named = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
    guard named >= 0 else { throw .last("open") }
    descriptor = named
    temporary = name
  }

  deinit {
    close(descriptor)
    if let temporary { unsafe unlink(temporary) }
  }

  /// How publishing can fail.
  package enum Failure: Error {
    /// Nothing has changed.
    case nothingDone(SystemFailure)
    /// The file has replaced another, but may be lost again when the machine loses its power now.
    case notSynced(SystemFailure)
  }

  /// Syncs the bytes and gives the file its name, unless there is a file of that name.
  package consuming func publish() throws(Failure) {
    do throws(SystemFailure) {
      guard fsync(descriptor) == 0 else { throw .last("fsync") }
      if try moveWithoutReplacing() {
        temporary = nil
      } else {
        // Unlike rename, link never replaces a file that appeared meanwhile.
        try link(to: target)
      }
    } catch {
      throw .nothingDone(error)
    }
    do throws(SystemFailure) {
      try folder.sync()
    } catch {
      unsafe unlink(target)
      throw .nothingDone(error)
    }
  }

  /// Syncs the bytes and gives the file its name, in the place of whatever has it.
  consuming func publishReplacing() throws(Failure) {
    do throws(SystemFailure) {
      guard fsync(descriptor) == 0 else { throw .last("fsync") }
      let name: String
      if let temporary {
        name = temporary
      } else {
        name = folder.temporaryName()
        try link(to: name)
        temporary = name
      }
      guard unsafe rename(name, target) == 0 else { throw .last("rename") }
      temporary = nil
    } catch {
      throw .nothingDone(error)
    }
    do throws(SystemFailure) { try folder.sync() } catch { throw .notSynced(error) }
  }

  /// Renames a file that has a temporary name: there are file systems without hard links.
  ///
  /// - Returns: false, with nothing done, where the file has no name or the file system cannot do it.
  private borrowing func moveWithoutReplacing() throws(SystemFailure) -> Bool {
    guard let temporary else { return false }
    return try Renaming.moveWithoutReplacing(temporary, to: target)
  }

  private borrowing func link(to name: String) throws(SystemFailure) {
    if let temporary {
      guard unsafe linkat(AT_FDCWD, temporary, AT_FDCWD, name, 0) == 0 else { throw .last("link") }
    } else {
      // open(2), O_TMPFILE: the way to name the file that needs no privilege.
      guard unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
        throw .last("linkat")
      }
    }
  }
}
