import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import SignetTUF

/// A repository with drafts that are signed by enough keys, and a program that publishes them.
private final class PublishingProgram: InterruptedProgram {
  static let name = "PublishProgram"

  let repository: PublishedRepository
  let template: String
  var changed: String { repository.folder.path }
  var log: String { repository.temporary.file("log") }
  private var runs = 0
  /// Whether a draft may wait while others are published: one that cannot be read holds up no other.
  private let mayWait: Bool

  init(mayWait: Bool) throws {
    self.mayWait = mayWait
    let repository = try PublishedRepository()
    self.repository = repository
    try repository.offer("com/a/old", [1])
    try repository.publish()
    try repository.offer("com/a/new", [2])
    try repository.change { try $0.delegations = repository.delegations(["example", "other"]) }
    try repository.folder.setPending(
      "other", MetadataDraft(TargetsRole(version: 1, expires: SimulatedRepository.later)))
    try repository.sign("other", repository.publisher)
    try repository.changeRoot { $0.expires = UnixTime(seconds: $0.expires.seconds + 1) }
    let key = try repository.online.unencrypted()
    try repository.temporary.write("online", key.withBytes { Array(copying: $0) }, mode: 0o600)
    template = repository.temporary.file("template")
    try FileManager.default.moveItem(atPath: repository.folder.path, toPath: template)
    try restore()
  }

  var arguments: [String] {
    [repository.folder.path, repository.temporary.file("online"), PublishedRepository.now.description]
  }

  /// Checks that clients see the old or the new repository, and that the next publication ends in the new one.
  func check(_ place: Comment) throws {
    try look(place, mustBeNew: false)
    let again = try Program.run(Self.program, arguments)
    #expect(again.status == 0, "\(place): \(again.output)")
    try look(place, mustBeNew: true)
    #expect(try repository.folder.pendingRoles().isEmpty, place)
    #expect(try repository.folder.load().root?.role.version == 2, place)
  }

  private func look(_ place: Comment, mustBeNew: Bool) throws {
    runs += 1
    let client = try repository.client("client-\(runs)")
    #expect(try client.target("com/a/old") != nil, place)
    #expect(try RepositoryCheck(of: repository.folder.load(), at: PublishedRepository.now).faults.isEmpty, place)
    let isNew = try client.target("com/a/new") != nil
    if mustBeNew { #expect(isNew, place) }
    let targets = try #require(try repository.folder.load().targets?.role)
    let names = try targets.delegations?.names(atMost: 0)
    if mayWait && !mustBeNew { return #expect(names?.first == "example" && (names ?? []).count <= 2, place) }
    #expect(names == (isNew ? ["example", "other"] : ["example"]), place)
  }
}

@Suite(.slow, .serialized)
struct PublicationKillTests {
  @Test(
    "a publication that is killed before any system call leaves the old or the new repository",
    .enabled(if: Strace.path != nil, Strace.absence))
  func kill() throws {
    try PublishingProgram(mayWait: false).killEverywhere(least: 40)
  }

  @Test(
    "a publication whose disk is full or fails at any system call leaves the old or the new repository",
    .enabled(if: Strace.path != nil, Strace.absence),
    arguments: [
      ("ENOSPC", ["openat", "write", "linkat", "rename"]),
      ("EIO", ["write", "fsync", "rename", "linkat", "unlink", "fcntl"]),
    ])
  func fail(error: String, calls: [String]) throws {
    try PublishingProgram(mayWait: true).failEverywhere(error, at: calls)
  }
}
