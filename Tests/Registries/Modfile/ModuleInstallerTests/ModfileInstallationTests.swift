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

@testable import ModuleRegistry
@testable import RegistryTestSupport

/// What a Modfile names, from a registry in a directory.
@Suite struct ModfileInstallationTests {
  private static let source = "source 'main', 'https://modules.example.com', modules: 'com.example.**'\n"

  static func registries(_ fixture: RegistryFixture, cache: String = "cache") throws -> RegistryAccess {
    let roots = fixture.folder.file("roots")
    try FileManager.default.createDirectory(atPath: roots, withIntermediateDirectories: true)
    try fixture.folder.write("roots/main.root.json", fixture.folder.read("registry/metadata/1.root.json"))
    let place = fixture.folder.file("registry")
    return RegistryAccess(
      RegistryAccess.Settings(
        project: fixture.folder.path, roots: roots, cache: InstallCache(fixture.folder.file(cache)),
        clock: .fixed(RegistryFixture.now)
      ) { (_) throws(SignetError) in
        RepositoryMirror(
          metadata: try DirectorySource(place + "/metadata"), targets: try DirectorySource(place + "/targets"))
      })
  }

  private func installation(
    _ fixture: RegistryFixture, _ lines: String, lock: ModuleLock? = nil, _ mode: ModuleResolver.Mode = .install
  ) throws -> ModfileInstallation {
    try ModfileInstallation(
      Modfile(Array((Self.source + lines).utf8)), lock: lock, mode: mode, Self.registries(fixture))
  }

  @Test(
    "PO9: an installation keeps what the lock has, and an update moves it; both are fetched, verified and installed")
  func lockAndUpdate() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module("com.example.player", "1.0.9", 1))
    let line = "module 'com.example.player', '~> 1.0.1'\n"
    let policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    let store = try ModuleStore(creating: fixture.folder.file("store"), policy: policy, clock: .system)
    var lock: ModuleLock?
    func install(_ mode: ModuleResolver.Mode) throws -> [String] {
      let installation = try installation(fixture, line, lock: lock, mode)
      lock = installation.lock
      var installed: [String] = []
      let ready = try installation.fetch(for: nil, under: policy)
      let events = try installation.apply(
        ready, for: nil, to: store, sources: SourcesFolder(fixture.folder.file("sources")), publishing: {})
      for case .installed(let module, _) in events { installed.append("\(module.module.version)") }
      return installed
    }
    #expect(try install(.install) == ["1.0.9"])
    try fixture.push(fixture.module("com.example.player", "1.0.10", 2))
    #expect(try install(.install) == ["1.0.9"])
    #expect(try install(.update) == ["1.0.10"])
    #expect(lock?.modules.map(\.sequence) == [2])
    let signers = lock?.modules.first?.served?.signers
    #expect(signers == [.key(fixture.publisher.publicKey.id)])
  }

  @Test("an archive that is not what its index describes is refused, though its publisher has signed both")
  func otherModule() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module(), isPublished: false)
    let old = try fixture.index(continuing: .shown)
    let text = old.replacingOccurrences(of: #""resources":["a"]"#, with: #""permissions":["all"]"#)
    #expect(text != old)
    try fixture.draftIndex(text, signedBy: fixture.publisher, continuing: .shown)
    #expect(try fixture.refresh().published == ["example"])
    let installation = try installation(fixture, "module 'com.example.player'\n")
    let policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    expectError(.installOtherModule) { _ = try installation.fetch(for: nil, under: policy) }
  }

  @Test("a file that changes in the cache after it was verified is not installed")
  func changedCache() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let installation = try installation(fixture, "module 'com.example.player'\n")
    let policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    let ready = try installation.fetch(for: nil, under: policy)
    let digest = try #require(installation.lock.modules.first?.served?.digests?.archive.hex)
    try fixture.folder.write("cache/files/\(digest)", fixture.folder.read("cache/files/\(digest)") + [0])
    let store = try ModuleStore(creating: fixture.folder.file("store"), policy: policy, clock: .system)
    expectError(.digestMismatch) {
      _ = try installation.apply(
        ready, for: nil, to: store, sources: SourcesFolder(fixture.folder.file("sources")), publishing: {})
    }
    #expect(try store.listed().isEmpty)
  }

  @Test("D35: a locked release with other digests than the registry's is refused")
  func changedRelease() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let line = "module 'com.example.player'\n"
    let lock = try installation(fixture, line).lock
    let digest = try #require(lock.modules.first?.served?.digests?.archive.hex)
    let text = lock.text.replacingOccurrences(of: digest, with: String(repeating: "0", count: 64))
    expectError(.resolveReleaseChanged) {
      _ = try installation(fixture, line, lock: ModuleLock(Array(text.utf8)))
    }
  }

  /// Installs a module as somebody does by hand.
  private func installByHand(
    _ path: String, _ identifier: String, _ policy: TrustPolicy, _ store: ModuleStore
  ) throws {
    let module = try #require(ModuleIdentifier(identifier))
    let verdict = try Verifier(policy: policy, clock: .system).verify(
      .file(RegularFile(opening: path)), signatures: .beside(path), expecting: .module(module, named: identifier))
    guard case .verified(let proof) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    try store.install(proof)
  }

  @Test(
    "what somebody has installed by hand stays, though the lock had it: of a folder, or of a target not installed here"
  )
  func byHand() throws {
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module("com.example.player"))
    let cart = try fixture.module("com.example.cart")
    try fixture.push(cart)
    let viewer = try fixture.module("com.example.viewer")
    let folder = fixture.folder.file("viewer")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try fixture.folder.write(
      "viewer/module.json",
      Array(#"{"identifier":"com.example.viewer","version":"1.0.0","sequence":1,"resources":["a"]}"#.utf8))
    let policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    let store = try ModuleStore(creating: fixture.folder.file("store"), policy: policy, clock: .system)
    try installByHand(cart, "com.example.cart", policy, store)
    try installByHand(viewer, "com.example.viewer", policy, store)
    var lock: ModuleLock?
    func install(_ lines: String, for target: String? = nil) throws -> [String] {
      let installation = try installation(fixture, lines, lock: lock)
      lock = installation.lock
      let target = target.flatMap { ModfileName($0) }
      _ = try installation.apply(
        installation.fetch(for: target, under: policy), for: target, to: store,
        sources: SourcesFolder(fixture.folder.file("sources")), publishing: {})
      return try store.listed().map { "\($0)" }.sorted()
    }
    let player = "module 'com.example.player'\n"
    let shop = "target 'shop' do\nmodule 'com.example.cart'\nend\n"
    let all = ["com.example.cart", "com.example.player", "com.example.viewer"]
    #expect(try install(player + "module 'com.example.viewer', path: 'viewer'\n" + shop) == all)
    #expect(lock?.modules.count == 3)
    #expect(try install(player) == all)
    // What the target has installed leaves with it.
    #expect(try install(player + shop, for: "shop") == all)
    #expect(try install(player + shop) == all)
    #expect(try install(player) == ["com.example.player", "com.example.viewer"])
    #expect(try install("") == ["com.example.viewer"])
  }

  @Test("a release that is newer than the lock's, and was installed by hand, does not go without a word")
  func replaced() throws {
    let fixture = try RegistryFixture()
    let (player, newer) = try (
      fixture.module("com.example.player"), fixture.module("com.example.player", "1.1.0", 2)
    )
    try fixture.push(player)
    let policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    let store = try ModuleStore(creating: fixture.folder.file("store"), policy: policy, clock: .system)
    func install() throws -> [String] {
      let installation = try installation(fixture, "module 'com.example.player', '= 1.0.0'\n", lock: nil)
      let events = try installation.apply(
        installation.fetch(for: nil, under: policy), for: nil, to: store,
        sources: SourcesFolder(fixture.folder.file("sources")), publishing: {})
      return events.compactMap { event in
        if case .replaced(let module, let sequences) = event { "\(module.version) \(sequences)" } else { nil }
      }
    }
    #expect(try install() == [])
    try installByHand(newer, "com.example.player", policy, store)
    #expect(try install() == ["1.0.0 [2]"])
    #expect(try install() == [])
    let identifier = try #require(ModuleIdentifier("com.example.player"))
    #expect("\(try store.active(identifier).module.version)" == "1.0.0")
  }

  @Test("what another target got before is lowered with the lock", arguments: [false, true])
  func loweredTarget(isSource: Bool) throws {
    let fixture = try RegistryFixture()
    for (version, sequence) in [("1.0.0", 1), ("1.1.0", 2)] {
      if isSource {
        try fixture.push(fixture.release(version, sequence, of: "com.example.cart"))
      } else {
        try fixture.push(fixture.module("com.example.cart", version, sequence))
      }
    }
    let policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    let store = try ModuleStore(creating: fixture.folder.file("store"), policy: policy, clock: .system)
    var lock: ModuleLock?
    func install(_ range: String, for target: String?) throws -> [String] {
      let installation = try installation(
        fixture, "target 'shop' do\nmodule 'com.example.cart', '\(range)'\nend\n", lock: lock)
      lock = installation.lock
      let target = target.flatMap { ModfileName($0) }
      let choice = try installation.choice(for: target, environment: [:])
      let events = try installation.apply(
        installation.fetch(for: target, under: policy, as: choice), for: target, to: store,
        sources: SourcesFolder(fixture.folder.file("sources")), publishing: {})
      var lowered: [String] = []
      for case .lowered(let module) in events { lowered.append("\(module.identifier) \(module.version)") }
      return lowered
    }
    let cart = try #require(ModuleIdentifier("com.example.cart"))
    let sources = fixture.folder.file("sources/com.example.cart")
    /// The version that hosts load; of sources whether they are there.
    func active() throws -> String {
      isSource
        ? "\(FileManager.default.fileExists(atPath: sources))" : "\(try store.active(cart).module.version)"
    }
    #expect(try install("= 1.0.0", for: "shop") == [] && install(">= 1.0.0", for: "shop") == [])
    #expect(try install("= 1.1.0", for: "shop") == [])
    #expect(try install("= 1.1.0", for: nil) == [] && active() == (isSource ? "true" : "1.1.0"))
    #expect(try install("= 1.0.0", for: nil) == ["com.example.cart 1.0.0"])
    // In the store the older one was kept to fall back to.
    #expect(try active() == (isSource ? "false" : "1.0.0") && install("= 1.0.0", for: nil) == [])
  }
}
