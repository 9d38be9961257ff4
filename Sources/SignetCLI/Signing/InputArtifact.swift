internal import Signet
internal import SignetBase
internal import SignetSystem

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
  /// Held as long as the value lives; nil where the file is only read.
  private let lock: ChangeLock?

  /// Opens it.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.not-regular`.
  init(opening path: String) throws(SignetError) { try self.init(opening: path, nil) }

  private init(opening path: String, _ lock: ChangeLock?) throws(SignetError) {
    self.path = path
    self.lock = lock
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
  /// - Throws: what opening throws, `file.locked`, `output.failed`.
  init(replacing path: String) throws(SignetError) {
    // What is not there needs no lock, and a link is not what is replaced.
    let before = try InputArtifact(opening: path)
    guard before.artifact.file != nil, try FileStatus(ofLink: path).kind != .symbolicLink else {
      self = before
      return
    }
    let lock = try ChangeLock(beside: path)
    try self.init(opening: path, lock)
  }

  var isDirectory: Bool { artifact.directory != nil }
  /// Bytes that will be hashed; nil where only the work finds out.
  var size: Int? { isDirectory ? nil : artifact.size }
}
