package import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// An output that takes a while to write: it gets its name only when it is whole.
///
/// An abandoned draft leaves nothing.
package final class OutputDraft {
  private var path: String
  private var existing: OutputFile.Existing
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

  /// The descriptor for writing, which is also open for reading; it is closed with the output.
  ///
  /// - Throws: `output.failed` after publication.
  package func descriptor() throws(SignetError) -> Int32 {
    switch file {
    case .some(let file): return file.descriptor
    case .none: throw SignetError(.outputFailed, path, "is written already")
    }
  }

  /// Writes all bytes of the output.
  ///
  /// - Throws: `output.failed`.
  package func write(_ bytes: [UInt8]) throws(SignetError) {
    let descriptor = try descriptor()
    do throws(SystemFailure) { try SystemCall.write(descriptor, bytes) } catch {
      throw OutputFile.complaint(path, .nothingDone(error))
    }
  }

  /// Gives the output another name in the same folder, for outputs whose content says what they are called.
  ///
  /// - Throws: `output.exists`, `output.is-input`; `output.failed` for a name in another folder, or after publication.
  package func rename(to name: String, _ existing: OutputFile.Existing) throws(SignetError) {
    let path = "\(folder)/\(name)"
    guard !name.utf8.contains(UInt8(ascii: "/")), file != nil else {
      throw SignetError(.outputFailed, path, "cannot be the name of this output")
    }
    try OutputFile.check(path, existing)
    self.path = path
    self.existing = existing
    file?.target = path
  }

  /// The folder that contains the output.
  package var folder: String { OutputFolder.path(of: path) }

  /// The name to remove if the process ends before publication; nil if nothing would be left.
  package var temporaryName: String? {
    switch file {
    case .some(let file): file.temporary
    case .none: nil
    }
  }

  /// Gives the file its name, without a sync before or after. The file must be new.
  ///
  /// - Throws: `output.exists`, `output.failed`.
  func place() throws(SignetError) {
    try OutputFile.check(path, .keep)
    do throws(SystemFailure) { try file?.place() } catch { throw OutputFile.complaint(path, .nothingDone(error)) }
  }

  /// Syncs all that was written to the file systems of several outputs, each once.
  static func syncFileSystems(of drafts: [OutputDraft]) throws(SystemFailure) {
    #if canImport(Darwin)
      for draft in drafts { try draft.file?.sync() }
    #else
      var devices: Set<UInt64> = []
      for draft in drafts {
        guard let descriptor = draft.file?.descriptor else { continue }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        guard devices.insert(UInt64(status.st_dev)).inserted else { continue }
        guard syncfs(descriptor) == 0 else { throw .last("syncfs") }
      }
    #endif
  }

  /// Gives the file its name.
  ///
  /// - Throws: `output.exists`, `output.is-input`, `output.failed`, `output.not-synced`.
  package func publish() throws(SignetError) {
    // After the long work another file may have the name.
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

/// A file that has no name or a temporary name until it is published.
struct DraftFile: ~Copyable {
  package let descriptor: Int32
  fileprivate var target: String
  private let folder: OutputFolder
  /// The temporary name; nil while the file has none.
  private(set) var temporary: String?

  /// - Parameters:
  ///   - folder: the target's folder, which tests replace by one that cannot be synced.
  ///   - mayBeUnnamed: false to avoid O_TMPFILE even where it exists, which is for tests.
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
    // This file system or this system has no O_TMPFILE: use a random name beside the target.
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

  /// The ways in which publication can fail.
  package enum Failure: Error {
    /// Nothing has changed.
    case nothingDone(SystemFailure)
    /// The file has replaced another, but may be lost if the machine loses its power now.
    case notSynced(SystemFailure)
  }

  /// Syncs the bytes and gives the file its name, unless another file already has that name.
  package consuming func publish() throws(Failure) {
    do throws(SystemFailure) {
      guard fsync(descriptor) == 0 else { throw .last("fsync") }
      try place()
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

  /// Syncs the bytes and gives the file its name, replacing any file with that name.
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

  /// Gives the file its name, unless another file already has that name. Nothing is synced.
  mutating func place() throws(SystemFailure) {
    if try moveWithoutReplacing() {
      temporary = nil
    } else {
      // Unlike rename, link never replaces a file that appeared meanwhile.
      try link(to: target)
    }
  }

  /// Syncs the bytes, and the names in the folder.
  borrowing func sync() throws(SystemFailure) {
    guard fsync(descriptor) == 0 else { throw .last("fsync") }
    try folder.sync()
  }

  /// Renames a file that has a temporary name, because some file systems have no hard links.
  ///
  /// - Returns: false, without any change, if the file has no name or the file system cannot refuse to replace.
  private borrowing func moveWithoutReplacing() throws(SystemFailure) -> Bool {
    guard let temporary else { return false }
    return try Renaming.moveWithoutReplacing(temporary, to: target)
  }

  private borrowing func link(to name: String) throws(SystemFailure) {
    if let temporary {
      guard unsafe linkat(AT_FDCWD, temporary, AT_FDCWD, name, 0) == 0 else { throw .last("link") }
    } else {
      // open(2), O_TMPFILE: this way to name the file needs no privilege.
      guard unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
        throw .last("linkat")
      }
    }
  }
}
