import Foundation
import ModuleInstaller
import ModuleResolver
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import RegistryTestSupport

/// A project whose Modfile changes, and a host that loads what it installs. player 1.1.0 requires codec, and 1.0.0 does not.
private final class ChangingProject {
  enum Event: String, CaseIterable {
    /// The Modfile demands the old player, any player, or codec alone.
    case old, any, codec
    case install, update
    /// `signet install` is ended when the store has changed, and the lock is not written yet.
    case endedInstall
    /// A host loads what it finds, and raises the floors.
    case load

    /// What the Modfile demands now; nil if it stays as it is.
    var modfile: String? {
      switch self {
      case .old: "module 'com.example.player', '= 1.0.0'\n"
      case .any: "module 'com.example.player', '~> 1.0'\n"
      case .codec: "module 'com.example.codec'\n"
      default: nil
      }
    }
  }

  /// What an event leaves.
  struct State: Hashable {
    var modfile = "module 'com.example.player', '~> 1.0'\n"
    var lock: String?
    /// What the store lists, and its floors: a name for the copy that is kept of it.
    var store = "empty"
  }

  let fixture: RegistryFixture
  private let policy: TrustPolicy
  private var store: String { fixture.folder.file("store") }

  init() throws {
    fixture = try RegistryFixture()
    policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    try fixture.push(fixture.module("com.example.codec"))
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1))
    try fixture.push(
      fixture.module(
        "com.example.player", "1.1.0", 2,
        fields: #", "requires": {"modules": [{"identifier": "com.example.codec", "versions": ">=1.0.0"}]}"#))
  }

  private func opened() throws -> ModuleStore { try ModuleStore(creating: store, policy: policy, clock: .system) }

  private func copy(_ from: String, _ to: String) throws {
    let result = try Program.run("/bin/cp", ["-a", from, to])
    try #require(result.status == 0, "\(result.errors)")
  }

  /// The releases that a host loads, each with what it requires.
  func loaded() throws -> [InstalledModule] {
    let store = try opened()
    return try store.listed().map { try store.active($0) }
  }

  /// What an event leads to, and why it was refused.
  func after(_ event: Event, _ state: State) throws -> (State, SignetError?) {
    var after = state
    if let modfile = event.modfile {
      after.modfile = modfile
      return (after, nil)
    }
    try? FileManager.default.removeItem(atPath: store)
    if state.store != "empty" { try copy(fixture.folder.file(state.store), store) }
    var refusal: SignetError?
    switch event {
    case .old, .any, .codec: break
    case .load:
      for module in try loaded() { try opened().raiseFloor(after: module) }
    case .install, .update, .endedInstall:
      do {
        try install(event, state) { (lock) throws(SignetError) in
          if event == .endedInstall { throw Self.end }
          after.lock = lock.text
        }
      } catch let error as SignetError where error.object == Self.end.object {
        // It was ended.
      } catch let error as SignetError {
        refusal = error
      }
    }
    let name = try Self.name(of: opened())
    after.store = name
    if !FileManager.default.fileExists(atPath: fixture.folder.file(name)) {
      try copy(store, fixture.folder.file(name))
    }
    return (after, refusal)
  }

  private static func name(of store: ModuleStore) throws -> String {
    let releases = try store.verify().map { "\($0.identifier)-\($0.sequence)" }
    let floors = try store.floors().map { "\($0)-\($1.sequence)" }.sorted()
    let record =
      FileManager.default.fileExists(atPath: store.path + "/installed.lock")
      ? try ModuleLock(Array(Data(contentsOf: URL(fileURLWithPath: store.path + "/installed.lock")))).modules.map {
        "\($0.identifier)"
      } : []
    return [
      "kept", releases.joined(separator: " "), "floors", floors.joined(separator: " "), "record",
      record.joined(separator: " "),
    ].joined(separator: " ")
  }

  /// What stands for the end of a process.
  private static let end = SignetError(.outputFailed, "the lock", "is not written")

  private func install(
    _ event: Event, _ state: State, _ publish: (ModuleLock) throws(SignetError) -> Void
  ) throws {
    let earlier = try state.lock.map { try ModuleLock(Array($0.utf8)) }
    let text = "source 'main', 'https://modules.example.com', modules: 'com.example.**'\n\(state.modfile)"
    let installation = try ModfileInstallation(
      Modfile(Array(text.utf8)), lock: earlier, mode: event == .update ? .update : .install,
      ModfileInstallationTests.registries(fixture))
    let ready = try installation.fetch(for: nil, under: policy)
    _ = try installation.apply(
      ready, for: nil, to: opened(), sources: SourcesFolder(fixture.folder.file("sources")),
      publishing: { () throws(SignetError) in try publish(installation.lock) })
  }
}

@Suite("Modfiles that change, explored", .slow) struct InstallationExplorationTests {
  @Test("a lock says what the store has and hosts load, or nothing is changed")
  func explore() throws {
    let project = try ChangingProject()
    var seen: Set<ChangingProject.State> = [.init()]
    var border: [(state: ChangingProject.State, path: [ChangingProject.Event])] = [(.init(), [])]
    var (refusals, looked) = (0, 0)
    // The shortest way to each state first. A fault that was found is at the end of five events.
    while !border.isEmpty {
      let (state, path) = border.removeFirst()
      guard Extent.isWhole || path.count < 6 else { continue }
      for event in ChangingProject.Event.allCases {
        let (after, refusal) = try project.after(event, state)
        defer { if seen.insert(after).inserted { border.append((after, path + [event])) } }
        // What a host finds has not changed.
        guard event.modfile == nil else { continue }
        looked += 1
        // What an installation leads to next is an installation, too, and explored as such; here a sample is compared.
        let isSample = Extent.isWhole || looked % 5 == 0
        let place: Comment = "\(event) after \(path.map(\.rawValue)): \(after)"
        // Whatever happened, what a host loads has what it requires.
        let loaded = try project.loaded()
        let releases = Set(loaded.map { "\($0.module.identifier) \($0.module.version)" })
        for module in loaded {
          for required in module.module.requirements.modules {
            #expect(loaded.contains { $0.module.identifier == required.identifier }, place)
          }
        }
        if let refusal {
          refusals += 1
          // A host has loaded the newer release, and the Modfile or its lock demands the older one.
          #expect(refusal.code == .policyRollback, place)
          #expect(after == state, place)
          // The way out that the message names.
          #expect(refusal.hint?.hasSuffix("signet update com.example.player") == true, place)
          guard isSample else { continue }
          let (fitting, _) = try project.after(.any, state)
          #expect(try project.after(.update, fitting).1 == nil, place)
        } else if event == .install || event == .update {
          let lock = try ModuleLock(Array(try #require(after.lock).utf8))
          #expect(releases == Set(lock.modules.map { "\($0.identifier) \($0.version)" }), place)
          // The next installation changes nothing.
          if isSample { #expect(try project.after(.install, after).0 == after, place) }
        }
      }
    }
    print("explored \(looked) events, which lead to \(seen.count) states, with \(refusals) refusals")
    #expect(seen.count > 20 && refusals > 5)
  }
}
