import Keyless
import ModuleCatalog
import Signet
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

@Suite("publishers who sign modules by an identity") struct IdentityPublisherTests {
  private func identities(_ repository: String = "https://github.com/example/tool") throws -> [TrustAnchor] {
    try TrustPolicy(json: IdentityModule.policy(repository: repository), with: .all).entries.map(\.anchor)
  }

  private func rotate(_ fixture: RegistryFixture, _ identities: [TrustAnchor]) throws {
    try fixture.registry.rotate("example", KeyRotation(identities: identities))
    try fixture.sign(fixture.targets, fixture.publisher)
    try fixture.refresh()
  }

  @Test("a module is pushed that a publisher's identity has signed, and the index says who it was")
  func pushed() throws {
    let fixture = try RegistryFixture()
    let refusal = expectError(.repoUnverified) { try fixture.push(IdentityModule.archive) }
    #expect((refusal?.cause as? SignetError)?.code == .signerCertificate)
    try rotate(fixture, identities())
    let publisher = try #require(try fixture.registry.publishers().first)
    #expect(publisher.identities == (try identities()))
    try fixture.push(IdentityModule.archive)
    let release = try #require(try fixture.offers().index(of: RegistryFixture.player)?.releases.first)
    #expect(release.signers == [IdentityModule.identity])
    #expect(release.bundles.map(\.name) == ["module.zip.sigstore.json"])
    // Its keys sign modules as before.
    try fixture.push(fixture.module("com.example.codec"))
  }

  @Test("a publisher can have identities from the start, others' are refused, and they can be taken back")
  func changed() throws {
    let fixture = try RegistryFixture()
    let key = try PrivateKey.generate(.ed25519)
    try fixture.registry.addPublisher(
      "tools", RoleKeys([key.publicKey], threshold: 1, of: "tools"),
      PublisherScope([#require(ModulePattern("org.example.**"))]),
      identities: identities("https://github.com/example/other"))
    try fixture.sign(fixture.targets, key)
    try fixture.refresh()
    #expect(try fixture.registry.publishers().map(\.identities.count) == [0, 1])
    try rotate(fixture, identities("https://github.com/example/other"))
    expectError(.repoUnverified) { try fixture.push(IdentityModule.archive) }
    try rotate(fixture, identities())
    try fixture.push(IdentityModule.archive)
    try rotate(fixture, [])
    #expect(try fixture.registry.publishers().map(\.identities.count) == [0, 1])
    expectError(.repoUnverified) { try fixture.push(IdentityModule.archive) }
    // What is there stays: the host's policy decides about it.
    #expect(try fixture.offers().index(of: RegistryFixture.player)?.releases.count == 1)
  }

  @Test("who signs the change reads all that is stated")
  func shown() throws {
    let fixture = try RegistryFixture()
    try fixture.registry.rotate("example", KeyRotation(identities: identities()))
    func lines() throws -> [String] {
      try #require(try fixture.registry.pendingChanges().first { $0.role == "targets" }).changes
    }
    let line = try #require(try lines().first { $0.contains("identities") })
    #expect(line.hasPrefix("example: identities may sign its modules, too: [{\"identities\":[{\"repository\":"))
    // The trusted root is part of it.
    #expect(line.contains("certificateAuthorities") && line.contains("https://github.com/example/tool"))
    try fixture.sign(fixture.targets, fixture.publisher)
    try fixture.refresh()
    try fixture.registry.rotate("example", KeyRotation(identities: []))
    #expect(try lines().contains { $0.hasPrefix("example: no longer: identities may sign its modules, too: ") })
  }

  @Test("keys are no identities, too many are refused, and so is a role that keys alone sign")
  func refused() throws {
    let fixture = try RegistryFixture()
    expectError(.repoIdentities) {
      try fixture.registry.rotate("example", KeyRotation(identities: [.key(fixture.publisher.publicKey)]))
    }
    expectError(.repoIdentities) {
      try fixture.registry.rotate(
        "example", KeyRotation(identities: Array(repeating: identities()[0], count: 9)))
    }
    expectError(.repoIdentities) {
      try fixture.registry.rotate("targets", KeyRotation(identities: identities()))
    }
    #expect(try fixture.registry.pendingChanges().isEmpty)
  }

  @Test(
    "identities in another form are refused, and never taken for none",
    arguments: ["{}", "[]", "[1]", #"[{"root": "public-good"}]"#, #""public-good""#])
  func malformed(text: String) throws {
    var role = DelegatedRole(
      name: "example", keys: KeyThreshold(keyIDs: ["a"], threshold: 1),
      scope: .paths(try PublisherScope([#require(ModulePattern("com.example.**"))]).paths))
    #expect(try Publisher(role, KeyRing()) != nil)
    role.unknown = [JSONValue.Member("x-signet-identities", try JSONReader.read(Array(text.utf8), limits: .bundle))]
    #expect(throws: SignetError.self) { _ = try Publisher(role, KeyRing()) }
  }
}
