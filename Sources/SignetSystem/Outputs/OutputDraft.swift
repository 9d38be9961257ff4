package import SignetBase

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
