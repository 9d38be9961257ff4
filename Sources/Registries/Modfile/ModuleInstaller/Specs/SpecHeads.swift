internal import SignetBase
internal import SignetFiles
internal import SignetGit
internal import SignetSystem

/// The heads of a repository of specs in the cache, each in a repository of its own: the last one that was read, which those
/// who are offline use, and others as long as an installation reads them.
///
/// A lock names the commits of modules, which are elsewhere in the cache. So a head that is the last no longer is needed by
/// nobody.
final class SpecHeads {
  private let folder: Directory
  private let path: String
  private let lock: LockFile?

  private static let noteName = "head"
  private static let lockName = "lock"
  /// A minute in milliseconds: another installation removes what it needs no longer.
  private static let patience = 60_000

  /// Opens the heads of a repository. No other installation removes any as long as the value lives.
  ///
  /// - Parameter isOffline: whether nothing is written, since the cache may be another user's.
  /// - Throws: `file.missing` if it has none and nothing is written; `file.others-may-write`, `file.locked`,
  ///   `output.failed`.
  init(of address: String, in cache: InstallCache, isOffline: Bool) throws(SignetError) {
    path = try cache.heads(of: address, isMade: !isOffline)
    folder = try TrustedPath.openFolder(path)
    let isTaken: Bool
    do throws(SystemFailure) {
      let lock = try LockFile(Self.lockName, in: folder, isMade: !isOffline, isShared: isOffline)
      isTaken = try lock.take(.shared, patience: Self.patience)
      self.lock = lock
    } catch {
      guard isOffline, error.isMissing else {
        throw SignetError(.outputFailed, "\(path)/\(Self.lockName)", "cannot be locked", cause: error)
      }
      (isTaken, lock) = (true, nil)
    }
    guard isTaken else {
      throw SignetError(
        .fileLocked, "\(path)/\(Self.lockName)", "is locked by another process",
        hint: "run the command again when the other process has finished")
    }
  }

  /// The ID of the last head that was read, or nil.
  ///
  /// - Throws: `file.…`.
  func last() throws(SignetError) -> String? {
    do throws(SignetError) {
      let text = try RegularFile(openingNoFollow: "\(path)/\(Self.noteName)").bytes(limit: 128)
      return String(validating: text, as: UTF8.self).flatMap { GitFetch.isCommit($0) ? $0 : nil }
    } catch  where error.code == .fileMissing { return nil }
  }

  /// The place of a head's repository, which is whole or missing.
  ///
  /// - Throws: `file.others-may-write`.
  func place(of id: String) throws(SignetError) -> String {
    let place = "\(path)/\(id)"
    do throws(SignetError) { _ = try TrustedPath.openFolder(place) } catch  where error.code == .fileMissing {}
    return place
  }

  /// Makes a head the last one, once it was read, and removes the others. Those that another installation may be reading
  /// stay until the next time.
  ///
  /// - Throws: `output.…`, `file.…`.
  func keep(_ id: String) throws(SignetError) {
    if try !(last()?.isExactly(id) ?? false) {
      try OutputFile.write(Array(id.utf8), to: "\(path)/\(Self.noteName)", .replace(unless: []))
    }
    let others = try folder.entryNames().filter { GitFetch.isCommit($0) && !$0.isExactly(id) }
    guard !others.isEmpty, (try? lock?.take(.exclusive, patience: 0)) == true else { return }
    for other in others { try? folder.removeTree(named: other) }
  }
}
