import Foundation
import ModuleStore
import Signet
import SignetCrypto
import TestSupport
import Testing

@Suite(.slow, .serialized, .timeLimit(.minutes(60)))
struct KillTests {
  @Test(
    "an installation that is killed before any system call leaves the old state or the new",
    .enabled(if: Strace.path != nil, Strace.absence))
  func kill() throws {
    let child = try InstallingChild()
    let calls = try child.calls()
    #expect(calls.count >= 200)
    let points = Strace.points(calls)
    var outcomes: [[Int]: Int] = [:]
    for point in points {
      let place: Comment = "killed before \(point.name) \(point.number): \(point.text)"
      try child.restore()
      let run = try child.run(
        [
          "-o", "/dev/null", "-e", "trace=\(point.name)", "-e",
          "inject=\(point.name):signal=KILL:when=\(point.number)",
        ])
      #expect(run.status == 128 + SIGKILL, place)
      outcomes[try child.check(place), default: 0] += 1
      try child.finish(place)
    }
    // Both were met: the last calls come after the state was replaced.
    #expect(outcomes[[6], default: 0] > points.count * 3 / 4)
    #expect(outcomes[[6, 7], default: 0] >= 1)
  }

  @Test(
    "a store that is killed while it is made is made the next time",
    .enabled(if: Strace.path != nil, Strace.absence))
  func killWhileMaking() throws {
    let child = try InstallingChild()
    try FileManager.default.removeItem(atPath: child.fixture.path)
    for point in Strace.points(try child.calls().prefix(60)) {
      let place: Comment = "killed before \(point.name) \(point.number): \(point.text)"
      try? FileManager.default.removeItem(atPath: child.fixture.path)
      let run = try child.run(
        [
          "-o", "/dev/null", "-e", "trace=\(point.name)", "-e",
          "inject=\(point.name):signal=KILL:when=\(point.number)",
        ])
      #expect(run.status == 128 + SIGKILL, place)
      let again = try Program.run(child.arguments[0], Array(child.arguments.dropFirst()))
      #expect(again.status == 0, "\(place): \(again.errors)")
      #expect(try child.store().installed().map(\.sequence) == [7], place)
    }
  }

  /// Calls that a full disk and a broken one make fail, and how.
  static let faults: [(error: String, calls: Set<String>)] = [
    ("ENOSPC", ["openat", "write", "pwrite64", "mkdirat", "renameat", "renameat2", "symlinkat"]),
    (
      "EIO",
      ["openat", "write", "pwrite64", "renameat", "renameat2", "fsync", "syncfs", "fchmod", "ftruncate", "unlinkat"]
    ),
    ("EDQUOT", ["write", "mkdirat", "syncfs"]),
  ]

  /// How an installation that could not be done may say so.
  static let codes = [
    "store.write-failed", "extraction.failed", "file.unreadable", "file.read-failed", "store.damaged",
    "store.missing",
    "file.missing",
  ]

  @Test(
    "an installation whose disk is full or fails at any system call leaves the old state, and says so",
    .enabled(if: Strace.path != nil, Strace.absence), arguments: faults)
  func fail(error: String, calls: Set<String>) throws {
    let child = try InstallingChild()
    var failures: [String: Int] = [:]
    // Opening something changes nothing, so that not every such call has to be tried.
    let points = try child.calls().filter { point in
      calls.contains(point.name)
        && (point.name != "openat" || point.text.contains("O_CREAT") || point.number % 8 == 0)
    }
    // What is synced is few, and each is looked at.
    let looked = Extent.sample(of: points, oneOf: 8) { $0.name.contains("sync") || $0.name.hasPrefix("rename") }
    for point in looked {
      let place: Comment = "\(error) of \(point.name) \(point.number): \(point.text)"
      try child.restore()
      let run = try child.run(
        [
          "-o", "/dev/null", "-e", "trace=\(point.name)", "-e",
          "inject=\(point.name):error=\(error):when=\(point.number)",
        ])
      let installed = try child.check(place)
      if run.status == 0 {
        #expect(installed == [6, 7], place)
      } else {
        #expect(run.status == 2, "\(place): \(run.errors)")
        #expect(installed == [6], "\(place): \(run.errors)")
        let code = Self.codes.first { run.errors.contains("[\($0)]") }
        #expect(code != nil, "\(place): \(run.errors)")
        failures[code ?? "", default: 0] += 1
      }
      try child.finish(place)
    }
    #expect(failures["store.write-failed", default: 0] > 0)
    // One sync for each of the directories and files that section 5 names.
    if calls.contains("fsync") { #expect(failures["store.write-failed", default: 0] >= 6) }
  }

  @Test(
    "where the state has its name, and neither that nor taking it back reaches the disk, it is said so, and the new state is left",
    .enabled(if: Strace.path != nil, Strace.absence))
  func notSynced() throws {
    let child = try InstallingChild()
    let last = try #require(try child.calls().last { $0.name == "fsync" })
    try child.restore()
    let run = try child.run(
      ["-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO:when=\(last.number)+"])
    #expect(run.status == 2)
    #expect(run.errors.contains("[store.not-synced]"), "\(run.errors)")
    #expect(try child.check("fsync") == [6, 7])
    try child.finish("fsync")
  }

  /// The thread sanitizer ends where it cannot write: it maps a file of its own that it has filled.
  static let persistentFaults =
    ["fsync", "syncfs"]
    + (ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil ? ["fsync,syncfs,write,renameat"] : [])

  @Test(
    "where nothing can be synced any more, the old state is left",
    .enabled(if: Strace.path != nil, Strace.absence), arguments: Self.persistentFaults)
  func persistent(calls: String) throws {
    let child = try InstallingChild()
    let run = try child.run(
      ["-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):error=EIO:when=1+"])
    #expect(run.status == 2)
    #expect(try child.check("\(calls)") == [6])
    try child.finish("\(calls)")
  }
}
