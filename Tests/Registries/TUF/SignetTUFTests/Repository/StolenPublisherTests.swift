import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

/// What somebody can do who has a publisher's key, or who can write into the repository's folder.
@Suite struct StolenPublisherTests {
  private func check(_ repository: PublishedRepository) throws -> [SignetError.Code] {
    try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now).faults.map(\.code)
  }

  /// The entry of a target with any texts as its path and hash.
  private func target(_ path: String, hash: String) throws -> TargetFile {
    try TargetFile(
      path: path, .object(("length", .integer(1)), ("hashes", .object(("sha256", .string(hash))))))
  }

  @Test("no path and no hash of a target leads out of the folder of targets")
  func places() throws {
    let hash = try Digest.of([1], .sha256).hex
    for (path, hash, code, stored) in [
      ("../com", hash, SignetError.Code.tufTargetName, SignetError.Code.tufTargetName),
      ("com/%2e%2e/%2E./%2e%2e/file", hash, .tufTargetName, .tufTargetName),
      ("com/a/file", "../../../repository/lock", .tufUnknownHash, .tufHashMismatch),
      ("com/a/file", "", .tufUnknownHash, .tufHashMismatch),
    ] {
      let repository = try PublishedRepository()
      let target = try target(path, hash: hash)
      try repository.changePublisher { $0.insert(target) }
      try repository.publish()
      #expect(try check(repository) == [code], "\(path) \(hash)")
      try repository.temporary.write("artifact", [1])
      let file = try RegularFile(opening: repository.temporary.file("artifact"))
      expectError(stored) { try repository.folder.store(target, from: file) }
      #expect(try repository.temporary.listing() == ["artifact", "repository"])
    }
  }

  @Test("more bins than there are files are refused before any is looked at")
  func bins() throws {
    let repository = try PublishedRepository()
    let key = try TUFKey(repository.publisher.publicKey)
    func divide(_ role: inout TargetsRole) {
      role.delegations = Delegations(
        keys: KeyRing([key]),
        roles: .succinct(
          SuccinctRoles(
            keys: KeyThreshold(keyIDs: [key.id], threshold: 1), bitLength: 32, namePrefix: "example.bin")))
    }
    try repository.changePublisher(divide)
    let publication = try repository.publish()
    #expect(publication.waiting.map(\.role) == ["example"])
    #expect(publication.waiting.map(\.reason.code) == [.tufForeignDelegation])
    #expect(publication.publication.files.map(\.role) == ["timestamp"])
    let content = try repository.folder.load()
    let top = try #require(content.targets?.role)
    expectError(.tufNotInSnapshot) {
      _ = try RoleTargets(of: "example", under: top, in: content, continuing: .shown)
    }
  }

  @Test("a draft that cannot be published holds up neither others nor the timestamp, with new targets and without")
  func siblings() throws {
    for hasTargets in [false, true] {
      let repository = try PublishedRepository()
      try repository.change { $0.delegations = try repository.delegations(["example", "other"]) }
      var first = try MetadataDraft(TargetsRole(version: 1, expires: SimulatedRepository.later))
      try first.sign(with: repository.publisher)
      try repository.folder.setPending("other", first)
      try repository.offer("com/a/file", [1])
      try repository.publish()
      // The publisher example turns a path into other bytes. The publisher other has done nothing wrong.
      let changed = try target("com/a/file", hash: try Digest.of([2], .sha256).hex)
      try repository.changePublisher { $0.insert(changed) }
      var second = try MetadataDraft(TargetsRole(version: 2, expires: SimulatedRepository.later))
      try second.sign(with: repository.publisher)
      try repository.folder.setPending("other", second)
      if hasTargets { try repository.change { $0.expires = SimulatedRepository.later } }
      let publication = try repository.publish()
      #expect(publication.published.sorted() == (hasTargets ? ["other", "targets"] : ["other"]))
      #expect(publication.waiting.map(\.role) == ["example"])
      #expect(publication.waiting.map(\.reason.code) == [.tufTargetChanged])
    }
  }

  @Test("nothing is built on a draft that others have put there")
  func plantedDrafts() throws {
    let repository = try PublishedRepository()
    let stranger = try PrivateKey.generate(.ed25519)
    let planted = try target("com/a/planted", hash: try Digest.of([1], .sha256).hex)
    for change in [
      { (role: inout TargetsRole) in role.insert(planted) },
      { (role: inout TargetsRole) in role.delegations = try repository.delegations(["com"]) },
    ] {
      try repository.changePublisher(by: stranger, change)
      let error = expectError(.tufDraftUnsigned) { try repository.offer("com/a/file", [2]) }
      #expect(error?.object == "pending/example.json")
    }
    // With the publisher's signature it is the publisher's.
    try repository.changePublisher { $0.insert(planted) }
    try repository.offer("com/a/file", [2])
    #expect(try repository.folder.pending("example")?.uncheckedRole().targets.count == 2)
    // One that offers what is published already changes nothing.
    try repository.folder.dropPending("example")
    try repository.changePublisher(by: stranger) { $0.header.unknown = [JSONValue.Member("x", .string("planted"))] }
    try repository.offer("com/a/file", [2])
    #expect(try repository.folder.pending("example")?.uncheckedRole().header.unknown.isEmpty == true)
    #expect(try repository.folder.pending("example")?.uncheckedRole().targets.map(\.path) == ["com/a/file"])
  }

  @Test("versions that no metadata can state, and files that no client takes, do no harm")
  func files() throws {
    let repository = try PublishedRepository()
    for name in ["9223372036854775807.root", "9007199254740993.example", "9223372036854775807.snapshot"] {
      try repository.temporary.write("repository/metadata/\(name).json", [])
    }
    let content = try repository.folder.load()
    #expect(content.nextVersion(of: "example") == 2)
    #expect(content.nextVersion(of: "root") == 2)
    try repository.temporary.write("repository/pending/example.json", [])
    let draft = repository.temporary.file("repository/pending/example.json")
    try #require(truncate(draft, 65 << 20) == 0)
    expectError(.fileTooLarge) { _ = try repository.folder.pending("example") }
  }

  @Test("pruning removes nothing while it is not known what the repository needs")
  func pruning() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    try repository.publish()
    let place = "repository/metadata/2.example.json"
    let bytes = try repository.temporary.read(place)
    try repository.temporary.write(place, bytes + [0x20])
    expectError(.tufTooLong) { _ = try RepositoryPruning(of: repository.folder.load()) }
    try remove(repository.temporary.file(place))
    expectError(.tufNotFound) { _ = try RepositoryPruning(of: repository.folder.load()) }
  }

  /// Signs drafts of the publisher and its bins, and has another publisher's ready beside them.
  private func drafts(_ repository: PublishedRepository, _ roles: [(String, TargetsRole)]) throws {
    try repository.change { $0.delegations = try repository.delegations(["example", "other"]) }
    for (name, role) in roles + [("other", TargetsRole(version: 1, expires: SimulatedRepository.later))] {
      var draft = try MetadataDraft(role)
      try draft.sign(with: repository.publisher)
      try repository.folder.setPending(name, draft)
    }
  }

  /// Bins with the publisher's key.
  private func bins(_ repository: PublishedRepository, _ prefix: String, bits: Int = 1) throws -> Delegations {
    let key = try TUFKey(repository.publisher.publicKey)
    return Delegations(
      keys: KeyRing([key]),
      roles: .succinct(
        SuccinctRoles(
          keys: KeyThreshold(keyIDs: [key.id], threshold: 1), bitLength: bits, namePrefix: prefix)))
  }

  @Test("a publisher delegates to its own bins alone, and nobody else waits for a publisher that does more")
  func foreignDelegations() throws {
    // No file can have the names of these bins once a version stands in front.
    let long = "example.bin-" + String(repeating: "a", count: 236)
    func role(_ version: Int, _ delegations: Delegations?) -> TargetsRole {
      TargetsRole(version: version, expires: SimulatedRepository.later, delegations: delegations)
    }
    let faulty: [(SignetError.Code, (PublishedRepository) throws -> [(String, TargetsRole)])] = [
      (
        .tufRoleName,
        {
          [
            ("example", role(2, try self.bins($0, long))), ("\(long)-0", role(1, nil)), ("\(long)-1", role(1, nil)),
          ]
        }
      ),
      (
        .tufForeignDelegation,
        {
          let own = try self.bins($0, "example.bin")
          return [("example", role(2, own)), ("example.bin-0", role(1, own)), ("example.bin-1", role(1, own))]
        }
      ),
      (.tufForeignDelegation, { [("example", role(2, try self.bins($0, "example.bin", bits: 11)))] }),
      (.tufForeignDelegation, { [("example", role(2, try $0.delegations(["example"])))] }),
    ]
    for (code, roles) in faulty {
      let repository = try PublishedRepository()
      let signed = try roles(repository)
      try drafts(repository, signed)
      let publication = try repository.publish()
      #expect(publication.published.sorted() == ["other", "targets"])
      #expect(publication.waiting.map(\.role).sorted() == signed.map(\.0).sorted())
      #expect(Set(publication.waiting.map(\.reason.code)) == [code])
      #expect(try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now).faults.isEmpty)
    }
  }

  @Test("a draft that is no file, or that is too long, waits alone")
  func specialFiles() throws {
    let repository = try PublishedRepository()
    try #require(mkfifo(repository.temporary.file("repository/pending/pipe.json"), 0o600) == 0)
    try repository.temporary.write("repository/pending/long.json", [])
    try #require(truncate(repository.temporary.file("repository/pending/long.json"), 65 << 20) == 0)
    try repository.offer("com/a/file", [1])
    let publication = try repository.publish()
    #expect(publication.published == ["example"])
    #expect(publication.waiting.map(\.role) == ["long", "pipe"])
    #expect(publication.waiting.map(\.reason.code) == [.fileTooLarge, .fileNotRegular])
  }

  @Test("a draft has one name, whatever the file's name decodes to")
  func otherNames() throws {
    let repository = try PublishedRepository()
    try repository.offer("com/a/file", [1])
    let draft = try repository.temporary.read("repository/pending/example.json")
    for name in ["%65xample", "%2e%2e", "a%2fb", "a%2Fb"] {
      try repository.temporary.write("repository/pending/\(name).json", draft)
    }
    #expect(try repository.folder.pendingRoles() == ["a/b", "example"])
  }
}
