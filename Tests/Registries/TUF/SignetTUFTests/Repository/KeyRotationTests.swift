import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct KeyRotationTests {
  @Test("online keys are replaced without a moment in which a client fails")
  func online() throws {
    let repository = try PublishedRepository()
    try repository.client("before").refresh()
    let new = try PrivateKey.generate(.ed25519)
    let object = try TUFKey(new.publicKey)
    try repository.changeRoot { root in
      root.keys.insert(object)
      root.timestamp.keyIDs = [object.id]
      root.snapshot.keyIDs = [object.id]
    }
    // One of the two keys is not enough: the root waits.
    let alone = try repository.publish()
    #expect(alone.waiting.map(\.role) == ["root"])
    #expect(alone.waiting.map(\.reason.code) == [.tufForeignKey])
    expectError(.tufForeignKey) { try repository.publish([new]) }
    let publication = try repository.publish([repository.online, new])
    #expect(publication.publication.files.map(\.role) == ["snapshot", "timestamp", "root"])
    // The moment before the root is there, and the moment after.
    let path = repository.folder.path + "/metadata/2.root.json"
    let root = try repository.temporary.read("repository/metadata/2.root.json")
    try remove(path)
    try repository.client("between").refresh()
    try repository.temporary.write("repository/metadata/2.root.json", root)
    for name in ["before", "between", "after"] { try repository.client(name).refresh() }
    // From now on the new key suffices, and the old one no longer does.
    expectError(.tufForeignKey) { try repository.publish() }
    try repository.publish([new])
    for name in ["before", "between", "after", "late"] { try repository.client(name).refresh() }
  }

  @Test("a new key of the targets waits until the targets are signed by the old and the new one")
  func targets() throws {
    let repository = try PublishedRepository()
    let new = try PrivateKey.generate(.p256)
    let object = try TUFKey(new.publicKey)
    try repository.changeRoot { root in
      root.keys.insert(object)
      root.targets.keyIDs = [object.id]
    }
    #expect(try repository.publish().waiting.map(\.reason.code) == [.tufThreshold])
    try repository.change { _ in }
    let waiting = try repository.publish()
    // The targets alone can go: the old key is still the right one.
    #expect(waiting.published == ["targets"])
    try repository.change { _ in }
    try repository.sign("targets", new)
    let publication = try repository.publish()
    #expect(publication.published == ["root", "targets"])
    try repository.client().refresh()
  }

  @Test("a new key of a publisher waits for the publisher's metadata")
  func publisher() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    let new = try PrivateKey.generate(.ed25519)
    let object = try TUFKey(new.publicKey)
    try repository.change { targets in
      guard case .listed(var roles)? = targets.delegations?.roles else { return }
      roles[0].keys.keyIDs = [object.id]
      targets.delegations = Delegations(keys: KeyRing([object]), roles: .listed(roles))
    }
    #expect(try repository.publish().waiting.map(\.reason.code) == [.tufThreshold])
    #expect(try repository.client().target("com/a/file") != nil)
    let content = try repository.folder.load()
    let top = try #require(content.targets?.role)
    var role = try RoleTargets(of: "example", under: top, in: content, continuing: .shown)
    try role.renew()
    for draft in try role.drafts(until: SimulatedRepository.later) {
      var signed = try MetadataDraft(draft.role)
      try signed.sign(with: new)
      try repository.folder.setPending(draft.name, signed)
    }
    #expect(try repository.publish().published == ["targets", "example"])
    #expect(try repository.client().target("com/a/file") != nil)
  }

  @Test("a root that was not signed by the root before it is refused")
  func foreignRoot() throws {
    let repository = try PublishedRepository()
    let other = try PrivateKey.generate(.ed25519)
    let object = try TUFKey(other.publicKey)
    var role = try #require(try repository.folder.load().root?.role)
    role.version += 1
    role.keys.insert(object)
    role.root.keyIDs = [object.id]
    try repository.folder.setPending("root", MetadataDraft(role))
    try repository.sign("root", other)
    #expect(try repository.publish().waiting.map(\.reason.code) == [.tufThreshold])
    #expect(try repository.folder.load().root?.role.version == 1)
  }
}
