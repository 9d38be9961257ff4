import Foundation
import ModuleCatalog
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

@Suite struct PushTests {
  @Test("a pushed module is offered with its bundle, and says what it is", arguments: ["zip", "tar"])
  func push(format: String) throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    let path = try fixture.module("com.example.player", "1.2.0", 7, as: format == "zip" ? .zip : .tar)
    let pushed = try fixture.push(path)
    #expect(pushed.map(\.wasThere) == [false] && pushed[0].warnings.isEmpty)
    let client = try fixture.client()
    let place = "com/example/player/1.2.0/module.\(format)"
    let target = try #require(try client.target(place))
    #expect(target.role == "example")
    let release = try #require(try fixture.offers().index(of: player)?.releases.first)
    #expect("\(release.identifier) \(release.version) \(release.sequence)" == "com.example.player 1.2.0 7")
    #expect(release.archivePath == place && release.signers == ["\(fixture.publisher.publicKey.id)"])
    #expect(release.archive.sha256.hex == target.file.hashes.entries[0].hex)
    let archive = try client.download(target, to: fixture.folder.path)
    let bundle = try client.download(
      try #require(try client.target(place + ".sigstore.json")), to: fixture.folder.path)
    // What a client downloads is what its policy verifies.
    let proof = try Verifier(
      policy: TrustPolicy(trusting: [fixture.publisher.publicKey]), clock: .fixed(RegistryFixture.now)
    )
    .verify(
      .file(.init(opening: archive)), signatures: .file(bundle), expecting: .module(nil, named: "module")
    ).get()
    #expect(release.module == proof.module)
    #expect(try fixture.registry.check().faults.isEmpty)
  }

  @Test("PO7: a version is published once: the same bytes again change nothing, and others are refused")
  func versionTaken() throws {
    let fixture = try RegistryFixture()
    let path = try fixture.module()
    try fixture.push(path)
    #expect(try fixture.push(path).map(\.wasThere) == [true])
    #expect(try fixture.registry.folder.load().snapshot?.role["example"]?.version == 2)
    expectError(.repoVersionTaken) { try fixture.push(fixture.module(content: "other")) }
    // Another spelling of the same version, and another format.
    expectError(.repoVersionTaken) { try fixture.push(fixture.module("com.example.player", "1.0.0+b", 2)) }
    expectError(.repoVersionTaken) { try fixture.push(fixture.module(as: .tar)) }
    #expect(try fixture.registry.releases().count == 1)
  }

  @Test("a sequence must grow, within one push and over several")
  func sequence() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module("com.example.player", "1.0.0", 5))
    expectError(.repoSequence) { try fixture.push(fixture.module("com.example.player", "1.1.0", 5)) }
    expectError(.repoSequence) { try fixture.push(fixture.module("com.example.player", "1.1.0", 4)) }
    expectError(.repoSequence) {
      try fixture.push(
        fixture.module("com.example.player", "1.1.0", 7), fixture.module("com.example.player", "1.2.0", 6))
    }
    #expect(try fixture.registry.releases().count == 1)
    try fixture.push(fixture.module("com.example.other", "1.0.0", 1))
  }

  @Test("a module must be signed by its publisher, and be one of the publisher's")
  func scope() throws {
    let fixture = try RegistryFixture()
    let stranger = try PrivateKey.generate(.ed25519)
    let refusal = expectError(.repoUnverified) { try fixture.push(fixture.module(by: stranger)) }
    #expect((refusal?.cause as? SignetError)?.code == .signerUntrusted)
    expectError(.repoOutOfScope) { try fixture.push(fixture.module("org.example.player")) }
    expectError(.repoOutOfScope) { try fixture.push(fixture.module("com.example")) }
    expectError(.repoDepth) { try fixture.push(fixture.module("com.example.a.b.c.d.e.f.g")) }
    try fixture.push(fixture.module("com.example.a.b.c.d.e.f"))
    expectError(.repoPublisherUnknown) { try fixture.push(fixture.module(), by: "nobody") }
    expectError(.tufForeignKey) { try fixture.push(fixture.module(), key: stranger) }
    expectError(.fileMissing) { try fixture.push("missing.zip") }
  }

  @Test("without the online key a push waits for the next refresh, and further pushes join it")
  func waiting() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1), isPublished: false)
    try fixture.push(fixture.module("com.example.player", "1.1.0", 2), isPublished: false)
    #expect(try fixture.client().target("com/example/player/1.0.0/module.zip") == nil)
    // The first push's index was replaced before anybody got it.
    let pruned = try fixture.registry.prune(isTrial: false)
    #expect(pruned.count == 1 && pruned[0].hasPrefix("targets/com/example/player/releases/"))
    try fixture.refresh()
    for version in ["1.0.0", "1.1.0"] {
      #expect(try fixture.client().target("com/example/player/\(version)/module.zip") != nil)
    }
  }

  @Test("a push signs nothing that somebody has planted, and a publisher's other modules are nobody's")
  func planted() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    // The index of another module, with the release of this one under the other name.
    let index = try fixture.index()
    func draft(_ identifier: String, signedBy key: PrivateKey?) throws {
      try fixture.draftIndex(
        index.replacingOccurrences(of: "com.example.player", with: identifier), of: identifier, signedBy: key,
        continuing: .shown)
    }
    try draft("com.example.planted", signedBy: nil)
    expectError(.tufDraftUnsigned) { try fixture.push(fixture.module("com.example.other")) }
    expectError(.tufDraftUnsigned) {
      _ = try fixture.registry.yank("com.example.player", "1.0.0", because: "x", signedBy: [fixture.publisher])
    }
    // A publisher signs what was planted, and writes a module of somebody else into its own metadata.
    try draft("org.bank.app", signedBy: fixture.publisher)
    try fixture.refresh()
    #expect(
      try fixture.registry.releases().map { "\($0.release.identifier)" }
        == ["com.example.planted", "com.example.player"])
    let offers = try fixture.offers()
    #expect(try offers.modules().map { "\($0)" } == ["com.example.planted", "com.example.player"])
    #expect(try offers.index(of: #require(ModuleIdentifier("org.bank.app"))) == nil)
    expectError(.repoReleaseUnknown) {
      _ = try fixture.registry.yank("org.bank.app", "1.0.0", because: "x", signedBy: [fixture.publisher])
    }
  }

  @Test("a withdrawn release says why, keeps its bytes, and can be offered again")
  func yank() throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    func yank(_ version: String, _ reason: String?) throws {
      _ = try fixture.registry.yank(
        "com.example.player", version, because: reason, signedBy: [fixture.publisher], online: [fixture.online])
    }
    expectError(.repoReleaseUnknown) { try yank("1.0.1", "loses settings") }
    try yank("1.0.0", "loses settings")
    #expect(try fixture.offers().index(of: player)?.releases.map(\.yanked) == ["loses settings"])
    #expect(try fixture.client().target("com/example/player/1.0.0/module.zip") != nil)
    #expect(try fixture.registry.check().faults.isEmpty)
    #expect(try fixture.registry.indexFaults().isEmpty)
    // It still takes its sequence and its version.
    expectError(.repoSequence) { try fixture.push(fixture.module("com.example.player", "1.1.0", 1)) }
    try yank("1.0.0", nil)
    #expect(try fixture.offers().index(of: player)?.releases.map(\.yanked) == [nil])
  }

  @Test("a publisher with many modules has bins, and pushes rewrite one of them")
  func bins() throws {
    let fixture = try RegistryFixture()
    fixture.registry.mostTargets = 12
    var modules: [String] = []
    for number in 0..<6 { modules.append(try fixture.module("com.example.m\(number)")) }
    _ = try fixture.registry.push(modules, of: "example", signedBy: [fixture.publisher], online: [fixture.online])
    let first = try fixture.registry.push(
      [fixture.module("com.example.more")], of: "example", signedBy: [fixture.publisher], online: [fixture.online])
    let files = try #require(first.publication).publication.files.map(\.role)
    #expect(!files.contains("example") && files.count <= 5)
    expectError(.repoVersionTaken) { try fixture.push(fixture.module("com.example.more", content: "other")) }
    for number in 0..<6 { #expect(try fixture.client().target("com/example/m\(number)/1.0.0/module.zip") != nil) }
    #expect(try fixture.registry.releases().count == 7)
    #expect(try fixture.registry.check().faults.isEmpty)
    // New keys sign the bins, too.
    let new = try PrivateKey.generate(.ed25519)
    try fixture.registry.rotate(
      "example", KeyRotation(adding: [new.publicKey], removing: ["\(fixture.publisher.publicKey.id)"]))
    try fixture.sign(fixture.targets, new)
    try fixture.refresh()
    #expect(try fixture.registry.pendingChanges().isEmpty)
    #expect(try fixture.registry.check().faults.isEmpty)
    #expect(try fixture.client().target("com/example/m1/1.0.0/module.zip") != nil)
  }
}
