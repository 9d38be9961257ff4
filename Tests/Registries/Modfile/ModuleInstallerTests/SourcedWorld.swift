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

/// A registry: player and viewer have binaries and sources, text has sources alone, and codec a binary alone.
final class SourcedWorld {
  let fixture: RegistryFixture
  let workshop: ModuleWorkshop
  let policy: TrustPolicy
  var sources: SourcesFolder { SourcesFolder(fixture.folder.file("sources")) }

  init() throws {
    fixture = try RegistryFixture()
    workshop = try ModuleWorkshop()
    policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
  }

  /// Builds and signs a module with code.
  func binary(_ name: String, answer: String = "hello", sequence: Int = 1) throws -> String {
    let module = ModuleWorkshop.Module(
      identifier: "com.example.\(name)", sequence: sequence,
      main: ModuleWorkshop.Library(source: ModuleWorkshop.page("ui://\(name)", answer)))
    let made = try workshop.archive(module, keys: [fixture.publisher])
    // The workshop's next archive of this module would have the same path.
    let path = fixture.folder.file("\(UInt64.random(in: 0 ... .max)).zip")
    try FileManager.default.moveItem(atPath: made.path, toPath: path)
    try Data(made.bundles[0].canonicalBytes()).write(to: URL(fileURLWithPath: path + ".sigstore.json"))
    return path
  }

  func release(_ name: String, archive: String, sequence: Int = 1) throws -> FilesToPush {
    try fixture.release("1.0.\(sequence)", sequence, of: "com.example.\(name)", archive: archive)
  }

  func pushAll() throws {
    try fixture.push(release("player", archive: binary("player")))
    try fixture.push(release("viewer", archive: binary("viewer")))
    try fixture.push(fixture.release("1.0.1", 1, of: "com.example.text"))
    try fixture.push(binary("codec"))
  }

  func installation(_ names: [String], lock: ModuleLock? = nil) throws -> ModfileInstallation {
    let lines = names.map { "module 'com.example.\($0)'\n" }.joined()
    let modfile = try Modfile(
      Array("source 'main', 'https://modules.example.com', modules: 'com.example.**'\n\(lines)".utf8))
    return try ModfileInstallation(
      modfile, lock: lock, mode: .install, ModfileInstallationTests.registries(fixture))
  }

  func fetch(
    _ names: [String], _ environment: [String: String], under policy: TrustPolicy? = nil
  ) throws -> [ReadyModule] {
    let installation = try installation(names)
    return try installation.fetch(
      for: nil, under: policy ?? self.policy, as: installation.choice(for: nil, environment: environment))
  }

  func store() throws -> ModuleStore {
    try ModuleStore(creating: fixture.folder.file("store"), policy: policy, clock: .system)
  }

  /// Installs what was fetched, into the store and the folder of sources.
  func apply(_ installation: ModfileInstallation, _ ready: [ReadyModule]) throws {
    _ = try installation.apply(ready, for: nil, to: store(), sources: sources) {}
  }

  /// Publishes another text of the player's index, as a thief of the publisher's key would.
  func change(_ pairs: (String, String)...) throws {
    var text = try fixture.index(continuing: .shown)
    for (from, to) in pairs {
      #expect(text.contains(from))
      text = text.replacingOccurrences(of: from, with: to)
    }
    try fixture.draftIndex(text, signedBy: fixture.publisher, continuing: .shown)
    #expect(try fixture.refresh().published == ["example"])
  }

  /// Publishes another file in the place of one of the player's.
  func exchange(_ file: ModuleRelease.File, for path: String) throws {
    let new = ModuleRelease.File(
      name: file.name, length: try RegularFile(opening: path).size, sha256: try RegularFile(opening: path).sha256())
    var text = try fixture.index(continuing: .shown)
    text = text.replacingOccurrences(
      of: #"{"length":\#(file.length),"name":"\#(file.name)","sha256":"\#(file.sha256.hex)"}"#,
      with: #"{"length":\#(new.length),"name":"\#(new.name)","sha256":"\#(new.sha256.hex)"}"#)
    let target = TargetFile(
      path: "com/example/player/1.0.1/\(file.name)", length: new.length, hashes: FileHashes([new.sha256]))
    try fixture.registry.folder.store(target, from: RegularFile(opening: path))
    try fixture.draftIndex(text, signedBy: fixture.publisher, continuing: .shown)
    try fixture.draft(signedBy: fixture.publisher, continuing: .shown) { try $0.insert(target) }
    #expect(try fixture.refresh().published == ["example"])
  }
}
