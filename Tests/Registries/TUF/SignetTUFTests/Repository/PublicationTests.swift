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

  @Test(
    "the first publication waits for no publisher, and neither do changes of the targets before the publisher is ready"
  )
  func withoutPublisher() throws {
    let repository = try PublishedRepository(isPublished: false)
    try repository.change { $0.delegations = try repository.delegations(["example", "ready"]) }
    try repository.folder.setPending(
      "ready", MetadataDraft(TargetsRole(version: 1, expires: SimulatedRepository.later)))
    for role in ["root", "targets", "ready"] {
      try repository.sign(
        role, ["root": repository.root[0], "targets": repository.targets][role] ?? repository.publisher)
    }
    let first = try repository.publish()
    #expect(first.published.sorted() == ["ready", "root", "targets"])
    #expect(first.waiting.map(\.role) == ["example"] && first.waiting.map(\.reason.code) == [.tufThreshold])
    #expect(try repository.client().target("ready/file") == nil)
    expectError(.tufNotInSnapshot) { _ = try repository.client().target("com/a/file") }
    // The targets change, and the publisher is still not ready. Nobody else is let in that way.
    try repository.change { $0.expires = UnixTime(seconds: $0.expires.seconds + 1) }
    #expect(try repository.publish().published == ["targets"])
    try repository.change { $0.delegations = try repository.delegations(["example", "ready", "third"]) }
    #expect(try repository.publish().waiting.last?.reason.code == .tufNotReady)
    try repository.folder.dropPending("targets")
    let check = try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now)
    #expect(check.faults.isEmpty && check.waiting == ["example"])
    try repository.sign("example", repository.publisher)
    #expect(try repository.publish().published == ["example"])
    #expect(try repository.client().target("com/a/file") == nil)
    #expect(try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now).waiting.isEmpty)
  }

  @Test("a publisher that has offered something is not waited for as if it had not")
  func withoutKnownPublisher() throws {
    let repository = try PublishedRepository()
    var snapshot = try #require(try repository.folder.load().snapshot?.role)
    snapshot["example"] = nil
    snapshot.version = 2
    var draft = try MetadataDraft(snapshot)
    try draft.sign(with: repository.online)
    try repository.temporary.write("repository/metadata/2.snapshot.json", draft.bytes())
    var timestamp = try MetadataDraft(
      TimestampRole(
        version: 2, expires: SimulatedRepository.later, snapshot: try FileFacts(version: 2, of: draft.bytes())))
    try timestamp.sign(with: repository.online)
    try repository.temporary.write("repository/metadata/timestamp.json", timestamp.bytes())
    let check = try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now)
    #expect(check.faults.map(\.code) == [.tufNotInSnapshot] && check.waiting.isEmpty)
    try repository.change { $0.expires = UnixTime(seconds: $0.expires.seconds + 1) }
    #expect(try repository.publish().waiting.map(\.reason.code) == [.tufNotReady])
  }

  @Test("nothing is published under a root or targets that have expired, and what expires soon is told")
  func expired() throws {
    let repository = try PublishedRepository()
    let end = SimulatedRepository.later
    #expect(try repository.publish().warnings.isEmpty)
    let soon = try repository.publish(at: UnixTime(seconds: end.seconds - 1)).warnings
    #expect(soon.map(\.code) == [.tufExpiresSoon, .tufExpiresSoon] && soon.map(\.object) == ["root", "targets"])
    let before = try repository.temporary.read("repository/metadata/timestamp.json")
    let error = expectError(.tufExpired) { try repository.publish(at: end) }
    #expect(error?.object == "root" && error?.hint?.contains("repo rotate DIRECTORY root") == true)
    #expect(try repository.temporary.read("repository/metadata/timestamp.json") == before)
    // A new root that is signed is published. Then the targets are in the way.
    try repository.changeRoot { $0.expires = RoleLifetimes.end(365, from: end) }
    #expect(expectError(.tufExpired) { try repository.publish(at: end) }?.object == "targets")
    try repository.change { $0.expires = RoleLifetimes.end(365, from: end) }
    try repository.changePublisher { $0.expires = end }
    let publication = try repository.publish(at: end)
    #expect(publication.published == ["root", "targets", "example"])
    #expect(publication.warnings.map(\.code) == [.tufExpired] && publication.warnings.map(\.object) == ["example"])
    try repository.client(at: end).refresh()
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
