internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A lock on the store, kept as long as the value lives.
///
/// There are two files, which are never removed: who removed one would leave two, each locked by somebody else. One says
/// who uses what is installed, the other who changes something; so a module can be installed while hosts run. Hosts may
/// be other users: the second they cannot open, since whoever can read a file can keep others from locking it.
/// Two stores of one process exclude each other, too (``OpenFileLock``).
final class StoreLock: Sendable {
  /// What a lock is for.
  enum Role: Sendable {
    /// Reading what is installed, as often as one likes, by as many as like.
    case use
    /// Removing files that somebody might use: nobody does meanwhile.
    case collection
    /// Changing what is installed: nobody else does meanwhile.
    case change
  }

  /// The file of those who use what is installed, and of those who clear away.
  static let name = "lock"
  /// The file of those who change something.
  static let changeName = "change-lock"
  /// Five minutes of milliseconds: as long as installing a large module may take.
  static let patience = 300_000
  /// Two seconds: a program that a host is just starting has the host's descriptors until it becomes that program, and
  /// their locks with them.
  static let shortPatience = 2_000

  private let descriptor: Int32

  /// Takes a lock, waiting for others to give it up.
  ///
  /// - Parameter patience: milliseconds to wait.
  /// - Throws: `store.locked`, `store.write-failed`, `file.missing`, `file.not-regular`, `file.others-may-write`, `file.unreadable`.
  init(_ role: Role, of store: Directory, patience: Int = patience) throws(SignetError) {
    descriptor = try Self.open(role, store)
    // From here on a throw ends a whole value, whose end closes the descriptor: closing it here, too, would close somebody else's.
    try Self.check(role, descriptor, store)
    try Self.take(role, descriptor, store, patience)
  }

  deinit { close(descriptor) }

  /// Whoever only reads needs no more than that: a store may belong to root, and its hosts to others.
  private static func open(_ role: Role, _ store: Directory) throws(SignetError) -> Int32 {
    // O_NONBLOCK: opening a pipe must not wait.
    let flags = (role == .use ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    var descriptor: Int32
    let mode: mode_t = role == .change ? 0o600 : 0o644
    repeat {
      descriptor = unsafe openat(store.descriptor, name(role), flags, mode)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else {
      let failure = SystemFailure.last("openat")
      guard failure.number != ENOENT else {
        throw SignetError(
          .fileMissing, path(role, store), "is gone; those who use the store lock it", cause: failure,
          hint: "run signet module remove --unused on the store: that makes the file anew")
      }
      throw .storeWriteFailed(path(role, store), failure)
    }
    return descriptor
  }

  private static func name(_ role: Role) -> String { role == .change ? changeName : name }

  private static func path(_ role: Role, _ store: Directory) -> String { store.shown(Array(name(role).utf8)) }

  private static func check(_ role: Role, _ descriptor: Int32, _ store: Directory) throws(SignetError) {
    let path = path(role, store)
    let status = try FileStatus(of: descriptor, path: path)
    guard status.kind == .regular else {
      throw SignetError(.fileNotRegular, path, "is not a regular file", expected: "a regular file")
    }
    try StoreFolder.check(status, path)
  }

  private static func take(
    _ role: Role, _ descriptor: Int32, _ store: Directory, _ patience: Int
  ) throws(SignetError) {
    let isTaken: Bool
    do throws(SystemFailure) {
      isTaken = try OpenFileLock.take(role == .use ? .shared : .exclusive, of: descriptor, patience: patience)
    } catch {
      throw .storeWriteFailed(path(role, store), error)
    }
    guard !isTaken else { return }
    throw SignetError(
      .storeLocked, store.path,
      role == .collection ? "is in use, so that nothing can be cleared away" : "is being changed by somebody else",
      hint: "run it again when the other has finished")
  }
}
