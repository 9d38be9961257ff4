import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct RefreshTests {
  @Test("a refresh asks for the next root, timestamp, snapshot and targets, and keeps their bytes")
  func requests() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.server["timestamp.json"]? += [0x20]
    try client.refresh()
    #expect(
      repository.server.takeRequests() == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
    for (stored, served) in [
      ("root", "1.root"), ("timestamp", "timestamp"), ("snapshot", "1.snapshot"), ("targets", "1.targets"),
    ] {
      #expect(try client.folder.read("metadata/\(stored).json") == repository.server["\(served).json"])
    }
    try client.refresh()
    #expect(repository.server.takeRequests() == ["2.root.json", "timestamp.json"])
  }

  @Test("without consistent snapshots only roots have their version in front")
  func inconsistent() throws {
    let repository = try SimulatedRepository()
    repository.root.consistentSnapshot = false
    try repository.publish("root", "targets", "snapshot", "timestamp")
    let client = try TestClient(repository)
    try client.refresh()
    #expect(
      repository.server.takeRequests() == [
        "2.root.json", "3.root.json", "timestamp.json", "snapshot.json", "targets.json",
      ])
  }

  @Test("hashes and lengths of metadata are checked", arguments: ["snapshot", "targets"])
  func hashes(role: String) throws {
    let repository = try SimulatedRepository()
    repository.statesHashes = true
    try repository.publish("targets", "snapshot", "timestamp")
    let client = try TestClient(repository)
    try client.refresh()
    try repository.publish("targets", "snapshot", "timestamp")
    let path = "3.\(role).json"
    let good = try #require(repository.server[path])
    repository.server[path] = good + [0x20]
    expectError(.tufTooLong) { try client.refresh() }
    repository.server[path] = Array(good.dropLast())
    expectError(.tufTooShort) { try client.refresh() }
    repository.server[path] = Array(good.dropLast()) + [0x20]
    expectError(.tufHashMismatch) { try client.refresh() }
    repository.server[path] = good
    try client.refresh()
  }

  @Test(
    "a role that is not signed is refused, and what came before it stays",
    arguments: [
      ("root", ["root 1"]), ("timestamp", ["root 2"]), ("snapshot", ["root 2", "timestamp 2"]),
      ("targets", ["root 2", "snapshot 2", "timestamp 2"]),
    ])
  func unsigned(role: String, trusted: [String]) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.signers[role] = [try .generate(.ed25519)]
    try repository.publish("root", "targets", "snapshot", "timestamp")
    expectError(.tufThreshold) { try client.refresh() }
    #expect(try client.versions() == trusted)
  }

  @Test(
    "a role of another version than was asked for is refused",
    arguments: [
      ("root", ["root 1"]), ("snapshot", ["root 2", "timestamp 2"]),
      ("targets", ["root 2", "snapshot 2", "timestamp 2"]),
    ])
  func wrongVersion(role: String, trusted: [String]) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.publish("root", "targets", "snapshot", "timestamp")
    switch role {
    case "root":
      repository.root.version = 3
      repository.server["2.root.json"] = try repository.signed(repository.root, by: role)
    case "snapshot":
      repository.snapshot.version = 3
      repository.server["2.snapshot.json"] = try repository.signed(repository.snapshot, by: role)
    default:
      repository.targets.version = 3
      repository.server["2.targets.json"] = try repository.signed(repository.targets, by: role)
    }
    expectError(.tufWrongVersion) { try client.refresh() }
    #expect(try client.versions() == trusted)
  }

  @Test(
    "an expired root is stored and ends the refresh; other expired roles are not stored",
    arguments: [
      ("root", ["root 2", "snapshot 1", "targets 1", "timestamp 1"]),
      ("timestamp", ["root 2", "snapshot 1", "targets 1", "timestamp 1"]),
      ("snapshot", ["root 2", "snapshot 1", "targets 1", "timestamp 2"]),
      ("targets", ["root 2", "snapshot 2", "targets 1", "timestamp 2"]),
    ])
  func expired(role: String, trusted: [String]) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try client.refresh()
    // Metadata must be valid after the start, not just until it.
    switch role {
    case "root": repository.root.expires = SimulatedRepository.now
    case "timestamp": repository.timestamp.expires = SimulatedRepository.now
    case "snapshot": repository.snapshot.expires = SimulatedRepository.now
    default: repository.targets.expires = SimulatedRepository.now
    }
    try repository.publish("root", "targets", "snapshot", "timestamp")
    expectError(.tufExpired) { try client.refresh() }
    #expect(try client.versions() == trusted)
  }

  @Test("an expired stored timestamp still guards, and gives way to a newer one")
  func expiredStored() throws {
    let repository = try SimulatedRepository()
    repository.timestamp.expires = UnixTime(seconds: SimulatedRepository.now.seconds + 7 * 86_400)
    try repository.publish("timestamp")
    let client = try TestClient(repository)
    try client.refresh()
    let eighteen = UnixTime(seconds: SimulatedRepository.now.seconds + 18 * 86_400)
    expectError(.tufExpired) { try client.refresh(at: eighteen) }
    repository.timestamp.expires = SimulatedRepository.later
    repository.timestamp.version = 0
    try repository.publish("timestamp")
    expectError(.tufRollback) { try client.refresh(at: eighteen) }
    repository.timestamp.version = 2
    try repository.publish("targets", "snapshot", "timestamp")
    try client.refresh(at: eighteen)
    #expect(try client.versions() == ["root 1", "snapshot 2", "targets 2", "timestamp 3"])
  }

  @Test("a timestamp of the same version changes nothing, whatever it says")
  func sameTimestamp() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try client.refresh()
    _ = repository.server.takeRequests()
    let stored = try client.folder.read("metadata/timestamp.json")
    repository.timestamp.snapshot.version = 100
    repository.server["timestamp.json"] = try repository.signed(repository.timestamp, by: "timestamp")
    try client.refresh()
    #expect(repository.server.takeRequests() == ["2.root.json", "timestamp.json"])
    #expect(try client.folder.read("metadata/timestamp.json") == stored)
    #expect(try client.versions() == ["root 1", "snapshot 1", "targets 1", "timestamp 1"])
  }

  @Test("a missing role fails, and what came before it is stored", arguments: ["timestamp", "snapshot", "targets"])
  func missing(role: String) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try client.refresh()
    try repository.publish("targets", "snapshot", "timestamp")
    repository.server[role == "timestamp" ? "timestamp.json" : "2.\(role).json"] = nil
    expectError(.tufNotFound) { try client.refresh() }
    let expected: [String: [String]] = [
      "timestamp": ["root 1", "snapshot 1", "targets 1", "timestamp 1"],
      "snapshot": ["root 1", "snapshot 1", "targets 1", "timestamp 2"],
      "targets": ["root 1", "snapshot 2", "targets 1", "timestamp 2"],
    ]
    #expect(try client.versions() == expected[role])
  }

  @Test(
    "endless data ends at the limit",
    arguments: ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
  func endless(path: String) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.server.serveEndlessly(path)
    expectError(.tufTooLong) { try client.refresh() }
  }

  @Test("a file of exactly the limit is taken, and one byte more is not")
  func limits() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.publish("root")
    var limits = TUFLimits.standard
    limits.root = (try #require(repository.server["2.root.json"])).count
    limits.timestamp = (try #require(repository.server["timestamp.json"])).count
    limits.snapshot = (try #require(repository.server["1.snapshot.json"])).count
    limits.targets = (try #require(repository.server["1.targets.json"])).count
    for change: (inout TUFLimits) -> Void in [
      { $0.root -= 1 }, { $0.timestamp -= 1 }, { $0.snapshot -= 1 }, { $0.targets -= 1 },
    ] {
      var less = limits
      change(&less)
      let other = try TestClient(repository)
      expectError(.tufTooLong) { try other.client(limits: less).refresh() }
    }
    try client.client(limits: limits).refresh()
  }

  @Test("a length above every bound is refused before a request")
  func statedLength() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.timestamp.snapshot.length = 1 << 40
    try repository.publish("timestamp")
    expectError(.tufTooLong) { try client.refresh() }
    #expect(repository.server.takeRequests() == ["2.root.json", "timestamp.json"])
  }

  @Test("a folder without a root, or with one that is not signed, fails before any request")
  func noRoot() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    let unsigned = try MetadataDraft(repository.root).bytes()
    try client.folder.write("metadata/root.json", unsigned)
    expectError(.tufThreshold) { try client.refresh() }
    try client.folder.write("metadata/root.json", Array("{}".utf8))
    expectError(.tufMalformed) { try client.refresh() }
    try SignetTUFTests.remove(client.folder.file("metadata/root.json"))
    expectError(.tufNoRoot) { try client.refresh() }
    #expect(repository.server.requests.isEmpty)
    expectError(.tufNoRoot) {
      try TUFClient(
        folder: TrustedMetadataFolder(client.folder.file("none")), mirrors: [], time: SimulatedRepository.now
      )
      .refresh()
    }
  }

  @Test("damaged stored files count as missing", arguments: ["timestamp", "snapshot", "targets"])
  func damaged(role: String) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try client.refresh()
    try client.folder.write("metadata/\(role).json", Array("damaged".utf8))
    _ = repository.server.takeRequests()
    try client.refresh()
    let path = role == "timestamp" ? [] : ["1.\(role).json"]
    #expect(repository.server.takeRequests() == ["2.root.json", "timestamp.json"] + path)
    #expect(try client.versions() == ["root 1", "snapshot 1", "targets 1", "timestamp 1"])
  }

  @Test(
    "a stored file whose bytes are not those of the listed hash is fetched again", arguments: ["snapshot", "targets"])
  func otherBytes(role: String) throws {
    let repository = try SimulatedRepository()
    repository.statesHashes = true
    try repository.publish("targets", "snapshot", "timestamp")
    let client = try TestClient(repository)
    try client.refresh()
    let good = try client.folder.read("metadata/\(role).json")
    // The signed part is the same, so signatures and version fit.
    for other in [good + [0x20], Array(good.dropLast()), Array(good.dropLast()) + [0x20]] {
      try client.folder.write("metadata/\(role).json", other)
      _ = repository.server.takeRequests()
      try client.refresh()
      #expect(repository.server.takeRequests() == ["2.root.json", "timestamp.json", "2.\(role).json"])
      #expect(try client.folder.read("metadata/\(role).json") == good)
    }
  }

  @Test("a clock that went back is told, and does not end the refresh")
  func clock() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    let first = client.client()
    try first.refresh()
    #expect(first.complaints.isEmpty)
    let earlier = client.client(at: UnixTime(seconds: SimulatedRepository.now.seconds - 3600))
    try earlier.refresh()
    #expect(earlier.complaints.map(\.error.code) == [.tufClockWentBack])
    let offline = client.client(at: earlier.time)
    try offline.useStored()
    #expect(offline.complaints.map(\.error.code) == [.tufClockWentBack])
    #expect(try client.folder.read("metadata/clock") == Array("\(SimulatedRepository.now)\n".utf8))
  }
}
