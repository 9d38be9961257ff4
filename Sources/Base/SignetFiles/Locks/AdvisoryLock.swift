package import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A lock that each run of the program takes before it changes a file.
///
/// If two runs add to a file, the second must see what the first has written.
///
/// Any user who can open a file can lock it (flock(2)). So the file itself is not locked: a reader could keep its
/// owner from changing it. The lock is a separate file beside it, which only users who may change the folder can
/// open. It is removed when the lock ends.
///
/// The kernel knows which process holds the lock; the existence of the file means nothing. A process that is killed
/// leaves the file behind, unlocked. The next run takes that file. If others could remove it meanwhile, the run
/// removes it and makes another.
package final class AdvisoryLock: Sendable {
  /// The path of the lock's own file.
  package let path: String
  private let descriptor: Int32

  /// The interval between two tries, in milliseconds.
  private static let interval: UInt32 = 20
  /// The usual number of tries, which take half a minute.
  package static let patience = 1500
  /// The longest name that file systems take (NAME_MAX).
  private static let nameLimit = 255

  /// Takes the lock for a file that will be changed, whether or not the file exists.
  ///
  /// - Parameter target: the file's path. Links are not followed: name the file itself.
  /// - Throws: `file.locked` if another process holds the lock; `output.failed` if the folder cannot be written to.
  package init(beside target: String, tries: Int = patience) throws(SignetError) {
    path = Self.path(beside: target)
    for _ in 0..<tries {
      if let descriptor = try Self.take(path) {
        self.descriptor = descriptor
        return
      }
      usleep(Self.interval * 1000)
    }
    throw Self.locked(path, target)
  }

  deinit {
    // While the file is locked, no other run removes it. A run that has opened it checks its name before it goes on.
    if Self.isNamed(descriptor, path) { unsafe unlink(path) }
    close(descriptor)
  }

  /// The path of the lock for a file, which is the same for all users who name the file in its folder.
  private static func path(beside target: String) -> String {
    let end = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { target.utf8.index(after: $0) } ?? target.startIndex
    let (start, suffix) = (".", ".signet-lock")
    var name = target[end...]
    // Long names with the same beginning share one lock; the only effect is that their runs wait for each other.
    while start.utf8.count + name.utf8.count + suffix.utf8.count > nameLimit { name.removeLast() }
    return "\(OutputFolder.path(of: target))/\(start)\(name)\(suffix)"
  }

  /// Takes the lock; nil if it is held by another process now.
  private static func take(_ path: String) throws(SignetError) -> Int32? {
    let folder = try LockFolder(of: path)
    var opened = find(path)
    if opened == nil { opened = try create(path, in: folder) }
    guard let descriptor = opened else { return nil }
    guard isRegular(descriptor, path), lock(descriptor), isNamed(descriptor, path) else {
      close(descriptor)
      return nil
    }
    guard !folder.isLock(descriptor) else { return descriptor }
    // The lock is free, but users who may not change the folder could open this file, or others could remove it from
    // under this run. So the file is replaced.
    defer { close(descriptor) }
    guard unsafe unlink(path) == 0 else { return nil }
    guard let made = try create(path, in: folder) else { return nil }
    if lock(made), isNamed(made, path) { return made }
    close(made)
    return nil
  }

  /// Opens the lock's file.
  ///
  /// - Returns: its descriptor; nil if the file is missing or cannot be opened.
  private static func find(_ path: String) -> Int32? {
    // A link is never followed, and a pipe is never waited for. There is no O_CREAT: with it, kernels keep even root
    // from opening files of others in folders like /tmp (proc(5), protected_regular).
    let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Creates the lock's file; nil if something already has that name.
  private static func create(_ path: String, in folder: LockFolder) throws(SignetError) -> Int32? {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let failure = SystemFailure.last("open")
      if failure.number == EINTR || failure.number == EEXIST { return nil }
      throw SignetError(
        .outputFailed, path, "cannot be created, but is needed to change the file beside it", cause: failure,
        hint: "check that the folder exists, is writable and has space")
    }
    folder.share(descriptor)
    return descriptor
  }

  private static func isRegular(_ descriptor: Int32, _ path: String) -> Bool {
    (try? FileStatus(of: descriptor, path: path))?.kind == .regular
  }

  private static func lock(_ descriptor: Int32) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    let failure = SystemFailure.last("flock")
    // On a file system without locks the lock cannot be had, and counts as taken.
    return failure.number != EWOULDBLOCK && failure.number != EINTR
  }

  /// Whether the path still names the open file.
  ///
  /// The previous holder of the lock may have removed the file, and others may have made a new one.
  static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
    guard let open = try? FileStatus(of: descriptor, path: path), let named = try? FileStatus(ofLink: path) else {
      return false
    }
    return open.identity == named.identity
  }

  private static func locked(_ path: String, _ target: String) -> SignetError {
    let owner = (try? FileStatus(ofLink: path)).map { "\(path), of user \($0.owner)" }
    return SignetError(
      .fileLocked, target, "is being signed or changed by another process", expected: "no \(path)", found: owner,
      hint: "run the command again when the other process has finished; if none runs, remove the lock file")
  }
}

/// The folder of a lock: users who may change the folder may open the lock's file.
private struct LockFolder {
  private let owner: uid_t
  private let group: gid_t
  /// The permissions of a lock's file.
  private let mode: mode_t

  package init(of path: String) throws(SignetError) {
    var status = stat()
    let folder = OutputFolder.path(of: path)
    guard unsafe stat(folder, &status) == 0 else {
      throw SignetError(
        .outputFailed, folder, "cannot be examined", cause: SystemFailure.last("stat"),
        hint: "check that the folder exists")
    }
    owner = status.st_uid
    group = status.st_gid
    // In a folder like /tmp others may add files, but not change those of this user.
    let others = status.st_mode & S_ISVTX == 0 ? status.st_mode & 0o022 : 0
    mode = 0o600 | others | others << 1
  }

  /// Whether a run may keep a file as its lock.
  ///
  /// Users who may not change the folder must not be able to open it. Users who could not remove any file there must
  /// not be able to remove it.
  func isLock(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return (status.st_uid == geteuid() || status.st_uid == owner) && status.st_mode & 0o7777 & ~mode == 0
      && (status.st_gid == group || status.st_mode & 0o070 == 0)
  }

  /// Lets users who may change the folder open a new lock, because they may find it unlocked after this run is
  /// killed.
  ///
  /// If the system does not allow that, the lock stays private to this user.
  package func share(_ descriptor: Int32) {
    let isShared = fchown(descriptor, geteuid() == 0 ? owner : uid_t.max, group) == 0
    _ = fchmod(descriptor, isShared ? mode : mode & ~0o070)
  }
}
