import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct PublicationTests {
  @Test("a new repository is published when all have signed, and clients read it")
  func first() throws {
    let repository = try PublishedRepository(rootKeys: 2, isPublished: false)
    expectError(.tufThreshold) { try repository.publish() }
    try repository.sign("root", repository.root[0])
    try repository.sign("targets", repository.targets)
    expectError(.tufThreshold) { try repository.publish() }
    try repository.sign("root", repository.root[1])
    // The publisher is delegated to, and has not signed.
    expectError(.tufNotReady) { try repository.publish() }
    #expect(try repository.metadata().isEmpty)
    try repository.sign(PublishedRepository.publisher, repository.publisher)
    expectError(.tufForeignKey) { try repository.publish([repository.targets]) }
    let publication = try repository.publish()
    #expect(publication.publication.files.map(\.role) == ["example", "targets", "snapshot", "timestamp", "root"])
    #expect(publication.waiting.isEmpty)
    #expect(try repository.folder.pendingRoles().isEmpty)
    #expect(
      try repository.metadata()
        == ["1.example.json", "1.root.json", "1.snapshot.json", "1.targets.json", "timestamp.json"])
    try repository.client().refresh()
  }

  @Test("a target is found and downloaded after it was published, and a refresh alone writes the timestamp")
  func target() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1, 2, 3])
    #expect(try repository.client().target("com/a/file") == nil)
    let publication = try repository.publish()
    #expect(publication.publication.files.map(\.role) == ["example", "snapshot", "timestamp"])
    let client = try repository.client()
    let target = try #require(try client.target("com/a/file"))
    #expect(target.role == "example")
    let path = try client.download(target, to: repository.temporary.path)
    #expect(try RegularFile(opening: path).bytes(in: 0..<3) == [1, 2, 3])
    #expect(try repository.publish().publication.files.map(\.role) == ["timestamp"])
  }

  @Test("a snapshot that would expire soon is replaced with the timestamp")
  func nearExpiry() throws {
    let repository = try PublishedRepository()
    let soon = RoleLifetimes.end(10, from: PublishedRepository.now)
    #expect(try repository.publish(at: soon).publication.files.map(\.role) == ["snapshot", "timestamp"])
    try repository.client(at: RoleLifetimes.end(16, from: PublishedRepository.now)).refresh()
  }

  @Test("other bytes under the same path are refused")
  func changedTarget() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    try repository.offer("com/a/file", [2])
    expectError(.tufTargetChanged) {
      let content = try repository.folder.load()
      var change = RepositoryChange(of: content)
      let draft = try #require(try repository.folder.pending("example"))
      change.take(draft, of: "example", delegatedBy: ["targets"])
      _ = try change.publication(signedBy: [repository.online], at: PublishedRepository.now)
    }
  }

  @Test("a draft without enough signatures waits, and holds up nobody else")
  func waiting() throws {
    let repository = try PublishedRepository()
    try repository.change { try $0.delegations = repository.delegations(["example", "other"]) }
    try repository.folder.setPending("root", MetadataDraft(try #require(repository.folder.load().root?.role)))
    try repository.temporary.write("repository/pending/damaged.json", Array("{".utf8))
    try repository.offer("com/a/file", [1])
    let publication = try repository.publish()
    #expect(publication.published == ["example"])
    #expect(publication.waiting.map(\.role) == ["damaged", "targets"])
    #expect(publication.waiting.map(\.reason.code) == [.tufMalformed, .tufNotReady])
    #expect(try repository.client().target("com/a/file") != nil)
    // The other publisher's metadata is all that was missing.
    try repository.folder.setPending(
      "other", MetadataDraft(TargetsRole(version: 1, expires: SimulatedRepository.later)))
    try repository.sign("other", repository.publisher)
    #expect(try repository.publish().published == ["targets", "other"])
    try repository.client().refresh()
  }

  @Test("a removed role stays in the snapshot, so that clients that know it go on")
  func removal() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    let client = try repository.client()
    #expect(try client.target("com/a/file") != nil)
    try repository.change { $0.delegations = nil }
    try repository.publish()
    let later = try repository.client()
    try later.refresh()
    #expect(try later.target("com/a/file") == nil)
    #expect(try repository.folder.load().snapshot?.role["example"]?.version == 2)
    #expect(try repository.folder.load().nextVersion(of: "example") == 3)
  }

  @Test("a version that a killed publication has left is never used again")
  func versions() throws {
    let repository = try PublishedRepository()
    try repository.temporary.write("repository/metadata/2.snapshot.json", Array("left".utf8))
    try repository.temporary.write("repository/metadata/7.example.json", Array("left".utf8))
    try repository.offer("com/a/file", [1])
    let publication = try repository.publish()
    #expect(publication.publication.files.map(\.version) == [8, 3, 2])
    #expect(try repository.client().target("com/a/file") != nil)
    #expect(try repository.temporary.read("repository/metadata/2.snapshot.json") == Array("left".utf8))
  }

  @Test("a draft that was published before the process was killed is only removed")
  func done() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    let draft = try repository.temporary.read("repository/pending/example.json")
    try repository.publish()
    try repository.temporary.write("repository/pending/example.json", draft)
    let publication = try repository.publish()
    #expect(publication.published.isEmpty && publication.waiting.isEmpty)
    #expect(try repository.folder.pendingRoles().isEmpty)
  }

  @Test("those who publish at once all land")
  func together() async throws {
    let repository = try PublishedRepository()
    let names = (0..<6).map { "publisher-\($0)" }
    try repository.change { try $0.delegations = repository.delegations(["example"] + names) }
    for name in names {
      try repository.folder.setPending(
        name, MetadataDraft(TargetsRole(version: 1, expires: SimulatedRepository.later)))
      try repository.sign(name, repository.publisher)
    }
    try repository.publish()
    let (folder, online, publisher) = (repository.folder, repository.online, repository.publisher)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in names {
        group.addTask {
          try folder.changing { (content) throws(SignetError) in
            guard let top = content.targets?.role else { return }
            var role = try RoleTargets(of: name, under: top, in: content, continuing: .shown)
            try role.insert(TargetFile(path: "\(name)/file", length: 1, hashes: FileHashes(of: [1])))
            for change in try role.drafts(until: SimulatedRepository.later) {
              var draft = try MetadataDraft(change.role)
              try draft.sign(with: publisher)
              try folder.setPending(change.name, draft)
            }
            try DraftPublication(of: content, signedBy: [online], at: PublishedRepository.now).write(to: folder)
          }
        }
      }
      try await group.waitForAll()
    }
    let client = try repository.client()
    for name in names { #expect(try client.target("\(name)/file")?.role == name) }
    #expect(try repository.folder.load().timestamp?.role.version == 8)
  }
}
