import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

/// What the owners of a server, of the online keys and of one publisher's key can do, and what they cannot.
@Suite struct AttackTests {
  // MARK: The owner of the server

  @Test("a root is not a root of another version, whatever file it is served as")
  func replayedRoot() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.server["2.root.json"] = repository.server["1.root.json"]
    expectError(.tufWrongVersion) { try client.refresh() }
    #expect(try client.versions() == ["root 1"])
  }

  @Test("metadata of one role is not taken for another's, also if the same key signs both")
  func swappedRoles() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.root.snapshot.keyIDs += repository.root.timestamp.keyIDs
    let online = try #require(repository.signers["timestamp"])
    repository.signers["snapshot"]? += online
    repository.snapshot["snapshot"] = FileFacts(version: 1)
    repository.snapshot["targets"] = nil
    try repository.publish("root", "snapshot")
    repository.server["timestamp.json"] = repository.server["2.snapshot.json"]
    expectError(.tufWrongType) { try client.refresh() }
    #expect(try client.versions() == ["root 2"])
  }

  @Test("files of different snapshots are not mixed, though each is signed", arguments: [false, true])
  func mixAndMatch(statesHashes: Bool) throws {
    let repository = try SimulatedRepository()
    repository.statesHashes = statesHashes
    try repository.publish("targets", "snapshot", "timestamp")
    let client = try TestClient(repository)
    let old = repository.server["2.targets.json"]
    try repository.publish("targets", "snapshot", "timestamp")
    repository.server["3.targets.json"] = old
    // Both files are of one length, so the hash or the version tells them apart.
    expectError(statesHashes ? .tufHashMismatch : .tufWrongVersion) { try client.refresh() }
  }

  @Test("a target is not another target, though both are offered")
  func swappedTargets() throws {
    let repository = try SimulatedRepository()
    repository.root.consistentSnapshot = false
    try repository.offer("good", [1, 2, 3])
    try repository.offer("other", [4, 5, 6])
    try repository.publish("root", "targets", "snapshot", "timestamp")
    let client = try TestClient(repository)
    repository.targetServer["good"] = [4, 5, 6]
    let asked = client.client()
    let target = try #require(try asked.target("good"))
    expectError(.tufHashMismatch) { _ = try asked.download(target, toFile: client.folder.file("good")) }
  }

  // MARK: The owner of the online keys

  @Test("the online keys sign no targets")
  func onlineTargets() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try client.refresh()
    repository.signers["targets"] =
      try #require(repository.signers["snapshot"]) + #require(repository.signers["timestamp"])
    try repository.offer("evil", [6, 6, 6])
    try repository.publish("targets", "snapshot", "timestamp")
    expectError(.tufThreshold) { try client.refresh() }
    #expect(try client.versions() == ["root 1", "snapshot 2", "targets 1", "timestamp 2"])
  }

  @Test("the online keys name no keys: a root that they sign is refused")
  func onlineRoot() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    repository.signers["root"] = repository.signers["timestamp"]
    repository.root.root.keyIDs = repository.root.timestamp.keyIDs
    try repository.publish("root")
    expectError(.tufThreshold) { try client.refresh() }
    #expect(try client.versions() == ["root 1"])
  }

  // MARK: The owner of one publisher's key

  @Test("a publisher offers nothing outside the paths that were delegated to it, nor through others")
  func outsideScope() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "mallory", .paths([TargetPattern("mallory/*")]))
    try repository.delegate(to: "alice", .paths([TargetPattern("alice/*")]))
    try repository.delegate("mallory", to: "accomplice", .paths([TargetPattern("*/*")]), isTerminating: true)
    try repository.offer("alice/module", [6, 6], in: "mallory")
    try repository.offer("alice/module", [6, 6], in: "accomplice")
    try repository.offer("alice/module", [1], in: "alice")
    try repository.publish("mallory", "alice", "accomplice", "targets", "snapshot", "timestamp")
    let target = try client.client().target("alice/module")
    #expect(target?.role == "alice")
    #expect(target?.file.length == 1)
  }

  @Test("a publisher that names another's role with its own keys harms only its own paths")
  func namesOthers() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "mallory", .paths([TargetPattern("mallory/*")]))
    try repository.delegate(to: "alice", .paths([TargetPattern("alice/*")]))
    try repository.offer("alice/module", [1], in: "alice")
    let stranger = try TUFKey(PrivateKey.generate(.ed25519).publicKey)
    repository.delegated["mallory"]?.delegations = Delegations(
      keys: KeyRing([stranger]),
      roles: .listed([
        DelegatedRole(
          name: "alice", keys: KeyThreshold(keyIDs: [stranger.id], threshold: 1),
          scope: .paths([TargetPattern("*/*")]))
      ]))
    try repository.publish("mallory", "alice", "targets", "snapshot", "timestamp")
    let asked = client.client()
    expectError(.tufThreshold) { _ = try asked.target("mallory/module") }
    #expect(try asked.target("alice/module")?.role == "alice")
    #expect(try client.client().target("alice/module")?.role == "alice")
  }

  @Test(
    "a publisher that delegates to a top-level role's name is refused, and replaces nothing",
    arguments: DelegatedRole.topLevel)
  func topLevelNames(name: String) throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "mallory")
    try repository.delegate("mallory", to: name)
    try repository.publish("mallory", "targets", "snapshot", "timestamp")
    let root = try client.folder.read("metadata/root.json")
    expectError(.tufRoleName) { _ = try client.client().target("file") }
    #expect(try client.folder.read("metadata/root.json") == root)
  }

  @Test("only delegations of a role lead to another role")
  func undelegated() throws {
    let repository = try SimulatedRepository()
    let client = try TestClient(repository)
    try repository.delegate(to: "alice")
    try repository.publish("alice", "targets", "snapshot", "timestamp")
    let asked = client.client()
    try asked.refresh()
    let targets = try #require(asked.targets)
    _ = try asked.role("alice", delegatedBy: targets)
    expectError(.tufNotDelegated) { _ = try targets.delegated(to: "bob", []) }
    expectError(.tufNotInSnapshot) { _ = try asked.role("bob", delegatedBy: targets) }
  }
}
