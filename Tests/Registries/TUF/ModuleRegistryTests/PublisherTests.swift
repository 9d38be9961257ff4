import Foundation
import Signet
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

@Suite struct PublisherTests {
  @Test("a scope has the paths of the modules that a trust policy's pattern covers")
  func scope() throws {
    func paths(_ pattern: String) throws -> [String] {
      try PublisherScope([try #require(ModulePattern(pattern))]).paths.map(\.text)
    }
    #expect(try paths("com.example.player") == ["com/example/player/*/*"])
    #expect(try paths("com.example.*") == ["com/example/*/*/*"])
    #expect(try paths("com.a.b.c.d.e.**") == ["com/a/b/c/d/e/*/*/*", "com/a/b/c/d/e/*/*/*/*"])
    #expect(try paths("**").count == 7)
    for pattern in ["com", "com.a.b.c.d.e.f.g.h", "com.a.b.c.d.e.f.g.**"] {
      expectError(.repoScope) { _ = try paths(pattern) }
    }
    expectError(.repoScope) { _ = try PublisherScope([]) }
  }

  @Test("a path is in a scope if and only if the policy's pattern covers its module")
  func mirror() throws {
    let patterns = ["com.example.**", "com.example.*", "com.example", "com.*.player", "**", "*.*", "org.**"]
    let modules = [
      "com.example", "com.example.player", "com.example.player.skin", "com.other.player", "org.a.b.c.d.e.f.g",
    ]
    for pattern in patterns.compactMap(ModulePattern.init) {
      let scope = try PublisherScope([pattern])
      for module in modules.compactMap(ModuleIdentifier.init) {
        let path = try TargetPath("\(module)".replacingOccurrences(of: ".", with: "/") + "/1.0.0/module.zip")
        #expect(
          scope.paths.contains { $0.matches(path) } == pattern.covers(module), "\(pattern) \(module)")
      }
    }
  }

  @Test("scopes are read back from delegations, and told in the words of a policy")
  func words() throws {
    for text in ["com.example.**", "com.example.*", "com.example.player", "**", "*.*"] {
      let scope = try PublisherScope([try #require(ModulePattern(text))])
      #expect(PublisherScope.words(for: scope.paths) == "modules \(text)")
    }
    for path in ["a/b", "com.example/*/*", "com/example.player/*/*", "com/example/**/*/*"] {
      #expect(PublisherScope.words(for: [TargetPattern(path)]) == path)
    }
  }

  @Test("names and scopes that another publisher has are refused, and so are keys of other roles")
  func refused() throws {
    let fixture = try RegistryFixture()
    let key = try PrivateKey.generate(.ed25519)
    for name in [
      "root", "targets", "online", "Example", "a.b", "../a", "", "a.bin-0", String(repeating: "a", count: 65),
    ] {
      expectError(.repoPublisherName) { try fixture.add(name, ["org.example.*"], key) }
    }
    expectError(.repoPublisherName) { try fixture.add("example", ["org.example.*"], key) }
    for pattern in ["com.example.tools.*", "com.*.player", "**", "com.example.player"] {
      expectError(.repoScope) { try fixture.add("other", [pattern], key) }
    }
    for taken in [fixture.root, fixture.online] {
      expectError(.repoKeys) { try fixture.add("other", ["org.example.*"], taken) }
    }
    expectError(.repoKeys) { _ = try RoleKeys([key.publicKey, key.publicKey], threshold: 1, of: "other") }
    expectError(.repoKeys) { _ = try RoleKeys([key.publicKey], threshold: 2, of: "other") }
    expectError(.repoKeys) { _ = try RoleKeys([], threshold: 0, of: "other") }
    expectError(.repoKeys) {
      let keys = try RoleKeys([key.publicKey], threshold: 1, of: "x")
      _ = try RegistryKeys(
        root: keys, targets: RoleKeys([fixture.root.publicKey], threshold: 1, of: "y"), online: keys)
    }
    #expect(try fixture.registry.pendingChanges().isEmpty)
    expectError(.repoExists) {
      let keys = try RoleKeys([key.publicKey], threshold: 1, of: "x")
      let online = try RoleKeys([fixture.root.publicKey], threshold: 1, of: "y")
      try fixture.registry.begin(with: RegistryKeys(root: keys, targets: keys, online: online))
    }
    expectError(.tufNoRepository) {
      _ = try ModuleRegistry(fixture.folder.file("none"), at: RegistryFixture.now).refresh(signedBy: [])
    }
  }

  @Test("people read what they sign, and nothing else is signed")
  func sign() throws {
    let fixture = try RegistryFixture()
    let key = try PrivateKey.generate(.ed25519)
    try fixture.add("other", ["org.example.*"], key)
    let changes = try fixture.registry.pendingChanges()
    #expect(changes.map(\.role) == ["other", "targets"])
    #expect(
      changes[1].changes.prefix(4) == [
        "version 1 becomes version 2", "other: added", "other: key added: \(key.publicKey)",
        "other: 1 of 1 keys must sign",
      ])
    #expect(changes[1].changes.contains("other: may offer modules org.example.*"))
    #expect(changes[1].signatures == ["0 of 1 signatures by keys of the targets"])
    expectError(.tufForeignKey) { _ = try fixture.registry.sign(changes, with: fixture.online) }
    try fixture.add("third", ["org.third.*"], key)
    expectError(.tufDraftStale) { _ = try fixture.registry.sign(changes, with: fixture.targets) }
    try fixture.sign(fixture.targets, key)
    #expect(try fixture.registry.pendingChanges().allSatisfy(\.isComplete))
    #expect(try fixture.refresh().published == ["targets", "other", "third"])
    #expect(try fixture.registry.publishers().map(\.name) == ["example", "other", "third"])
  }

  @Test("a removed publisher's modules are no longer found, and may come back under the same name")
  func remove() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    expectError(.repoPublisherUnknown) { try fixture.registry.removePublisher("nobody") }
    try fixture.registry.removePublisher("example")
    try fixture.sign(fixture.targets)
    try fixture.refresh()
    #expect(try fixture.client().target("com/example/player/1.0.0/module.zip") == nil)
    expectError(.repoPublisherUnknown) { try fixture.push(fixture.module()) }
    let key = try PrivateKey.generate(.ed25519)
    try fixture.add("example", ["com.example.**"], key)
    try fixture.sign(fixture.targets, key)
    try fixture.refresh()
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1, content: "new", by: key), key: key)
    #expect(try fixture.client().target("com/example/player/1.0.0/module.zip") != nil)
    #expect(try fixture.registry.check().faults.isEmpty)
  }

  @Test("a publisher whose end nobody has published keeps its releases when it is added again", arguments: [1500, 1])
  func removeByMistake(mostTargets: Int) throws {
    let fixture = try RegistryFixture()
    // With one target a role, they are in bins.
    fixture.registry.mostTargets = mostTargets
    try fixture.push(fixture.module())
    try fixture.push(fixture.module("com.example.codec"))
    let paths = ["player", "codec"].map { "com/example/\($0)/1.0.0/module.zip" }
    for key in [fixture.publisher, try PrivateKey.generate(.ed25519)] {
      try fixture.registry.removePublisher("example")
      try fixture.add("example", ["com.example.**"], key)
      try fixture.sign(fixture.targets, key)
      let publication = try fixture.refresh()
      #expect(publication.waiting.isEmpty)
      for path in paths { #expect(try fixture.client().target(path) != nil) }
      #expect(try fixture.registry.check().faults.isEmpty)
      try fixture.push(fixture.module("com.example.m\(UInt32.random(in: 0 ... .max))", by: key), key: key)
      #expect(try fixture.registry.pendingChanges().isEmpty)
    }
  }

  @Test("keys of every role are rotated, and clients go on")
  func rotate() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let client = try fixture.client()
    try client.refresh()
    let new = try (0..<4).map { _ in try PrivateKey.generate(.ed25519) }
    func rotation(_ index: Int, _ old: PrivateKey) -> KeyRotation {
      KeyRotation(adding: [new[index].publicKey], removing: ["\(old.publicKey.id)"])
    }
    expectError(.repoKeys) {
      try fixture.registry.rotate("root", KeyRotation(removing: ["\(fixture.online.publicKey.id)"]))
    }
    expectError(.repoKeys) {
      try fixture.registry.rotate("root", KeyRotation(removing: ["\(fixture.root.publicKey.id)"]))
    }
    expectError(.repoKeys) { try fixture.registry.rotate("online", KeyRotation(adding: [fixture.root.publicKey])) }
    expectError(.repoPublisherUnknown) { try fixture.registry.rotate("nobody", KeyRotation()) }
    try fixture.registry.rotate("root", rotation(0, fixture.root))
    try fixture.registry.rotate("targets", rotation(1, fixture.targets))
    try fixture.registry.rotate("online", rotation(2, fixture.online))
    try fixture.registry.rotate("example", rotation(3, fixture.publisher))
    try fixture.sign(fixture.root, new[0], fixture.targets, new[1], new[3])
    #expect(try fixture.registry.pendingChanges().allSatisfy(\.isComplete))
    #expect(try fixture.refresh([fixture.online, new[2]]).published == ["root", "targets", "example"])
    try fixture.refresh([new[2]])
    for client in [client, try fixture.client()] {
      try client.refresh()
      #expect(try client.target("com/example/player/1.0.0/module.zip") != nil)
    }
    expectError(.tufForeignKey) { try fixture.refresh([fixture.online]) }
    expectError(.repoUnverified) { try fixture.push(fixture.module("com.example.other"), isPublished: false) }
    // Modules keep the signatures that they have; what is pushed from now on is signed by the new key.
    _ = try fixture.registry.push(
      [fixture.module("com.example.other", by: new[3])], of: "example", signedBy: [new[3]], online: [new[2]])
    #expect(try fixture.registry.check().faults.isEmpty)
  }

  @Test("roles are renewed without a change of keys")
  func renew() throws {
    let fixture = try RegistryFixture()
    for role in ["root", "targets", "example"] { try fixture.registry.rotate(role, KeyRotation()) }
    try fixture.sign(fixture.root, fixture.targets, fixture.publisher)
    #expect(try fixture.refresh().published == ["root", "targets", "example"])
    try fixture.client().refresh()
  }

  @Test("a name that can be mistaken for another publisher's module is told, and taken all the same")
  func lookAlikes() throws {
    let fixture = try RegistryFixture()
    let key = try PrivateKey.generate(.ed25519)
    try fixture.add("other", ["com.examp1e.*", "com.example-tools.*", "org.**"], key)
    try fixture.sign(fixture.targets, key)
    try fixture.refresh()
    try fixture.push(fixture.module("com.example.player"))
    for name in ["com.examp1e.player"] {
      let pushed = try fixture.push(fixture.module(name, by: key), by: "other", key: key)
      #expect(pushed[0].warnings.map(\.code) == [.repoLookAlike], "\(name)")
    }
    let pushed = try fixture.push(fixture.module("org.example.painter", by: key), by: "other", key: key)
    #expect(pushed[0].warnings.isEmpty)
  }

  @Test(
    "names are alike by letters, separators or one edit",
    arguments: [
      ("com.example.player", "com.examp1e.player", true), ("com.example.m0de", "com.example.mode", true),
      ("com.example.modern", "com.example.modem", true), ("com.example.my-app", "com.example.myapp", true),
      ("com.example.my-app", "com.example.my.app", true), ("com.example.player", "com.example.players", true),
      ("com.example.player", "com.example.palyer", true), ("com.example.player", "com.example.plaier", true),
      ("com.example.vvorld", "com.example.world", true), ("com.example.player", "com.example.painter", false),
      ("com.example.player", "com.example.player", false), ("com.example.a", "org.example.a", false),
    ])
  func resemblance(_ left: String, _ right: String, _ isAlike: Bool) throws {
    let (left, right) = (try #require(ModuleIdentifier(left)), try #require(ModuleIdentifier(right)))
    #expect((LookAlike.resemblance(of: left, to: right) != nil) == isAlike)
    #expect((LookAlike.resemblance(of: right, to: left) != nil) == isAlike)
  }
}
