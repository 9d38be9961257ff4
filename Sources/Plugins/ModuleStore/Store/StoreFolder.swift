internal import SignetBase
internal import SignetFiles
internal import SignetProcesses
internal import SignetSystem

/// A directory of the store that is changed through descriptors and names: no path is looked up again.
///
/// Every failure is one of the whole change. The caller that began the change undoes it.
struct StoreFolder: Sendable {
  let directory: Directory

  init(_ directory: Directory) throws(SignetError) {
    try TrustedPath.check(directory)
    self.directory = directory
  }

  /// Makes the directory of a store, unless something has that name. Nothing is made where others may write.
  ///
  /// - Returns: whether it was made.
  /// - Throws: `store.write-failed`, `file.others-may-write`.
  static func make(_ path: String) throws(SignetError) -> Bool {
    // For a path with NUL, the error comes when it is opened.
    guard !path.utf8.contains(0), (try? FileStatus(ofLink: path)) == nil else { return false }
    do throws(SignetError) {
      try TrustedPath.checkFolder(of: trimmed(path))
    } catch  where error.code == .fileMissing {
      // The code that makes it reports why it cannot be made.
    }
    do throws(SystemFailure) { return try Directory.make(path, mode: 0o755) } catch {
      throw .storeWriteFailed(path, error)
    }
  }

  /// The path without the slashes at its end.
  private static func trimmed(_ path: String) -> String {
    path.utf8.lastIndex { $0 != UInt8(ascii: "/") }.map { String(path[...$0]) } ?? path
  }

  /// Opens a directory in this one.
  ///
  /// - Throws: `file.missing`, `file.not-directory`, `file.others-may-write`.
  func folder(_ name: String) throws(SignetError) -> StoreFolder {
    try StoreFolder(try directory.subdirectory(name))
  }

  /// Opens a file in this one.
  ///
  /// - Throws: what opening a ``RegularFile`` throws, and `file.others-may-write`.
  func file(_ name: String) throws(SignetError) -> RegularFile {
    let file = try directory.file(name)
    try TrustedPath.check(file)
    return file
  }

  /// The names in it, sorted, but no more than may be looked at.
  func names(upTo limit: Int) throws(SignetError) -> [String] {
    do throws(SystemFailure) {
      return try directory.names(upTo: limit).names
        .map { String(decoding: $0, as: UTF8.self) }.sorted()
    } catch {
      throw SignetError(.fileUnreadable, directory.path, "cannot be read", cause: error)
    }
  }

  /// Opens a directory in this one that no other user can enter. Permissions that others have are removed.
  ///
  /// - Returns: nil if it does not exist, or belongs to another user.
  /// - Throws: `file.not-directory`, `file.others-may-write`, `file.unreadable`, `store.write-failed`.
  func privateFolder(_ name: String) throws(SignetError) -> Directory? {
    let folder: Directory
    do throws(SignetError) { folder = try directory.subdirectory(name) } catch {
      guard let failure = error.cause as? SystemFailure, failure.isMissing || failure.isDenied else {
        throw error
      }
      return nil
    }
    guard Int(folder.status.owner) == CurrentProcess.user else { return nil }
    try TrustedPath.check(folder)
    if folder.status.mode & 0o077 != 0 {
      try directory.storing(name) { () throws(SystemFailure) in try folder.setMode(0o700) }
    }
    return folder
  }

  /// Makes a directory, unless there is one.
  ///
  /// - Returns: whether it was made.
  @discardableResult
  func makeFolder(_ name: String, isPrivate: Bool = false) throws(SignetError) -> Bool {
    try directory.storing(name) { () throws(SystemFailure) in
      try directory.makeSubdirectory(name, mode: isPrivate ? 0o700 : 0o755)
    }
  }

  /// Gives the directory the permissions of everything in a store, whatever the umask.
  func share() throws(SignetError) {
    try directory.storing { () throws(SystemFailure) in try directory.setMode(0o755) }
  }

  private static let copySize = 1 << 20

  /// Makes a file with another's bytes, without syncing them.
  func makeFile(_ name: String, copying source: RegularFile) throws(SignetError) {
    let file = try directory.storing(name) { () throws(SystemFailure) in try directory.newFile(name) }
    for offset in stride(from: 0, to: source.size, by: Self.copySize) {
      let piece = try source.bytes(in: offset..<min(offset + Self.copySize, source.size))
      try directory.storing(name) { () throws(SystemFailure) in try file.append(piece) }
    }
    _ = try directory.storing(name) { () throws(SystemFailure) in try file.finish(mode: 0o644) }
  }

  /// Makes a file and syncs its bytes to the disk.
  func makeSyncedFile(_ name: String, _ bytes: [UInt8]) throws(SignetError) {
    try directory.storing(name) { () throws(SystemFailure) in
      let file = try directory.newFile(name)
      try file.append(bytes)
      _ = try file.finish(mode: 0o644, isSynced: true)
    }
  }

  /// Moves an entry to another directory, where nothing has the new name.
  func move(_ name: String, to target: StoreFolder, as newName: String) throws(SignetError) {
    try target.directory.storing(newName) { () throws(SystemFailure) in
      try directory.move(name, to: target.directory, as: newName)
    }
  }

  /// Replaces a file with another one.
  func replace(_ target: StoreFolder, _ newName: String, with name: String) throws(SignetError) {
    try target.directory.storing(newName) { () throws(SystemFailure) in
      try directory.replace(newName, in: target.directory, with: name)
    }
  }

  /// Whether an entry has that name.
  func has(_ name: String) throws(SignetError) -> Bool {
    do throws(SystemFailure) {
      return try directory.status(of: name) != nil
    } catch {
      throw SignetError(.fileUnreadable, directory.shown(Array(name.utf8)), "cannot be examined", cause: error)
    }
  }

  /// Syncs everything that was written to the file system, and throws if any of it was lost since this directory was
  /// opened.
  func syncFileSystem() throws(SignetError) {
    try directory.storing { () throws(SystemFailure) in try directory.syncFileSystem() }
  }

  /// Syncs the names in it to the disk.
  func sync() throws(SignetError) { try directory.storing { () throws(SystemFailure) in try directory.sync() } }

  /// Removes an entry with everything in it.
  func remove(_ name: String) throws(SignetError) {
    try directory.storing(name) { () throws(SystemFailure) in try directory.removeTree(named: name) }
  }

  func failed(_ name: String?, _ failure: SystemFailure) -> SignetError {
    .storeWriteFailed(name.map { directory.shown(Array($0.utf8)) } ?? directory.path, failure)
  }
}
