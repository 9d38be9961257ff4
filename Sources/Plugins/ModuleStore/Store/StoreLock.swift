internal import SignetBase
internal import SignetFiles
internal import SignetSystem

/// A lock on the store, kept as long as the value lives.
///
/// There are two files, which are never removed: removing one could leave two, each locked by another process. One is
/// for the use of what is installed, and the other is for changes. So a module can be installed while hosts run.
///
/// Hosts may be other users. They cannot open the second file, because a process that can read a file can keep others
/// from locking it. Two stores in one process also exclude each other (``OpenFileLock``).
final class StoreLock: Sendable {
  /// The purpose of a lock.
  enum Role: Sendable {
    /// Reading what is installed, any number of times and by any number of processes.
    case use
    /// Removing files that could be in use: nothing uses them meanwhile.
    case collection
    /// Changing what is installed: nothing else changes it meanwhile.
    case change
  }

  /// The file for using what is installed, and for removing what is unused.
  static let name = "lock"
  /// The file for changes.
  static let changeName = "change-lock"
  /// Five minutes in milliseconds: as long as installing a large module may take.
  static let patience = 300_000
  /// Two seconds. A program that a host is just starting has the host's descriptors, with their locks, until it becomes
  /// that program.
  static let shortPatience = 2_000

  private let file: LockFile

  /// Takes a lock, and waits for others to release it.
  ///
  /// - Parameter patience: how many milliseconds to wait.
  /// - Throws: `store.locked`, `store.write-failed`, `file.missing`, `file.not-regular`, `file.others-may-write`,
  ///   `file.unreadable`.
  init(_ role: Role, of store: Directory, patience: Int = patience) throws(SignetError) {
    file = try Self.open(role, store)
    try Self.checkFile(role, file, store)
    try Self.take(role, with: file, in: store, patience: patience)
  }

  /// A caller that only reads needs no more than reading: a store may belong to root, and its hosts may be other users.
  /// A caller that may write finds out later whether others use the store (``excludeOthers()``).
  private static func open(_ role: Role, _ store: Directory) throws(SignetError) -> LockFile {
    do throws(SystemFailure) {
      guard role == .use else {
        return try LockFile(name(role), in: store, isMade: true, mode: role == .change ? 0o600 : 0o644)
      }
      do throws(SystemFailure) { return try LockFile(name(role), in: store, isMade: false) } catch
        where !error.isMissing
      {
        return try LockFile(name(role), in: store, isMade: false, isShared: true)
      }
    } catch {
      guard !error.isMissing else {
        throw SignetError(
          .fileMissing, path(role, store), "is missing, and users of the store need it for locking", cause: error,
          hint: "create the file: signet store remove --unused --store DIR --policy POLICY")
      }
      throw .storeWriteFailed(path(role, store), error)
    }
  }

  /// Turns a shared lock into an exclusive one, if no other process uses the store.
  ///
  /// - Returns: false if others use the store.
  func excludeOthers() -> Bool { (try? file.take(.exclusive, patience: 0)) ?? false }

  /// Lets others use the store again.
  func admitOthers() { _ = try? file.take(.shared, patience: Self.shortPatience) }

  private static func name(_ role: Role) -> String { role == .change ? changeName : name }

  private static func path(_ role: Role, _ store: Directory) -> String { store.shown(Array(name(role).utf8)) }

  private static func checkFile(_ role: Role, _ file: LockFile, _ store: Directory) throws(SignetError) {
    let path = path(role, store)
    guard file.status.kind == .regular else {
      throw SignetError(.fileNotRegular, path, "is not a regular file", expected: "a regular file")
    }
    try TrustedPath.check(file, path)
  }

  private static func take(
    _ role: Role, with file: LockFile, in store: Directory, patience: Int
  ) throws(SignetError) {
    let isTaken: Bool
    do throws(SystemFailure) {
      isTaken = try file.take(role == .use ? .shared : .exclusive, patience: patience)
    } catch {
      throw .storeWriteFailed(path(role, store), error)
    }
    guard !isTaken else { return }
    throw SignetError(
      .storeLocked, store.path,
      role == .collection ? "is in use, so unused releases cannot be removed" : "is being changed by another process",
      hint: "run the command again when the other process has finished")
  }
}
