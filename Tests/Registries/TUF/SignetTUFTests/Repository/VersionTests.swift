import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

/// Nobody uses up the versions: neither the owner of a stolen key, nor somebody who can write into the folder.
@Suite struct VersionTests {
  private static let highest = (1 << 53) - 1

  /// A repository of which somebody has signed the highest versions that there are.
  private func repository() throws -> PublishedRepository {
    let repository = try PublishedRepository()
    let content = try repository.folder.load()
    var snapshot = try #require(content.snapshot?.role)
    snapshot.version = Self.highest
    var draft = try MetadataDraft(snapshot)
    try draft.sign(with: repository.online)
    let bytes = try draft.bytes()
    try repository.temporary.write("repository/metadata/\(Self.highest).snapshot.json", bytes)
    var timestamp = try MetadataDraft(
      TimestampRole(
        version: Self.highest, expires: SimulatedRepository.later,
        snapshot: FileFacts(version: Self.highest, of: bytes)))
    try timestamp.sign(with: repository.online)
    try repository.temporary.write("repository/metadata/timestamp.json", timestamp.bytes())
    return repository
  }

  @Test("the highest versions are followed by no metadata that nobody can read")
  func noVersionLeft() throws {
    let repository = try repository()
    let before = try repository.temporary.read("repository/metadata/timestamp.json")
    let error = expectError(.tufNoVersionLeft) { try repository.publish() }
    #expect(error?.object == "timestamp")
    #expect(try repository.temporary.read("repository/metadata/timestamp.json") == before)
  }

  @Test("after the online keys are replaced, versions go on where the owner was, and all clients follow")
  func recovery() throws {
    let repository = try repository()
    try repository.client("caught").refresh()
    let new = try PrivateKey.generate(.ed25519)
    let object = try TUFKey(new.publicKey)
    try repository.changeRoot { root in
      root.keys.insert(object)
      root.timestamp.keyIDs = [object.id]
      root.snapshot.keyIDs = [object.id]
    }
    let publication = try repository.publish([repository.online, new])
    #expect(publication.publication.files.map(\.role) == ["snapshot", "timestamp", "root"])
    #expect(publication.publication.files.map(\.version) == [2, 1, 2])
    for name in ["caught", "fresh"] { try repository.client(name).refresh() }
    try repository.offer("com/a/file", [1])
    try repository.publish([new])
    for name in ["caught", "fresh", "late"] {
      #expect(try repository.client(name).target("com/a/file") != nil)
    }
    #expect(try repository.folder.load().timestamp?.role.version == 2)
  }

  @Test("a version far ahead is refused: no later one could follow it")
  func fastForward() throws {
    let repository = try PublishedRepository()
    for version in [(1 << 53) - 1, 1002] {
      var draft = try MetadataDraft(TargetsRole(version: version, expires: SimulatedRepository.later))
      try draft.sign(with: repository.publisher)
      try repository.folder.setPending("example", draft)
      let publication = try repository.publish()
      #expect(publication.published.isEmpty)
      #expect(publication.waiting.map(\.reason.code) == [.tufWrongVersion])
    }
    #expect(try repository.folder.load().snapshot?.role["example"]?.version == 1)
    try repository.folder.dropPending("example")
    try repository.offer("com/a/file", [1])
    #expect(try repository.publish().published == ["example"])
    #expect(try repository.folder.load().snapshot?.role["example"]?.version == 2)
  }

  @Test("versions far ahead of what is trusted are nobody's, and use up no versions")
  func plantedVersions() throws {
    let repository = try PublishedRepository()
    for name in ["example", "snapshot", "targets", "timestamp"] {
      try repository.temporary.write("repository/metadata/9007199254740991.\(name).json", [])
    }
    try repository.offer("com/a/file", [1])
    #expect(try repository.publish().publication.files.map(\.version) == [2, 2, 2])
    try repository.change { _ in }
    #expect(try repository.publish().publication.files.map(\.version) == [2, 3, 3])
    try repository.client().refresh()
    // The newest of these files would be taken for one that must stay.
    let pruned = try RepositoryPruning(of: repository.folder.load()).files
    #expect(pruned.contains("metadata/9007199254740991.example.json"))
  }
}
