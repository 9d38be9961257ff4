import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetTUF

@Suite struct RoleChangeTests {
  @Test("people read what they sign: keys, thresholds, roles, patterns, targets, expiry")
  func words() throws {
    let repository = try PublishedRepository()
    let root = try #require(try repository.folder.load().root?.role)
    let new = try PrivateKey.generate(.ed25519)
    var changed = root
    changed.version = 2
    changed.keys.insert(try TUFKey(new.publicKey))
    changed.root = KeyThreshold(keyIDs: root.root.keyIDs + [try TUFKey(new.publicKey).id], threshold: 2)
    changed.timestamp.keyIDs = [try TUFKey(new.publicKey).id]
    #expect(
      RoleChanges(from: root, to: changed).lines == [
        "version 1 becomes version 2", "role root: key added: \(new.publicKey)",
        "role root: 2 of 2 keys must sign, before 1 of 1", "role timestamp: key added: \(new.publicKey)",
        "role timestamp: key removed: \(repository.online.publicKey)",
        "valid until \(root.expires), before until \(root.expires)",
      ])
    let old = try #require(try repository.folder.load().targets?.role)
    var targets = old
    targets.delegations = try repository.delegations(["other"])
    targets.insert(TargetFile(path: "file", length: 1, hashes: try FileHashes(of: [1])))
    #expect(
      RoleChanges(from: old, to: targets).lines == [
        "version 1 becomes version 1", "example: removed; clients no longer find its targets", "other: added",
        "other: key added: \(repository.publisher.publicKey)", "other: 1 of 1 keys must sign",
        "other: may offer other/*", "target added: file",
        "valid until \(old.expires), before until \(old.expires)",
      ])
  }
}
