import Foundation
import ModuleInstaller
import ModuleResolver
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

/// A project with a store and sources, of which an installation can leave what it would leave if it were killed.
final class RecordedProject {
  let fixture: RegistryFixture
  private let policy: TrustPolicy
  private(set) var lock: ModuleLock?
  private var archives: [Int: String] = [:]

  /// The files of the record, in the orders in which an installation writes them: before the store changes, and afterwards.
  /// One with a minus is removed, whatever it has later.
  private static let orders = [
    ["unpacked.lock", "installed.lock", "-placing.lock", "by-hand", "placing.lock"],
    ["unpacked.lock", "installed.lock", "placing.lock", "by-hand"],
  ]

  init() throws {
    fixture = try RegistryFixture()
    policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    for sequence in 1...3 {
      let release = try fixture.release("1.\(sequence).0", sequence)
      archives[sequence] = release.archive
      try fixture.push(release)
    }
    try fixture.push(fixture.release(of: "com.example.text"))
    try FileManager.default.createDirectory(
      atPath: fixture.folder.file("machine"), withIntermediateDirectories: false)
  }

  private func path(_ name: String) -> String { fixture.folder.file(name) }
  private func store() throws -> ModuleStore {
    try ModuleStore(creating: path("machine/store"), policy: policy, clock: .system)
  }

  private func copy(_ from: String, _ to: String) throws {
    let result = try Shell.run("rm -rf \(to) && cp -a \(from) \(to)", in: fixture.folder.path)
    try #require(result.status == 0, "\(result.errors)")
  }

  // MARK: What is there

  /// What is there of the player.
  struct Found: Equatable {
    /// The sequences of its releases in the store.
    var releases: [Int] = []
    /// The modules that are unpacked.
    var sources: [String] = []
    /// The files of the record.
    var record: [String] = []
  }

  func found() throws -> Found {
    let releases = try store().verify().filter { "\($0.identifier)" == "com.example.player" }.map(\.sequence)
    let sources = (try? FileManager.default.contentsOfDirectory(atPath: path("machine/sources"))) ?? []
    let names = try FileManager.default.contentsOfDirectory(atPath: path("machine/store"))
    return Found(
      releases: releases.sorted(), sources: sources.filter { !$0.hasPrefix(".") }.sorted(),
      record: names.filter { Self.orders[0].contains($0) }.sorted())
  }

  // MARK: What happens

  /// Installs a release of the player as `signet store install` does: one of the registry, or one that was built here.
  func installByHand(_ sequence: Int) throws {
    let archive = try archives[sequence] ?? fixture.module("com.example.player", "\(sequence).0.0", sequence)
    let verdict = try Verifier(policy: policy, clock: .system).verify(
      .file(RegularFile(opening: archive)), signatures: .beside(archive),
      expecting: .module(RegistryFixture.player, named: "player"))
    guard case .verified(let proof) = verdict else { throw SignetError(.installChanged, archive, "\(verdict)") }
    try store().install(proof)
  }

  func removeByHand(_ sequence: Int) throws { try store().remove(RegistryFixture.player, sequence: sequence) }

  /// - Parameters:
  ///   - target: the target of the Modfile.
  ///   - spoil: changes what was fetched before it is used.
  ///   - began: is called while sources are unpacked.
  func install(
    _ lines: String, for target: String? = nil, asSource: Bool = false,
    spoil: (ModuleLock) throws -> Void = { _ in },
    checking check: () -> Void = {}, began: (String) -> Void = { _ in },
    publishing publish: () throws(SignetError) -> Void = {}
  ) throws {
    let text = "source 'main', 'https://modules.example.com', modules: 'com.example.**'\n\(lines)"
    let installation = try ModfileInstallation(
      Modfile(Array(text.utf8)), lock: lock, mode: .install, ModfileInstallationTests.registries(fixture))
    let target = target.flatMap(ModfileName.init)
    let ready = try installation.fetch(
      for: target, under: policy, as: asSource ? installation.choice(for: target, environment: [:]) : nil)
    try spoil(installation.lock)
    _ = try installation.apply(
      ready, for: target, to: store(), sources: SourcesFolder(path("machine/sources")), began: began,
      checking: check, publishing: publish)
    lock = installation.lock
  }

  /// What an end leaves.
  struct End {
    /// The folder for ``use(_:)``.
    let folder: String
    /// Whether the store has changed.
    let isDone: Bool
    /// Whether the record says so: nothing but the note is left to be removed.
    let isRecorded: Bool
  }

  /// Installs, and says what ends in between leave.
  ///
  /// - Parameter name: begins the names of the folders.
  func ends(
    _ lines: String, asSource: Bool = false, named name: String = ""
  ) throws -> [End] {
    let before = lock
    try install(
      lines, asSource: asSource, checking: { try? self.copy("machine", "begun") },
      publishing: { try? self.copy("machine", "placed") })
    lock = before
    try copy("machine", "done")
    var ends: [End] = []
    for (from, to, order, isDone) in [
      ("begun", "placed", Self.orders[0], false), ("placed", "done", Self.orders[1], true),
    ] {
      for count in 0...order.count {
        let end = "\(name)\(from)-\(count)"
        try copy(from, end)
        for step in order.prefix(count) {
          let name = step.trimmingPrefix("-")
          let copy = "! test -e \(to)/store/\(name) || cp -a \(to)/store/\(name) \(end)/store/"
          let result = try Shell.run(
            "rm -f \(end)/store/\(name); \(step.hasPrefix("-") ? "" : copy)", in: fixture.folder.path)
          try #require(result.status == 0)
        }
        ends.append(
          End(folder: end, isDone: isDone, isRecorded: isDone && order.prefix(count).contains("installed.lock")))
      }
    }
    return ends
  }

  /// Puts a commit with the player into the cache, as if it had been fetched.
  ///
  /// - Returns: the rest of a line of a Modfile that names it.
  func commit(_ version: String, _ sequence: Int) throws -> String {
    let folder = path("player-\(sequence)")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data(fixture.description(version, sequence).utf8).write(to: URL(fileURLWithPath: "\(folder)/module.json"))
    let made = try Shell.run(
      "git init -q . && git add . && git -c user.name=Ada -c user.email=ada@example.com commit -qm one && git rev-parse HEAD",
      in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let id = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let address = "https://example.com/player.git"
    let name = try Digest.of(Array("\(address)\0\(id)".utf8), .sha256).hex
    let kept = try Shell.run(
      "mkdir -p cache/git && git init -q --bare --template= cache/git/\(name) && git --git-dir=cache/git/\(name) fetch -q --depth=1 file://\(folder) +\(id):refs/signet/\(id)",
      in: fixture.folder.path)
    try #require(kept.status == 0, "\(kept.errors)")
    return "git: '\(address)', commit: '\(id)'"
  }

  /// Goes on with what an end has left.
  func use(_ folder: String) throws { try copy(folder, "machine") }
}
