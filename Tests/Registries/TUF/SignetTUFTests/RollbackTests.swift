import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct RollbackTests {
  @Test("a timestamp that is older is refused")
  func timestamp() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.publish("timestamp")
    try client.refresh()
    repository.timestamp.version = 0
    try repository.publish("timestamp")
    expectError(.tufRollback) { try client.refresh() }
    #expect(try client.versions().last == "timestamp 2")
  }

  @Test("a snapshot that is older is refused with the timestamp that names it", arguments: [false, true])
  func snapshot(statesHashes: Bool) throws {
    let repository = try SimulatedRepository()
    repository.statesHashes = statesHashes
    let client = try TestClient(repository)
    try repository.publish("snapshot", "timestamp")
    try client.refresh()
    repository.snapshot.version = 0
    try repository.publish("snapshot", "timestamp")
    expectError(.tufRollback) { try client.refresh() }
    #expect(try client.versions() == ["root 1", "snapshot 2", "targets 1", "timestamp 2"])
  }

  @Test("targets that are older are refused with the snapshot that lists them", arguments: [false, true])
  func targets(statesHashes: Bool) throws {
    let repository = try SimulatedRepository()
    repository.statesHashes = statesHashes
    let client = try TestClient(repository)
    try repository.publish("targets", "snapshot", "timestamp")
    try client.refresh()
    repository.targets.version = 0
    try repository.publish("targets", "snapshot", "timestamp")
    expectError(.tufRollback) { try client.refresh() }
    #expect(try client.versions() == ["root 1", "snapshot 2", "targets 2", "timestamp 3"])
  }

  @Test("without its timestamp, the stored snapshot alone guards")
  func lostTimestamp() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.publish("snapshot", "timestamp")
    try client.refresh()
    try remove(client.trusted.path + "/timestamp.json")
    repository.snapshot.version = 0
    try repository.publish("snapshot", "timestamp")
    expectError(.tufRollback) { try client.refresh() }
  }

  @Test(
    "what is remembered and cannot be read is an error, and nothing is forgotten",
    arguments: ["timestamp.json", "snapshot.json", "targets.json", "clock", "rotation"])
  func unreadable(name: String) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.publish("targets", "snapshot", "timestamp")
    try client.refresh()
    // A folder in its place, since root may read any file.
    let (place, kept) = (client.trusted.path + "/" + name, client.folder.file("kept"))
    let isThere = FileManager.default.fileExists(atPath: place)
    if isThere { try FileManager.default.moveItem(atPath: place, toPath: kept) }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let error = expectError(.fileIsDirectory) { try client.refresh() }
    #expect(error?.object == place)
    try remove(place)
    if isThere { try FileManager.default.moveItem(atPath: kept, toPath: place) }
    repository.timestamp.version = 0
    try repository.publish("timestamp")
    expectError(.tufRollback) { try client.refresh() }
  }

  @Test("a role that disappears from the snapshot is refused")
  func removal() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "delegated")
    try repository.publish("delegated", "targets", "snapshot", "timestamp")
    try client.refresh()
    repository.snapshot["delegated"] = nil
    try repository.publish("snapshot", "timestamp")
    expectError(.tufRoleRemoved) { try client.refresh() }
    #expect(try client.versions().contains("snapshot 2"))
  }

  @Test("a new snapshot key lets roles and versions fall: recovery from fast-forward of targets")
  func targetsRecovery() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "delegated")
    repository.targets.version = 99
    try repository.publish("delegated", "targets", "snapshot", "timestamp")
    try client.refresh()
    try repository.rotate(\.snapshot, "snapshot")
    repository.targets.version = 0
    repository.snapshot["delegated"] = nil
    try repository.publish("root", "targets", "snapshot", "timestamp")
    try client.refresh()
    #expect(try client.versions().contains("targets 1"))
  }

  @Test("new keys of snapshot and timestamp let the snapshot fall")
  func snapshotRecovery() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.snapshot.version = 99
    try repository.publish("snapshot", "timestamp")
    try client.refresh()
    try repository.rotate(\.snapshot, "snapshot")
    try repository.rotate(\.timestamp, "timestamp")
    repository.snapshot.version = 0
    try repository.publish("root", "snapshot", "timestamp")
    try client.refresh()
    #expect(try client.versions() == ["root 2", "snapshot 1", "targets 1", "timestamp 3"])
  }

  @Test("a new timestamp key lets the timestamp fall")
  func timestampRecovery() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.timestamp.version = 99
    try repository.publish("timestamp")
    try client.refresh()
    try repository.rotate(\.timestamp, "timestamp")
    repository.timestamp.version = 0
    try repository.publish("root", "timestamp")
    try client.refresh()
    #expect(try client.versions().last == "timestamp 1")
  }

  /// A repository with two keys of the timestamp, each of which may sign, and a client that has seen version 100.
  private func twoKeys() throws -> (SimulatedRepository, TestClient) {
    let repository = try SimulatedRepository()
    try repository.addKey(\.timestamp, "timestamp")
    repository.root.version = 0
    repository.timestamp.version = 99
    try repository.publish("root", "timestamp")
    let client = try TestClient(repository)
    try client.refresh()
    return (repository, client)
  }

  @Test("a timestamp key that is taken away lets the timestamp fall, though the trusted one still verifies")
  func removedKey() throws {
    let (repository, client) = try twoKeys()
    repository.removeKey(\.timestamp, "timestamp")
    repository.timestamp.version = 0
    try repository.publish("root", "timestamp")
    try client.refresh()
    #expect(try client.versions().last == "timestamp 1")
  }

  @Test("a timestamp key that is added lets nothing fall")
  func addedKey() throws {
    let (repository, client) = try twoKeys()
    try repository.addKey(\.timestamp, "timestamp")
    repository.timestamp.version = 0
    try repository.publish("root", "timestamp")
    expectError(.tufRollback) { try client.refresh() }
  }

  @Test("a recovery that ends at an expired root goes on with the next root")
  func interruptedRecovery() throws {
    let (repository, client) = try twoKeys()
    repository.removeKey(\.timestamp, "timestamp")
    repository.root.expires = SimulatedRepository.now
    repository.timestamp.version = 0
    try repository.publish("root", "timestamp")
    expectError(.tufExpired) { try client.refresh() }
    #expect(try client.versions().last == "timestamp 100")
    repository.root.expires = SimulatedRepository.later
    try repository.publish("root")
    try client.refresh()
    #expect(try client.versions().last == "timestamp 1")
    #expect(try Directory(opening: client.trusted.path).entryNames().contains("rotation") == false)
  }

  @Test("a note of a rotation whose root never came drops nothing")
  func rotationWithoutRoot() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.publish("timestamp")
    try client.refresh()
    try client.trusted.note(rotation: 2)
    repository.timestamp.version = 0
    try repository.publish("timestamp")
    expectError(.tufRollback) { try client.refresh() }
  }
}
