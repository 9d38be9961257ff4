import Foundation
import SignetSystem
import TestSupport
import Testing

@testable import SignetFiles

#if canImport(Glibc)
  import Glibc
#endif

struct AdvisoryLockTests {
  private let folder: TemporaryFolder
  private let target: String

  init() throws {
    folder = try TemporaryFolder()
    target = try folder.write("trust.json", [1])
  }

  private var lockPath: String { folder.path + "/.trust.json.signet-lock" }

  @Test("one run has the lock at a time; its file is for its owner alone, and gone afterwards")
  func exclusive() throws {
    do {
      let lock = try AdvisoryLock(beside: target, tries: 1)
      #expect(lock.path == lockPath)
      #expect(try FileStatus(ofLink: lock.path).mode == 0o600)
      expectError(.fileLocked) { _ = try AdvisoryLock(beside: target, tries: 3) }
      withExtendedLifetime(lock) {}
    }
    #expect(try folder.listing() == ["trust.json"])
    _ = try AdvisoryLock(beside: target, tries: 1)
  }

  @Test("whoever may read a file cannot keep its owner from changing it", arguments: [LOCK_SH, LOCK_EX])
  func reader(kind: Int32) throws {
    let reader = open(target, O_RDONLY)
    defer { close(reader) }
    try #require(flock(reader, kind | LOCK_NB) == 0)
    _ = try AdvisoryLock(beside: target, tries: 1)
  }

  @Test("a lock that a killed run has left behind is taken, and removed")
  func left() throws {
    try #require(close(open(lockPath, O_CREAT | O_RDWR, 0o600)) == 0)
    _ = try AdvisoryLock(beside: target, tries: 1)
    #expect(try folder.listing() == ["trust.json"])
  }

  @Test("what is no file is never taken for a lock, and never removed")
  func foreign() throws {
    // A link to a file of one's own.
    try #require(symlink("trust.json", lockPath) == 0)
    expectError(.fileLocked) { _ = try AdvisoryLock(beside: target, tries: 2) }
    try #require(unlink(lockPath) == 0 && mkfifo(lockPath, 0o600) == 0)
    expectError(.fileLocked) { _ = try AdvisoryLock(beside: target, tries: 2) }
    try #require(unlink(lockPath) == 0 && mkdir(lockPath, 0o700) == 0)
    expectError(.fileLocked) { _ = try AdvisoryLock(beside: target, tries: 2) }
    #expect(try folder.listing() == [".trust.json.signet-lock", "trust.json"])
  }

  /// Leaves a file in the lock's place, as of a run that was killed.
  private func leave(mode: mode_t, owner: uid_t? = nil, group: gid_t? = nil) throws -> FileStatus.Identity {
    try #require(close(open(lockPath, O_CREAT | O_EXCL | O_RDWR, 0o600)) == 0 && chmod(lockPath, mode) == 0)
    if owner != nil || group != nil {
      try #require(chown(lockPath, owner ?? uid_t.max, group ?? gid_t.max) == 0)
    }
    return try FileStatus(ofLink: lockPath).identity
  }

  /// Expects that a file is no lock as long as somebody keeps it locked, and that it is none afterwards either: another takes its place.
  private func expectReplaced(_ left: FileStatus.Identity, by mode: UInt32) throws {
    let holder = open(lockPath, O_RDONLY)
    // Open, so that no other file gets its number.
    defer { close(holder) }
    try #require(flock(holder, LOCK_SH | LOCK_NB) == 0)
    expectError(.fileLocked) { _ = try AdvisoryLock(beside: target, tries: 2) }
    #expect(try FileStatus(ofLink: lockPath).identity == left)
    try #require(flock(holder, LOCK_UN) == 0)
    let lock = try AdvisoryLock(beside: target, tries: 1)
    let status = try FileStatus(ofLink: lockPath)
    #expect(status.identity != left)
    #expect(status.mode == mode)
    // Who has the old one open has nothing.
    try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
    expectError(.fileLocked) { _ = try AdvisoryLock(beside: target, tries: 2) }
    withExtendedLifetime(lock) {}
  }

  @Test(
    "a lock that others may open is waited for as long as somebody has it, and replaced then",
    arguments: [0o644, 0o666])
  func readable(mode: Int) throws {
    try expectReplaced(try leave(mode: mode_t(mode)), by: 0o600)
    #expect(try folder.listing() == ["trust.json"])
  }

  @Test(
    "a lock of another user that was left behind is replaced, and one that the user has is waited for",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func otherUser() throws {
    try expectReplaced(try leave(mode: 0o600, owner: 12_345, group: 12_345), by: 0o600)
    // In a folder like /tmp, too, where kernels look at who opens what.
    try #require(chmod(folder.path, 0o1777) == 0)
    try expectReplaced(try leave(mode: 0o600, owner: 12_345, group: 12_345), by: 0o600)
    #expect(try folder.listing() == ["trust.json"])
  }

  @Test(
    "whoever may change the folder may open its locks, and nobody else",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func shared() throws {
    // The owner, the group, the folder's permissions, and those of its locks.
    let folders: [(uid_t, gid_t, mode_t, mode_t)] = [
      (0, 0, 0o755, 0o600), (12_345, 12_345, 0o700, 0o600), (12_345, 54_321, 0o775, 0o660),
      (0, 54_321, 0o2770, 0o660),
      (12_345, 12_345, 0o777, 0o666), (0, 0, 0o1777, 0o600), (0, 54_321, 0o3770, 0o600),
    ]
    for (owner, group, mode, expected) in folders {
      try #require(chown(folder.path, owner, group) == 0 && chmod(folder.path, mode) == 0)
      let lock = try AdvisoryLock(beside: target, tries: 1)
      var status = stat()
      try #require(stat(lockPath, &status) == 0)
      #expect(status.st_uid == owner, "\(owner) \(group) \(String(mode, radix: 8))")
      #expect(status.st_gid == group, "\(owner) \(group) \(String(mode, radix: 8))")
      #expect(status.st_mode & 0o7777 == expected, "\(owner) \(group) \(String(mode, radix: 8))")
      withExtendedLifetime(lock) {}
    }
    // The owner's own is taken as it is.
    try #require(chown(folder.path, 12_345, 12_345) == 0 && chmod(folder.path, 0o755) == 0)
    let left = try leave(mode: 0o600, owner: 12_345, group: 12_345)
    let lock = try AdvisoryLock(beside: target, tries: 1)
    #expect(try FileStatus(ofLink: lockPath).identity == left)
    withExtendedLifetime(lock) {}
  }

  #if os(Linux)
    @Test(
      "a user without rights takes what another left in a folder of both, and nothing in one like /tmp",
      .enabled(if: geteuid() == 0, "only root can become somebody else"))
    func withoutRights() async {
      await #expect(processExitsWith: .exitCode(0)) {
        let folder = try TemporaryFolder()
        let target = try folder.write("trust.json", [1])
        let path = folder.path + "/.trust.json.signet-lock"
        // What a run of the first user left.
        func leave(_ mode: mode_t) -> Bool {
          let file = open(path, O_CREAT | O_RDWR, 0o600)
          return file >= 0 && fchown(file, 11_111, 54_321) == 0 && fchmod(file, mode) == 0 && close(file) == 0
        }
        func isTaken() -> Bool { (try? AdvisoryLock(beside: target, tries: 2)) != nil }
        guard chown(folder.path, 11_111, 54_321) == 0, chmod(folder.path, 0o770) == 0, leave(0o660) else { exit(1) }
        // Now the second user, of the same group.
        guard setgroups(0, nil) == 0, setegid(54_321) == 0, seteuid(22_222) == 0 else {
          exit(2)
        }
        // Taken as it is: it belongs to the folder's owner.
        guard isTaken(), !FileManager.default.fileExists(atPath: path) else { exit(3) }
        func asRoot(_ body: () -> Bool) -> Bool { seteuid(0) == 0 && body() && seteuid(22_222) == 0 }
        // A third user's is removed.
        guard asRoot({ chown(folder.path, 33_333, 54_321) == 0 && chmod(folder.path, 0o770) == 0 && leave(0o660) })
        else { exit(4) }
        guard isTaken(), !FileManager.default.fileExists(atPath: path) else { exit(5) }
        // In a folder like /tmp its owner alone may remove it, and could while somebody else has it.
        guard asRoot({ chmod(folder.path, 0o1777) == 0 && leave(0o666) }) else { exit(6) }
        guard !isTaken(), FileManager.default.fileExists(atPath: path) else { exit(7) }
        exit(asRoot { (try? FileManager.default.removeItem(atPath: folder.path)) != nil } ? 0 : 8)
      }
    }
  #endif

  @Test("who has waited for a lock that was removed takes a new one")
  func removed() throws {
    // As a run that opened the lock's file before it was removed: what it has is nobody's lock any more.
    let old: Int32
    do {
      let lock = try AdvisoryLock(beside: target, tries: 1)
      old = open(lock.path, O_RDWR)
      withExtendedLifetime(lock) {}
    }
    defer { close(old) }
    try #require(flock(old, LOCK_EX | LOCK_NB) == 0)
    let lock = try AdvisoryLock(beside: target, tries: 1)
    #expect(try FileStatus(ofLink: lock.path).identity != FileStatus(of: old, path: "old").identity)
    // Another in its place is not removed with it.
    try #require(unlink(lock.path) == 0)
    let other = try AdvisoryLock(beside: target, tries: 1)
    let named = try FileStatus(ofLink: other.path).identity
    withExtendedLifetime(lock) {}
    #expect(try FileStatus(ofLink: lockPath).identity == named)
    withExtendedLifetime(other) {}
  }

  @Test("of many who change a file at once nobody's change is lost")
  func counting() async throws {
    let (target, path) = (target, folder.path + "/count")
    try Data("0".utf8).write(to: URL(fileURLWithPath: path))
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let lock = try AdvisoryLock(beside: target, tries: 100_000)
            let count = try #require(Int(String(contentsOfFile: path, encoding: .utf8)))
            try Data("\(count + 1)".utf8).write(to: URL(fileURLWithPath: path))
            withExtendedLifetime(lock) {}
          }
        }
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "200")
    #expect(try folder.listing() == ["count", "trust.json"])
  }

  @Test("names that are too long for a lock beside them have one all the same, and a folder that is missing is told")
  func names() throws {
    let long = folder.path + "/" + String(repeating: "n", count: 250)
    let lock = try AdvisoryLock(beside: long, tries: 1)
    expectError(.fileLocked) { _ = try AdvisoryLock(beside: long, tries: 2) }
    // Those that begin alike share it, whatever characters are cut in two by its length; others do not.
    expectError(.fileLocked) { _ = try AdvisoryLock(beside: long.dropLast() + "m", tries: 2) }
    let wide = folder.path + "/" + String(repeating: "é", count: 125)
    let other = try AdvisoryLock(beside: wide, tries: 1)
    for path in [lock.path, other.path] {
      #expect((path.split(separator: "/").last?.utf8.count ?? 0) <= 255)
      #expect(path.hasSuffix(".signet-lock"))
    }
    #expect(lock.path != other.path)
    withExtendedLifetime((lock, other)) {}
    expectError(.outputFailed) { _ = try AdvisoryLock(beside: folder.path + "/missing/file", tries: 1) }
  }
}
