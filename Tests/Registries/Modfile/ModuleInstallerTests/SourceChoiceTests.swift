import Foundation
import ModuleInstaller
import ModuleResolver
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import SignetTUF
import TestSupport
import Testing

@testable import HostTestSupport
@testable import ModuleCatalog
@testable import ModuleRegistry
@testable import RegistryTestSupport

/// Modules that are used as source or as binary, from a registry in a directory.
@Suite(.enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct SourceChoiceTests {
  private static let names = ["codec", "player", "text", "viewer"]

  private func uses(_ ready: [ReadyModule]) -> [String] {
    ready.map { "\($0.module.identifier.description.split(separator: ".")[2]) \($0.use)" }
  }

  @Test(
    "PO10 D36: off means source, use_lib=1 all binaries that there are, NAME_use_lib=1 that of NAME, 0 and empty mean off",
    arguments: [
      ([:], []), (["use_lib": "1"], ["player", "viewer"]), (["com_example_player_use_lib": "1"], ["player"]),
      (["use_lib": "0"], []), (["use_lib": ""], []), (["com_example_player_use_lib": "0"], []),
      (["com_example_player_use_lib": ""], []),
      (["use_lib": "1", "com_example_player_use_lib": "0"], ["player", "viewer"]),
    ] as [([String: String], Set<String>)])
  func choice(_ environment: [String: String], _ binaries: Set<String>) throws {
    let world = try SourcedWorld()
    try world.pushAll()
    let installation = try world.installation(Self.names)
    let choice = try installation.choice(for: nil, environment: environment)
    let ready = try installation.fetch(for: nil, under: world.policy, as: choice)
    // codec has no sources, so it has one form.
    let expected = Self.names.map { binaries.contains($0) || $0 == "codec" ? "\($0) binary" : "\($0) source" }
    #expect(uses(ready) == expected)
    let store = try world.store()
    try world.apply(installation, ready)
    let listed = try store.listed().map { "\($0)" }.sorted()
    #expect(listed == expected.filter { $0.hasSuffix("binary") }.map { "com.example.\($0.split(separator: " ")[0])" })
    let unpacked = try FileManager.default.contentsOfDirectory(atPath: world.sources.path).sorted()
    #expect(
      unpacked == expected.filter { $0.hasSuffix("source") }.map { "com.example.\($0.split(separator: " ")[0])" })
    for name in unpacked {
      #expect(try world.fixture.folder.read("sources/\(name)/a/Player.h") == Array("int play(void);".utf8))
    }
    // The choice is no part of the lock.
    let served = try #require(installation.lock[ModuleIdentifier("com.example.player")!]?.served)
    #expect(served.digests?.source?.commit == RegistryFixture.commit)
    #expect(try world.installation(Self.names, lock: installation.lock).lock == installation.lock)
  }

  @Test("a variable that is neither on nor off is refused, and what has no binary or is not there is told")
  func variables() throws {
    let world = try SourcedWorld()
    try world.pushAll()
    let installation = try world.installation(Self.names)
    expectError(.resolveSwitch) { _ = try installation.choice(for: nil, environment: ["use_lib": "yes"]) }
    let choice = try installation.choice(
      for: nil, environment: ["com_example_text_use_lib": "1", "org_other_use_lib": "1", "org_off_use_lib": "0"])
    #expect(
      choice.withoutBinary.map(\.description) == ["com.example.text"] && choice.unknown == ["org_other_use_lib"])
  }

  @Test("a swapped library is noticed in the cache and on a mirror, and nothing of it is installed")
  func swapped() throws {
    let world = try SourcedWorld()
    let fixture = world.fixture
    // Nobody but the thief has signed it: the library says something else, and the bundle is that of the release.
    let good = try world.binary("player")
    let kept = try Data(contentsOf: URL(fileURLWithPath: good))
    try fixture.push(world.release("player", archive: good))
    let other = try world.binary("player", answer: "owned")
    try #require(try Data(contentsOf: URL(fileURLWithPath: other)) != kept)
    let archive = try #require(try fixture.offers().index(of: RegistryFixture.player)?.releases.first?.archive)
    // In the cache: the bytes are not those of the lock.
    let installation = try world.installation(["player"])
    let choice = try installation.choice(for: nil, environment: ["use_lib": "1"])
    let ready = try installation.fetch(for: nil, under: world.policy, as: choice)
    let place = "cache/files/\(archive.sha256.hex)"
    let store = try world.store()
    let cached = try fixture.folder.read(place)
    try FileManager.default.removeItem(atPath: fixture.folder.file(place))
    try FileManager.default.copyItem(atPath: other, toPath: fixture.folder.file(place))
    expectError(.digestMismatch) { try world.apply(installation, ready) }
    try fixture.folder.write(place, cached)
    try world.apply(installation, ready)
    #expect(try store.listed().count == 1)
    // On a mirror: the metadata has another digest.
    try FileManager.default.removeItem(atPath: fixture.folder.file("cache"))
    let served = fixture.folder.file(
      "registry/targets/com/example/player/1.0.1/\(archive.sha256.hex).module.zip")
    try FileManager.default.removeItem(atPath: served)
    try FileManager.default.copyItem(atPath: other, toPath: served)
    expectError(
      SignetError.Code(
        "tuf.\(archive.length == (try RegularFile(opening: other).size) ? "hash-mismatch" : "too-long")")
    ) {
      _ = try world.fetch(["player"], ["use_lib": "1"])
    }
  }

  @Test("PO12 D36: a swapped library and a binary of another commit are refused, though the registry offers both")
  func refused() throws {
    try refuseSwapped()
    try refuseOtherCommit()
  }

  /// The thief of the publisher's key of the registry cannot sign the module.
  private func refuseSwapped() throws {
    let world = try SourcedWorld()
    let good = try world.binary("player")
    let bundle = try Data(contentsOf: URL(fileURLWithPath: good + ".sigstore.json"))
    try world.fixture.push(world.release("player", archive: good), isPublished: false)
    let text = try world.fixture.index(continuing: .shown)
    let archive = try #require(
      try ModuleIndex(json: Array(text.utf8), of: RegistryFixture.player).releases.first?.archive)
    let other = try world.binary("player", answer: "owned")
    try bundle.write(to: URL(fileURLWithPath: other + ".sigstore.json"))
    try world.exchange(archive, for: other)
    expectError(.digestMismatch) { _ = try world.fetch(["player"], ["use_lib": "1"]) }
    // The sources are those of the release all the same.
    #expect(try uses(world.fetch(["player"], [:])) == ["player source"])
  }

  private func refuseOtherCommit() throws {
    let world = try SourcedWorld()
    let good = try world.binary("player")
    let files = try world.release("player", archive: good)
    try world.fixture.push(files, isPublished: false)
    let text = try world.fixture.index(continuing: .shown)
    let release = try #require(
      try ModuleIndex(json: Array(text.utf8), of: RegistryFixture.player).releases.first?.source)
    // The module was built from another commit, as its own provenance says.
    try world.fixture.provenance(of: good, RegistryFixture.otherCommit)
    try world.exchange(release.moduleProvenance, for: ProvenancePredicate.place(beside: good))
    let error = expectError(.installOtherCommit) { _ = try world.fetch(["player"], ["use_lib": "1"]) }
    #expect(error?.expected == RegistryFixture.commit)
    #expect(error?.found == "\(RegistryFixture.otherCommit) of https://example.com/player.git")
    #expect(try uses(world.fetch(["player"], [:])) == ["player source"])
  }

  @Test("an index that names another commit than both provenances is refused in both forms")
  func otherCommitInIndex() throws {
    let world = try SourcedWorld()
    try world.fixture.push(world.release("player", archive: world.binary("player")), isPublished: false)
    try world.change((RegistryFixture.commit, RegistryFixture.otherCommit))
    expectError(.installOtherCommit) { _ = try world.fetch(["player"], ["use_lib": "1"]) }
    expectError(.installOtherCommit) { _ = try world.fetch(["player"], [:]) }
  }

  @Test("a provenance that is missing, a stranger's, or about other bytes is refused in both forms")
  func provenance() throws {
    let stranger = try PrivateKey.generate(.ed25519)
    for environment in [[:], ["use_lib": "1"]] {
      for (key, digest, code) in [
        (stranger, nil, SignetError.Code.signerUntrusted), (nil, try Digest.of([3], .sha256), .digestMismatch),
      ] as [(PrivateKey?, Digest?, SignetError.Code)] {
        let world = try SourcedWorld()
        let files = try world.release("player", archive: world.binary("player"))
        try world.fixture.push(files, isPublished: false)
        let text = try world.fixture.index(continuing: .shown)
        let source = try #require(
          try ModuleIndex(json: Array(text.utf8), of: RegistryFixture.player).releases.first?.source)
        let (file, path) =
          environment.isEmpty ? (source.provenance, files.source ?? "") : (source.moduleProvenance, files.archive)
        try world.fixture.provenance(of: path, RegistryFixture.commit, by: key, digest: digest)
        try world.exchange(file, for: ProvenancePredicate.place(beside: path))
        expectError(code, "\(environment)") { _ = try world.fetch(["player"], environment) }
      }
    }
    // Without the field the release is not offered at all.
    let world = try SourcedWorld()
    try world.fixture.push(world.release("player", archive: world.binary("player")), isPublished: false)
    try world.change((#""moduleProvenance""#, #""noProvenance""#))
    expectError(.resolveMissing) { _ = try world.fetch(["player"], [:]) }
  }

  @Test("the floors and revocations of a policy hold for sources as for binaries")
  func floors() throws {
    let world = try SourcedWorld()
    try world.fixture.push(world.release("player", archive: world.binary("player", sequence: 4), sequence: 4))
    let player = try RegistryFixture.player
    func policy(_ change: (inout TrustPolicy.Terms) throws -> Void) throws -> TrustPolicy {
      var terms = TrustPolicy.Terms()
      try change(&terms)
      return try TrustPolicy(
        entries: [TrustEntry("key", .key(world.fixture.publisher.publicKey), scope: .everything)], terms: terms)
    }
    for environment in [[:], ["use_lib": "1"]] {
      #expect(try world.fetch(["player"], environment, under: policy { $0.floors = [player: 4] }).count == 1)
      expectError(.policyRollback, "\(environment)") {
        _ = try world.fetch(["player"], environment, under: policy { $0.floors = [player: 5] })
      }
      let range = try #require(VersionRange("<2.0.0"))
      expectError(.policyRevoked, "\(environment)") {
        _ = try world.fetch(
          ["player"], environment,
          under: policy { $0.revocations = [Revocation(.versions(player, range), reason: "bad", date: nil)] })
      }
    }
  }

  @Test("a policy of two signers wants two signatures of provenance, over one statement")
  func threshold() throws {
    let world = try SourcedWorld()
    let fixture = world.fixture
    let second = try PrivateKey.generate(.ed25519)
    let files = try world.release("player", archive: world.binary("player"))
    let source = try #require(files.source)
    let place = URL(fileURLWithPath: ProvenancePredicate.place(beside: source))
    let first = try Data(contentsOf: place)
    func policy(_ keys: [PrivateKey], _ count: Int) throws -> TrustPolicy {
      var terms = TrustPolicy.Terms()
      terms.requirement = .threshold(count)
      return try TrustPolicy(
        entries: keys.enumerated().map { try TrustEntry("\($0)", .key($1.publicKey), scope: .everything) },
        terms: terms)
    }
    try fixture.provenance(of: source, RegistryFixture.commit, by: second)
    let other = try Data(contentsOf: place)
    try (first + Data("\n".utf8) + other + Data("\n".utf8)).write(to: place)
    try fixture.push(files)
    let both = [fixture.publisher, second]
    #expect(try uses(world.fetch(["player"], [:], under: policy(both, 2))) == ["player source"])
    let stranger = try PrivateKey.generate(.ed25519)
    expectError(.policyThreshold) {
      _ = try world.fetch(["player"], [:], under: policy([fixture.publisher, stranger], 2))
    }
    // Whoever is trusted alone must not state another commit than the other one.
    let third = try fixture.release("1.0.2", 2, of: "com.example.player")
    let path = try #require(third.source)
    let mixed = URL(fileURLWithPath: ProvenancePredicate.place(beside: path))
    let stated = try Data(contentsOf: mixed)
    try fixture.provenance(of: path, RegistryFixture.otherCommit, by: second)
    try (stated + Data("\n".utf8) + Data(contentsOf: mixed) + Data("\n".utf8)).write(to: mixed)
    try fixture.push(third)
    expectError(.repoProvenance) { _ = try world.fetch(["player"], [:], under: policy(both, 1)) }
    expectError(.policyThreshold) { _ = try world.fetch(["player"], [:], under: policy(both, 2)) }
  }

  @Test("sources are refused under a policy that demands what a gate says of binaries")
  func summary() throws {
    let world = try SourcedWorld()
    try world.fixture.push(world.release("player", archive: world.binary("player")))
    let gate = try PrivateKey.generate(.ed25519)
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .key(gate.publicKey), scope: .everything)])
    let policy = try TrustPolicy(
      entries: [
        TrustEntry("publisher", .key(world.fixture.publisher.publicKey), scope: .everything)
      ], terms: terms)
    expectError(.installNoSummary) { _ = try world.fetch(["player"], [:], under: policy) }
    expectError(.policySummary) { _ = try world.fetch(["player"], ["use_lib": "1"], under: policy) }
  }

  @Test("a folder of sources is replaced whole if its files differ, stays as it is otherwise, and is nobody else's")
  func folder() throws {
    let world = try SourcedWorld()
    try world.fixture.push(world.release("player", archive: world.binary("player")))
    let installation = try world.installation(["player"])
    let ready = try installation.fetch(
      for: nil, under: world.policy, as: installation.choice(for: nil, environment: [:]))
    let player = try RegistryFixture.player
    let place = world.sources.place(of: player)
    func unpack() throws { try world.apply(installation, ready) }
    try unpack()
    let first = try FileStatus(at: place + "/module.json").identity
    try unpack()
    #expect(try FileStatus(at: place + "/module.json").identity == first)
    for change in ["echo more >> a/Player.h", "rm a/Player.h", "touch new", "chmod 755 a/Player.h", "mkdir b"] {
      let run = try Shell.run(change, in: place)
      #expect(run.status == 0)
      try unpack()
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: place).sorted() == [
          ".signet-source", "a", "a/Player.h", "module.json",
        ], "\(change)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: place + "/a/Player.h")) == Data("int play(void);".utf8))
      #expect(try FileStatus(at: place + "/a/Player.h").mode & 0o777 == 0o644)
    }
    #expect(try world.fixture.folder.listing().contains("sources"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.sources.path) == ["com.example.player"])
    // What a killed run has left is removed, and what another one is working in is not.
    let (left, inUse) = (world.sources.path + "/.signet-left.draft", try TemporaryDirectory(in: world.sources.path))
    try FileManager.default.createDirectory(atPath: left + "/files/deep", withIntermediateDirectories: true)
    try Data("int evil(void);".utf8).write(to: URL(fileURLWithPath: place + "/a/Player.h"))
    try unpack()
    #expect(!FileManager.default.fileExists(atPath: left) && FileManager.default.fileExists(atPath: inUse.path))
    // Without the mark, the folder is somebody else's: it is neither replaced nor removed.
    try FileManager.default.removeItem(atPath: place + "/.signet-source")
    expectError(.installSourceFolder) { try unpack() }
    #expect(try !world.sources.remove(player))
    #expect(FileManager.default.fileExists(atPath: place + "/module.json"))
    // A link is followed nowhere.
    try FileManager.default.moveItem(atPath: place, toPath: place + ".moved")
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "com.example.player.moved")
    expectError(.installSourceFolder) { try unpack() }
    try FileManager.default.removeItem(atPath: place)
    try unpack()
    #expect(try world.sources.remove(player))
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test("sources that change in the cache after they were verified are not unpacked")
  func changedCache() throws {
    let world = try SourcedWorld()
    try world.fixture.push(world.release("player", archive: world.binary("player")))
    let installation = try world.installation(["player"])
    let ready = try installation.fetch(
      for: nil, under: world.policy, as: installation.choice(for: nil, environment: [:]))
    let served = try #require(installation.lock.modules.first?.served)
    let digest = try #require(served.digests?.source?.archive.hex)
    let evil = try world.fixture.sourceArchive([
      "source/module.json": world.fixture.description("1.0.1", 1), "source/a/Player.h": "int owned(void);",
    ])
    try world.fixture.folder.write("cache/files/\(digest)", Array(Data(contentsOf: URL(fileURLWithPath: evil))))
    expectError(.digestMismatch) { try world.apply(installation, ready) }
    #expect(!FileManager.default.fileExists(atPath: world.sources.path))
    // Only the archive of the sources was fetched, and not the module.
    let files = try FileManager.default.contentsOfDirectory(atPath: world.fixture.folder.file("cache/files"))
    #expect(files.count == 2 && !files.contains(served.digests?.archive.hex ?? ""))
  }
}
