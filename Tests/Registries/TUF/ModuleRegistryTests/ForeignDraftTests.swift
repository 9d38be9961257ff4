import Foundation
import SignetBase
import SignetCrypto
import SignetKeys
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

/// What one publisher's drafts do to the other publishers.
@Suite struct ForeignDraftTests {
  /// A registry with the publishers `example` and `mallory`.
  private func fixture() throws -> (RegistryFixture, PrivateKey) {
    let fixture = try RegistryFixture()
    let mallory = try PrivateKey.generate(.ed25519)
    try fixture.add("mallory", ["com.mallory.**"], mallory)
    try fixture.sign(fixture.targets, mallory)
    try fixture.refresh()
    try fixture.push(fixture.module("com.mallory.tool", by: mallory), by: "mallory", key: mallory)
    return (fixture, mallory)
  }

  /// Drafts that cannot be read, or that state more bins than there are files.
  private func faulty(_ mallory: PrivateKey) throws -> [(SignetError.Code, [UInt8])] {
    let key = try TUFKey(mallory.publicKey)
    let bins = SuccinctRoles(
      keys: KeyThreshold(keyIDs: [key.id], threshold: 1), bitLength: 32, namePrefix: "mallory.bin")
    var draft = try MetadataDraft(
      TargetsRole(
        version: 3, expires: UnixTime(seconds: 1_900_000_000),
        delegations: Delegations(keys: KeyRing([key]), roles: .succinct(bins))))
    try draft.sign(with: mallory)
    return [(.tufMalformed, Array("{".utf8)), (.tufNotInSnapshot, try draft.bytes())]
  }

  @Test("no draft of a publisher keeps others from pushing, withdrawing, listing, signing and pruning")
  func others() throws {
    let (fixture, mallory) = try fixture()
    for (number, (code, bytes)) in try faulty(mallory).enumerated() {
      try fixture.folder.write("registry/pending/mallory.json", bytes)
      let version = "1.\(number).0"
      try fixture.push(fixture.module("com.example.player", version, number + 1))
      _ = try fixture.registry.yank(
        "com.example.player", version, because: "x", signedBy: [fixture.publisher], online: [fixture.online])
      var complaints: [SignetError.Code] = []
      let releases = try fixture.registry.releases { complaints.append($0.code) }
      #expect(complaints == [code])
      // What is published of the publisher is there all the same.
      #expect(releases.map(\.publisher) == [String](repeating: "example", count: number + 1) + ["mallory"])
      try fixture.registry.rotate("example", KeyRotation())
      let changes = try fixture.registry.pendingChanges()
      #expect(changes.map(\.role) == ["example", "mallory"])
      #expect(try fixture.registry.sign(changes, with: fixture.publisher) == ["example"])
      #expect(try fixture.refresh().published == ["example"])
      #expect(
        try fixture.registry.prune(isTrial: true).allSatisfy {
          $0.hasPrefix("metadata/") || $0.hasSuffix(".index.json")
        })
    }
  }

  @Test("a draft that cannot be read is shown as such, and nobody can sign it")
  func unreadable() throws {
    let (fixture, mallory) = try fixture()
    try fixture.folder.write("registry/pending/mallory.json", Array("{".utf8))
    let changes = try fixture.registry.pendingChanges()
    #expect(changes.map(\.fault?.code) == [.tufMalformed])
    #expect(changes.allSatisfy { !$0.isComplete && $0.changes.isEmpty && $0.signatures.isEmpty })
    expectError(.tufForeignKey) { _ = try fixture.registry.sign(changes, with: mallory) }
    #expect(try fixture.folder.read("registry/pending/mallory.json") == Array("{".utf8))
  }
}
