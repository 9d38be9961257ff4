package import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A lock that runs of the program take before they change a file: of two that add to it the second has to see what the
/// first has written.
///
/// Whoever may open a file may lock it (flock(2)), so the file itself is not what is locked: a reader could keep its
/// owner from changing it. The lock is a file of its own beside it, which those may open who may change the folder, and
/// nobody else. It is removed when the lock ends.
///
/// The kernel knows who has the lock; that the file is there means nothing. A process that is killed leaves the file behind,
/// unlocked: the next run takes it, or removes it where somebody else could remove it meanwhile, and makes another.
package final class AdvisoryLock: Sendable {
  /// The path of the lock's own file.
  package let path: String
  private let descriptor: Int32

  /// Milliseconds between two tries.
  private static let interval: UInt32 = 20
  /// Half a minute of tries.
  package static let patience = 1500
  /// The longest name that file systems take (NAME_MAX).
  private static let nameLimit = 255

  /// Takes the lock for a file that is going to be changed, whether it is there or not.
  ///
  /// - Parameter target: the file's path. Links are not followed: name the file itself.
  /// - Throws: `file.locked` when somebody else keeps it; `output.failed` where the folder cannot be written to.
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
    // As long as it is locked nobody else removes it, and nobody who has opened it goes on without looking at its name.
    if Self.isNamed(descriptor, path) { unsafe unlink(path) }
    close(descriptor)
  }

  /// The path of the lock for a file; the same for everybody who names the file in its folder.
  private static func path(beside target: String) -> String {
    let end = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { target.utf8.index(after: $0) } ?? target.startIndex
    let (start, suffix) = (".", ".signet-lock")
    var name = target[end...]
    // Of long names those that begin alike have one lock: they wait for each other, and that is all.
    while start.utf8.count + name.utf8.count + suffix.utf8.count > nameLimit { name.removeLast() }
    return "\(OutputFolder.path(of: target))/\(start)\(name)\(suffix)"
  }

  /// Takes the lock, unless somebody else has it now.
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
    // Nobody has it, and others could open it who may not change the folder, or take it away from this run.
    defer { close(descriptor) }
    guard unsafe unlink(path) == 0 else { return nil }
    guard let made = try create(path, in: folder) else { return nil }
    if lock(made), isNamed(made, path) { return made }
    close(made)
    return nil
  }

  /// Opens the lock's file.
  ///
  /// - Returns: its descriptor; nil where the file is missing or cannot be opened.
  private static func find(_ path: String) -> Int32? {
    // A link is never followed, and a pipe never waited for. Without O_CREAT: with it, kernels keep even root from opening
    // files of others in folders like /tmp (proc(5), protected_regular).
    let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Makes the lock's file; nil where there is something of that name.
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
    // File systems without locks: there it cannot be had.
    return failure.number != EWOULDBLOCK && failure.number != EINTR
  }

  /// Whether the path still names the open file: who had the lock before has removed it, and others may have made a new
  /// one.
  private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
    guard let open = try? FileStatus(of: descriptor, path: path), let named = try? FileStatus(ofLink: path) else {
      return false
    }
    return open.identity == named.identity
  }

  private static func locked(_ path: String, _ target: String) -> SignetError {
    let owner = (try? FileStatus(ofLink: path)).map { "\(path), of user \($0.owner)" }
    return SignetError(
      .fileLocked, target, "is being signed or changed by another process", expected: "no \(path)", found: owner,
      hint: "run the command again when the other process has finished; if there is none, remove the lock file")
  }
}

/// The folder of a lock: who may change it may open the lock's file.
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
    // In a folder like /tmp others may add files, and not change those of this user.
    let others = status.st_mode & S_ISVTX == 0 ? status.st_mode & 0o022 : 0
    mode = 0o600 | others | others << 1
  }

  /// Whether a file is one that a run may keep as its lock: nobody may open it who may not change the folder, and nobody may
  /// remove it who could not remove any file there.
  func isLock(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return (status.st_uid == geteuid() || status.st_uid == owner) && status.st_mode & 0o7777 & ~mode == 0
      && (status.st_gid == group || status.st_mode & 0o070 == 0)
  }

  /// Lets those open a new lock who may change the folder: when this run is killed, they may find it unlocked. What the system does
  /// not allow is left: then it is this user's alone.
  package func share(_ descriptor: Int32) {
    let isShared = fchown(descriptor, geteuid() == 0 ? owner : uid_t.max, group) == 0
    _ = fchmod(descriptor, isShared ? mode : mode & ~0o070)
  }
}
