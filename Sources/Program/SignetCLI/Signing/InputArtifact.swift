package import Signet
package import SignetBase
package import SignetSystem

/// A file or directory that a command line names, opened once.
package struct InputArtifact {
  /// The path as it was given.
  package let path: String
  package let artifact: Artifact
  /// The path that bundles are beside: a directory's has no slashes at its end, and is never `.` or `..`.
  package let place: String
  /// What a statement calls it unless another name is given; empty for the root directory.
  package let baseName: String
  package let status: FileStatus
  /// Held as long as the value lives; nil if the file is only read.
  private let lock: ChangeLock?

  /// Opens a file or directory.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.not-regular`.
  package init(opening path: String) throws(SignetError) { try self.init(opening: path, nil) }

  /// Opens a file or directory, or takes a copy of standard input if the command line says `-`.
  ///
  /// - Throws: what opening throws, and what ``StandardInput/copy()`` throws.
  init(openingOrReading path: String) throws(SignetError) {
    if StandardInput.isMeant(by: path) {
      self.init(copy: try StandardInput.copy())
    } else {
      try self.init(opening: path)
    }
  }

  private init(copy: RegularFile) {
    path = copy.path
    artifact = .file(copy)
    place = copy.path
    baseName = copy.path
    status = copy.status
    lock = nil
  }

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

  /// Opens an archive that will be replaced, and keeps other runs away from it. Of two runs that put a signature into
  /// it, the second must see what the first has written.
  ///
  /// - Throws: what opening throws, `file.locked`, `output.failed`.
  package init(replacing path: String) throws(SignetError) {
    // A missing file needs no lock, and a link is not what is replaced.
    let before = try InputArtifact(opening: path)
    guard before.artifact.file != nil, try FileStatus(ofLink: path).kind != .symbolicLink else {
      self = before
      return
    }
    let lock = try ChangeLock(beside: path)
    try self.init(opening: path, lock)
  }

  /// Whether it is an archive with signatures inside. It only chooses an advice, so what cannot be read has none.
  var isSignedInside: Bool { (try? AttachedArchive.bundles(in: artifact))?.isEmpty == false }

  var isDirectory: Bool { artifact.directory != nil }
  /// The number of bytes that will be hashed; nil if only the work can tell.
  package var size: Int? { isDirectory ? nil : artifact.size }
}
