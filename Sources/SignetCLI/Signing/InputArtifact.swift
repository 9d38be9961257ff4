internal import Signet
internal import SignetCrypto

/// What a command line names, a file or a directory, opened once.
struct InputArtifact {
  /// The path as it was given.
  let path: String
  let artifact: Artifact
  /// The path that bundles stand beside: a directory's without slashes at its end and never `.` or `..`.
  let place: String
  /// What a statement calls it unless another name is given; empty for the root of all directories.
  let baseName: String
  let status: FileStatus

  /// Opens it.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.not-regular`.
  init(opening path: String) throws(SignetError) {
    self.path = path
    do throws(SignetError) {
      let file = try RegularFile(opening: path)
      artifact = .file(file)
      place = path
      baseName = file.baseName
      status = file.status
    } catch  where error.code == .fileIsDirectory {
      let directory = try Directory(opening: path)
      artifact = .directory(directory)
      place = try directory.place()
      baseName = try directory.baseName()
      status = directory.status
    }
  }

  /// Opens an archive that is going to be replaced, and keeps other runs from it: of two that put a signature into it the
  /// second has to see what the first has written.
  ///
  /// - Throws: what opening throws, `file.locked`, `file.changed` when it is replaced again and again.
  init(locking path: String) throws(SignetError) {
    for _ in 0..<Self.patience {
      let input = try InputArtifact(opening: path)
      try input.lock()
      // Whoever had the lock may have put another file there meanwhile.
      if FileStatus.identities(of: [path]) == [input.status.identity] {
        self = input
        return
      }
    }
    throw SignetError(
      .fileChanged, path, "is replaced again and again", hint: "run it again when nobody writes to it")
  }

  /// Files in a row that may take an archive's place while it is waited for: more than can sign it.
  private static let patience = 64

  /// Keeps other runs from signing it until this one ends.
  ///
  /// - Throws: `file.locked`.
  func lock() throws(SignetError) {
    if let file = artifact.file { try AdvisoryLock.take(file) }
    if let directory = artifact.directory { try AdvisoryLock.take(directory) }
  }

  var isDirectory: Bool { artifact.directory != nil }
  /// Bytes that will be hashed; nil where only the work finds out.
  var size: Int? { isDirectory ? nil : artifact.size }
}
