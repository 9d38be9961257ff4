import SignetBase
import SignetCrypto
import SignetKeys
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct RepositoryCheckTests {
  private func check(_ repository: PublishedRepository, at time: UnixTime = PublishedRepository.now) throws
    -> [SignetError.Code]
  {
    try RepositoryCheck(of: repository.folder.load(), at: time).faults.map(\.code)
  }

  private func hash(_ bytes: [UInt8]) throws -> String { try Digest.of(bytes, .sha256).hex }

  @Test("a repository in order has no faults, and all its roles are named")
  func good() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    let check = try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now)
    #expect(check.faults.isEmpty)
    #expect(check.roles.map(\.name) == ["root", "timestamp", "snapshot", "targets", "example"])
    #expect(check.roles.map(\.targetCount) == [0, 0, 0, 0, 1])
  }

  @Test("each fault of a repository is found: expiry, missing and changed files, missing roles")
  func faults() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    #expect(try check(repository, at: RoleLifetimes.end(8, from: PublishedRepository.now)) == [.tufExpired])
    let place = "repository/targets/com/a/\(try hash([1])).file"
    try repository.temporary.write(place, [2])
    #expect(try check(repository) == [.tufHashMismatch])
    try repository.temporary.write(place, [1, 1])
    #expect(try check(repository) == [.tufTooLong])
    try remove(repository.temporary.file(place))
    #expect(try check(repository) == [.tufNotFound])
    try repository.temporary.write(place, [1])
    #expect(try check(repository).isEmpty)
    let role = try repository.temporary.read("repository/metadata/2.example.json")
    try repository.temporary.write("repository/metadata/2.example.json", role + [0x20])
    #expect(try check(repository) == [.tufTooLong])
    try remove(repository.temporary.file("repository/metadata/2.example.json"))
    #expect(try check(repository) == [.tufNotFound])
  }

  @Test("delegations are followed to any depth")
  func depth() throws {
    let repository = try PublishedRepository()
    let metadata = "repository/metadata"
    let names = (0..<2000).map { "role-\($0)" }
    func write(_ name: String, _ draft: MetadataDraft<some MetadataRole>, by key: PrivateKey) throws -> [UInt8] {
      var draft = draft
      try draft.sign(with: key)
      try repository.temporary.write("\(metadata)/\(name).json", draft.bytes())
      return try draft.bytes()
    }
    var snapshot = try #require(try repository.folder.load().snapshot?.role)
    for (number, name) in (["example"] + names).enumerated() {
      let below = number < names.count ? try repository.delegations([names[number]]) : nil
      let role = TargetsRole(version: 2, expires: SimulatedRepository.later, delegations: below)
      _ = try write("2.\(name)", MetadataDraft(role), by: repository.publisher)
      snapshot[name] = FileFacts(version: 2)
    }
    snapshot.version = 2
    let bytes = try write("2.snapshot", MetadataDraft(snapshot), by: repository.online)
    let timestamp = TimestampRole(
      version: 2, expires: SimulatedRepository.later, snapshot: try FileFacts(version: 2, of: bytes))
    _ = try write("timestamp", MetadataDraft(timestamp), by: repository.online)
    let check = try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now)
    #expect(check.faults.isEmpty)
    #expect(check.roles.dropFirst(4).map(\.name) == ["example"] + names)
  }

  @Test("a repository whose chain is broken is not read")
  func chain() throws {
    let repository = try PublishedRepository()
    let metadata = "repository/metadata"
    let root = try repository.temporary.read("\(metadata)/1.root.json")
    try repository.temporary.write("\(metadata)/3.root.json", root)
    expectError(.tufNotFound) { _ = try repository.folder.load() }
    try remove(repository.temporary.file("\(metadata)/3.root.json"))
    try repository.temporary.write("\(metadata)/1.snapshot.json", Array("{}".utf8))
    expectError(.tufTooShort) { _ = try repository.folder.load() }
    expectError(.tufNoRepository) { _ = try RepositoryFolder(repository.temporary.file("none")).load() }
    let other = try PublishedRepository()
    let trusted = try TrustedRoot(other.temporary.read("\(metadata)/1.root.json"))
    let good = try PublishedRepository()
    expectError(.tufHashMismatch) { try good.folder.load().check(contains: trusted) }
    try other.folder.load().check(contains: trusted)
  }

  @Test("pruning removes what nothing names, and leaves roots, the last snapshot's roles, and the newest versions")
  func prune() throws {
    let repository = try PublishedRepository()
    for number in UInt8(0)..<4 {
      try repository.offer("com/a/\(number)", [number])
      try repository.publish()
    }
    try repository.changeRoot { _ in }
    try repository.publish()
    try repository.temporary.write("repository/metadata/9.example.json", Array("left".utf8))
    try repository.temporary.write("repository/targets/com/a/\(try hash([9])).left", [9])
    // A draft has an artifact, too.
    try repository.offer("com/a/draft", [7])
    let pruning = try RepositoryPruning(of: repository.folder.load())
    #expect(
      pruning.files == [
        "metadata/1.example.json", "metadata/1.snapshot.json", "metadata/2.example.json", "metadata/2.snapshot.json",
        "metadata/3.example.json", "metadata/3.snapshot.json", "targets/com/a/\(try hash([9])).left",
      ])
    try pruning.remove()
    #expect(try check(repository).isEmpty)
    #expect(try repository.folder.load().nextVersion(of: "example") == 10)
    #expect(try RepositoryPruning(of: repository.folder.load()).files.isEmpty)
    let client = try repository.client()
    for number in 0..<4 {
      let target = try #require(try client.target("com/a/\(number)"))
      _ = try client.download(target, to: repository.temporary.path)
    }
  }

  @Test("a path that leads out of the folder of targets is refused")
  func climbing() throws {
    let repository = try PublishedRepository()
    for path in ["../file", "com/../../file", "/../file"] {
      expectError(.tufTargetName) { try repository.offer(path, [1]) }
    }
    #expect(try repository.temporary.listing() == ["artifact", "repository"])
  }
}
