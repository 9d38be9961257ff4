import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry

@Suite struct PushTests {
  @Test("a pushed module is offered with its bundle, and says what it is", arguments: ["zip", "tar"])
  func push(format: String) throws {
    let fixture = try RegistryFixture()
    let path = try fixture.module("com.example.player", "1.2.0", 7, as: format == "zip" ? .zip : .tar)
    let pushed = try fixture.push(path)
    #expect(pushed.map(\.wasThere) == [false] && pushed[0].warnings.isEmpty)
    let client = try fixture.client()
    let place = "com/example/player/1.2.0/module.\(format)"
    let target = try #require(try client.target(place))
    #expect(target.role == "example")
    let release = try #require(ModuleRelease(target.file))
    #expect("\(release.identifier) \(release.version) \(release.sequence)" == "com.example.player 1.2.0 7")
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
    #expect(release.description == (try Digest.of(proof.module.canonicalBytes(), .sha256).hex))
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
    #expect(try fixture.registry.prune(isTrial: false) == [])
    try fixture.refresh()
    for version in ["1.0.0", "1.1.0"] {
      #expect(try fixture.client().target("com/example/player/\(version)/module.zip") != nil)
    }
  }

  @Test("a push signs nothing that somebody has planted, and a publisher's other modules are nobody's")
  func planted() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let content = try fixture.registry.folder.load()
    let top = try #require(content.targets?.role)
    func draft(_ target: TargetFile, signedBy key: PrivateKey?) throws {
      var role = try RoleTargets(of: "example", under: top, in: content, continuing: .shown)
      try role.insert(target)
      let later = RoleLifetimes.end(9, from: RegistryFixture.now)
      for change in try role.drafts(of: content, until: later) {
        var draft = try MetadataDraft(change.role)
        if let key { try draft.sign(with: key) }
        try fixture.registry.folder.setPending(change.name, draft)
      }
    }
    let release = try #require(try fixture.registry.releases().first?.release)
    func named(_ identifier: String) -> TargetFile {
      TargetFile(
        path: "\(identifier.split(separator: ".").joined(separator: "/"))/1.0.0/module.zip", length: 1,
        hashes: release.target.hashes,
        custom: .object(
          ("description", .string("")), ("identifier", .string(identifier)), ("sequence", .integer(1)),
          ("version", .string("1.0.0"))))
    }
    try draft(named("com.example.planted"), signedBy: nil)
    expectError(.tufDraftUnsigned) { try fixture.push(fixture.module("com.example.other")) }
    expectError(.tufDraftUnsigned) {
      _ = try fixture.registry.yank("com.example.player", "1.0.0", because: "x", signedBy: [fixture.publisher])
    }
    // A publisher signs what was planted, and writes a module of somebody else into its own metadata.
    try draft(named("org.bank.app"), signedBy: fixture.publisher)
    try fixture.refresh()
    #expect(
      try fixture.registry.releases().map { "\($0.release.identifier)" }
        == ["com.example.planted", "com.example.player"])
    #expect(try fixture.client().target("org/bank/app/1.0.0/module.zip") == nil)
    expectError(.repoReleaseUnknown) {
      _ = try fixture.registry.yank("org.bank.app", "1.0.0", because: "x", signedBy: [fixture.publisher])
    }
  }

  @Test("a release has its own path, byte by byte")
  func path() throws {
    func release(_ path: String) throws -> ModuleRelease? {
      ModuleRelease(
        TargetFile(
          path: path, length: 1, hashes: try FileHashes(of: [1]),
          custom: .object(
            ("description", .string("")), ("identifier", .string("com.example.player")), ("sequence", .integer(1)),
            ("version", .string("1.0.0-K")))))
    }
    #expect(try release("com/example/player/1.0.0-K/module.zip") != nil)
    // The sign of the kelvin is another character, which Swift takes for the same.
    #expect(try release("com/example/player/1.0.0-\u{212a}/module.zip") == nil)
    #expect(try release("com/example/other/1.0.0-K/module.zip") == nil)
  }

  @Test("a withdrawn release says why, keeps its bytes, and can be offered again")
  func yank() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    func yank(_ version: String, _ reason: String?) throws {
      _ = try fixture.registry.yank(
        "com.example.player", version, because: reason, signedBy: [fixture.publisher], online: [fixture.online])
    }
    expectError(.repoReleaseUnknown) { try yank("1.0.1", "loses settings") }
    try yank("1.0.0", "loses settings")
    let target = try #require(try fixture.client().target("com/example/player/1.0.0/module.zip"))
    #expect(ModuleRelease(target.file)?.yanked == "loses settings")
    #expect(try fixture.registry.check().faults.isEmpty)
    // It still takes its sequence and its version.
    expectError(.repoSequence) { try fixture.push(fixture.module("com.example.player", "1.1.0", 1)) }
    try yank("1.0.0", nil)
    let again = try #require(try fixture.client().target("com/example/player/1.0.0/module.zip"))
    #expect(ModuleRelease(again.file)?.yanked == nil)
  }

  @Test("a publisher with many modules has bins, and pushes rewrite one of them")
  func bins() throws {
    let fixture = try RegistryFixture()
    fixture.registry.mostTargets = 8
    var modules: [String] = []
    for number in 0..<6 { modules.append(try fixture.module("com.example.m\(number)")) }
    _ = try fixture.registry.push(modules, of: "example", signedBy: [fixture.publisher], online: [fixture.online])
    let first = try fixture.registry.push(
      [fixture.module("com.example.more")], of: "example", signedBy: [fixture.publisher], online: [fixture.online])
    let files = try #require(first.publication).publication.files.map(\.role)
    #expect(!files.contains("example") && files.count <= 4)
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
