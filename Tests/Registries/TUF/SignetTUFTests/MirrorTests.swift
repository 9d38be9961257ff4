import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct MirrorTests {
  /// Another place with the files of a repository.
  private func mirror(_ name: String, of repository: SimulatedRepository) throws -> SimulatedServer {
    let server = SimulatedServer(name)
    for version in 1...4 {
      for role in ["root", "snapshot", "targets"] {
        server["\(version).\(role).json"] = repository.server["\(version).\(role).json"]
      }
    }
    server["timestamp.json"] = repository.server["timestamp.json"]
    return server
  }

  private func mirrors(_ servers: SimulatedServer...) -> [RepositoryMirror] {
    servers.map { RepositoryMirror(metadata: $0, targets: $0) }
  }

  @Test("a mirror has only so much time for a refresh")
  func time() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    var limits = TUFLimits.standard
    limits.refreshSeconds = 0
    expectError(.tufTooSlow) { try client.client(limits: limits).refresh() }
    #expect(repository.server.requests.isEmpty)
    try client.client().refresh()
  }

  @Test("a mirror that fails, lies, lags or stands still is left for the next, and named")
  func faults() throws {
    let repository = try SimulatedRepository()
    let stale = try mirror("stale", of: repository)
    repository.statesHashes = true
    try repository.publish("targets", "snapshot", "timestamp")
    let lying = try mirror("lying", of: repository)
    lying["2.targets.json"]? += [0x20]
    let forged = try mirror("forged", of: repository)
    forged["timestamp.json"] = Array("{}".utf8)
    let dead = try mirror("dead", of: repository)
    dead.fail("2.root.json", SignetError(.tufUnreachable, "2.root.json", "no answer"))
    let slow = try mirror("slow", of: repository)
    slow.fail("2.snapshot.json", SignetError(.tufTooSlow, "2.snapshot.json", "arrives too slowly"))
    for (bad, code) in [
      (lying, SignetError.Code.tufTooLong), (forged, .tufMalformed), (dead, .tufUnreachable), (slow, .tufTooSlow),
    ] {
      let client = try TestClient(repository)
      let asked = client.client(mirrors: mirrors(bad, repository.server))
      try asked.refresh()
      #expect(asked.complaints.map(\.mirror) == [bad.name])
      #expect(asked.complaints.map(\.error.code) == [code])
      #expect(try client.versions().last == "timestamp 2")
    }
    let client = try TestClient(repository)
    try client.refresh()
    let asked = client.client(mirrors: mirrors(stale, repository.server))
    try asked.refresh()
    #expect(asked.complaints.map(\.error.code) == [.tufRollback])
  }

  @Test("a mirror that has frozen is left when its metadata expires")
  func frozen() throws {
    let repository = try SimulatedRepository()
    repository.timestamp.expires = UnixTime(seconds: SimulatedRepository.now.seconds - 1)
    try repository.publish("timestamp")
    let frozen = try mirror("frozen", of: repository)
    repository.timestamp.expires = SimulatedRepository.later
    try repository.publish("timestamp")
    let client = try TestClient(repository)
    let asked = client.client(mirrors: mirrors(frozen, repository.server))
    try asked.refresh()
    #expect(asked.complaints.map(\.error.code) == [.tufExpired])
  }

  @Test("if all mirrors fail, the fault that says most is thrown, and all are named")
  func all() throws {
    let repository = try SimulatedRepository()
    let dead = SimulatedServer("dead")
    dead.fail("2.root.json", SignetError(.tufUnreachable, "2.root.json", "no answer"))
    let forged = try mirror("forged", of: repository)
    forged["timestamp.json"] = Array("{}".utf8)
    let client = try TestClient(repository)
    let asked = client.client(mirrors: mirrors(dead, forged))
    expectError(.tufMalformed) { try asked.refresh() }
    #expect(asked.complaints.map(\.mirror) == ["dead", "forged"])
    expectError(.tufUnreachable) { try client.client(mirrors: []).refresh() }
  }

  @Test("a target and a delegated role come from the next mirror if the first one lies")
  func targets() throws {
    let repository = try SimulatedRepository()
    try repository.delegate(to: "A")
    try repository.offer("file", [1, 2, 3], in: "A")
    try repository.publish("A", "targets", "snapshot", "timestamp")
    let liar = try mirror("liar", of: repository)
    let client = try TestClient(repository)
    let asked = client.client(
      mirrors: [
        RepositoryMirror(metadata: liar, targets: liar),
        RepositoryMirror(metadata: repository.server, targets: repository.targetServer),
      ])
    let target = try #require(try asked.target("file"))
    let folder = try TemporaryFolder(inMemory: true)
    _ = try asked.download(target, to: folder.path)
    #expect(try folder.read("file") == [1, 2, 3])
    #expect(asked.complaints.map(\.mirror) == ["liar", "liar"])
  }

  @Test("a folder that cannot be read is no mirror's fault")
  func folder() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try FileManager.default.createDirectory(
      atPath: client.folder.file("metadata/timestamp.json"), withIntermediateDirectories: false)
    let other = try mirror("other", of: repository)
    let asked = client.client(mirrors: mirrors(repository.server, other))
    expectError(.fileIsDirectory) { try asked.refresh() }
    #expect(asked.complaints.isEmpty)
    #expect(other.requests.isEmpty)
  }
}
