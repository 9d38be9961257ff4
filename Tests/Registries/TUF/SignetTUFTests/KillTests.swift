import Foundation
import SignetBase
import TestSupport
import Testing

@testable import SignetTUF

/// A client's folder with old metadata, a repository with new metadata, and a program that refreshes.
private final class RefreshingProgram: InterruptedProgram {
  static let name = "RefreshProgram"

  let client: TestClient
  let template: String
  var changed: String { client.trusted.path }
  var log: String { client.folder.file("log") }
  private let directory: TemporaryFolder
  /// What each stored file may be: old, new, or missing where that is allowed.
  private var versions: [String: [[UInt8]?]] = [:]

  init() throws {
    let repository = try SimulatedRepository()
    try repository.addKey(\.timestamp, "timestamp")
    repository.root.version = 0
    repository.timestamp.version = 99
    try repository.publish("root", "targets", "snapshot", "timestamp")
    client = try TestClient(repository)
    try client.refresh()
    for role in DelegatedRole.topLevel { versions[role] = [try client.folder.read("metadata/\(role).json")] }
    // A key of the timestamp is taken away, and the timestamp falls. The other key stays, so a trusted timestamp that was
    // not dropped would still verify and do harm.
    repository.removeKey(\.timestamp, "timestamp")
    repository.timestamp.version = 0
    try repository.publish("root", "targets", "snapshot", "timestamp")
    directory = try TemporaryFolder(inMemory: true)
    for (role, path) in [
      ("root", "2.root.json"), ("timestamp", "timestamp.json"), ("snapshot", "3.snapshot.json"),
      ("targets", "3.targets.json"),
    ] {
      let bytes = try #require(repository.server[path])
      try directory.write(path, bytes)
      versions[role]?.append(bytes)
      if role == "timestamp" || role == "snapshot" { versions[role]?.append(nil) }
    }
    template = client.folder.file("template")
    try FileManager.default.moveItem(atPath: client.trusted.path, toPath: template)
    try restore()
  }

  var arguments: [String] {
    // A time at which the folder has not been refreshed, so that it is stored, too.
    let time = UnixTime(seconds: SimulatedRepository.now.seconds + 86_400)
    return [client.trusted.path, directory.path, time.description]
  }

  /// Checks that each file is old or new, and that the next refresh brings the new state.
  func check(_ place: Comment) throws {
    for (role, allowed) in versions {
      let path = "metadata/\(role).json"
      let stored =
        FileManager.default.fileExists(atPath: client.folder.file(path)) ? try client.folder.read(path) : nil
      #expect(allowed.contains { $0 == stored }, "\(place): \(role)")
    }
    let again = try Program.run(Self.program, arguments)
    #expect(again.status == 0, "\(place): \(again.output)")
    #expect(try client.versions() == ["root 2", "snapshot 3", "targets 3", "timestamp 1"], place)
  }
}

@Suite(.slow, .serialized)
struct RefreshKillTests {
  @Test(
    "a refresh that is killed before any system call leaves old or new metadata, and the next one ends it",
    .enabled(if: Strace.path != nil, Strace.absence))
  func kill() throws {
    try RefreshingProgram().killEverywhere(least: 60)
  }

  @Test(
    "a refresh whose disk is full or fails at any system call leaves old or new metadata",
    .enabled(if: Strace.path != nil, Strace.absence),
    arguments: [
      ("ENOSPC", ["openat", "write", "linkat", "rename"]),
      ("EIO", ["write", "fsync", "rename", "linkat", "unlink", "fcntl"]),
    ])
  func fail(error: String, calls: [String]) throws {
    try RefreshingProgram().failEverywhere(error, at: calls)
  }
}
