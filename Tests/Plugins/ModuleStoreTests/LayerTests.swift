import Foundation
import ModuleStore
import Signet
import SignetCrypto
import TestSupport
import Testing

/// A release whose directory cannot be renamed, as in the lower layer of overlayfs, is repaired all the same.
@Suite(.slow, .serialized, .timeLimit(.minutes(60)))
struct LayerTests {
  /// Has the first move fail as such a file system has it fail: that of the old directory, out of its place.
  private static let across = ["-e", "inject=renameat2:error=EXDEV:when=1"]

  private let child: InstallingChild

  init() throws { child = try InstallingChild() }

  /// Puts the store with release 6 back, and damages that.
  private func damage() throws {
    try child.restore()
    let home = child.fixture.path + "/modules/com.example.player/"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: home).first)
    let files = home + release + "/files"
    try Data("HELLO".utf8).write(to: URL(filePath: files + "/assets/a"))
    try FileManager.default.removeItem(atPath: files + "/assets/0/0")
    try FileManager.default.createDirectory(atPath: files + "/assets/0/0/below", withIntermediateDirectories: true)
    try Data("extra".utf8).write(to: URL(filePath: files + "/assets/0/0/below/extra"))
    try FileManager.default.removeItem(atPath: files + "/assets/1")
  }

  private func codes() throws -> [String] {
    try child.store().verify().compactMap { release in
      if case .failure(let error) = release.standing { "\(error.code)" } else { nil }
    }
  }

  @Test(
    "a directory that cannot be renamed is overwritten, entry by entry",
    .enabled(if: Strace.path != nil, Strace.absence))
  func overwritten() throws {
    try damage()
    #expect(try codes() == ["store.damaged"])
    let run = try child.run(
      ["-o", "/dev/null", "-e", "trace=renameat2"] + Self.across, [child.oldArchive, "--repair"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try codes() == [])
    let store = try child.store()
    try store.collectGarbage()
    #expect(try store.staging().isEmpty)
  }

  @Test(
    "a repair that is killed before any system call is done by the next",
    .enabled(if: Strace.path != nil, Strace.absence))
  func killed() throws {
    try damage()
    let repair = [child.oldArchive, "--repair"]
    let points = try child.calls(Self.across, repair)
    let begin = try #require(points.firstIndex { $0.name == "renameat2" && $0.text.contains("EXDEV") })
    var whole = 0
    // Opening something changes nothing, and what is injected into a call is one thing.
    let looked = points[begin...].dropFirst().filter { !["openat", "fcntl", "renameat2"].contains($0.name) }
    for point in Strace.points(looked) {
      let place: Comment = "killed before \(point.name) \(point.number): \(point.text)"
      try damage()
      let kill = ["-e", "inject=\(point.name):signal=KILL:when=\(point.number)"]
      let run = try child.run(
        ["-o", "/dev/null", "-e", "trace=renameat2,\(point.name)"] + Self.across + kill, repair)
      #expect(run.status == 128 + SIGKILL, place)
      if try codes().isEmpty { whole += 1 }
      let again = try child.run(["-o", "/dev/null", "-e", "trace=renameat2"] + Self.across, repair)
      #expect(again.status == 0, "\(place): \(again.errors)")
      #expect(try codes() == [], place)
      let store = try child.store()
      try store.collectGarbage()
      #expect(try store.staging().isEmpty, place)
    }
    // Some kills come after everything was in its place.
    #expect(whole > 0)
  }
}
