import SignetBase
import SignetCrypto
import SignetKeys
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

/// No key serves two roles that would lend each other their signatures.
@Suite struct KeysApartTests {
  @Test("the online keys are nobody else's: neither a publisher's, nor under another key ID")
  func keysApart() throws {
    let fixture = try RegistryFixture()
    for role in ["online", "timestamp", "snapshot"] {
      expectError(.repoKeys) {
        try fixture.registry.rotate(role, KeyRotation(adding: [fixture.publisher.publicKey]))
      }
    }
    expectError(.repoKeys) { try fixture.add("other", ["org.other.*"], fixture.targets) }
    expectError(.repoKeys) {
      try fixture.registry.rotate("targets", KeyRotation(adding: [fixture.publisher.publicKey]))
    }
    expectError(.repoKeys) {
      try fixture.registry.rotate("example", KeyRotation(adding: [fixture.online.publicKey]))
    }
    #expect(try fixture.registry.pendingChanges().isEmpty)
    // Another tool has written the root's keys with fields of its own, and so with other IDs.
    var root = try #require(try fixture.registry.folder.load().root?.role)
    let plain = try TUFKey(fixture.online.publicKey)
    let owned = try TUFKey(
      json: .object(
        ("keytype", .string(plain.type)), ("scheme", .string(plain.scheme)),
        ("keyval", .object(("public", .string(fixture.online.publicKey.pem)))), ("x-owner", .string("somebody"))))
    root.version = 2
    root.keys.insert(owned)
    (root.timestamp.keyIDs, root.snapshot.keyIDs) = ([owned.id], [owned.id])
    try fixture.registry.folder.setPending("root", MetadataDraft(root))
    expectError(.repoKeys) { try fixture.add("other", ["org.other.*"], fixture.online) }
    expectError(.repoKeys) { try fixture.registry.rotate("targets", KeyRotation(adding: [fixture.online.publicKey])) }
  }
}
