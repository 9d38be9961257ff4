import Foundation
import PARuntimeFace
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

/// What stays from one process to the next, and what a process leaves that is killed.
@Suite(
  "PARuntime's database", .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct PARestartTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.wechat"

  /// A manager in a process that has only the store and the key.
  private static func manager(store: String, key: String) throws -> PABundleManager {
    let key = try PublicKey(file: SecretBytes(Array(key.utf8)))
    let policy = try TrustPolicy(
      entries: [TrustEntry("key", .key(key), scope: .everything)], terms: TrustPolicy.Terms())
    var configuration = PluginHost.Configuration()
    configuration.clock = .fixed(Workshop.time)
    return PABundleManager(try PluginHost(policy: policy, store: store, configuration: configuration))
  }

  @Test("PA9 PA15: another process knows what is installed, has loaded nothing by itself, and its routes work")
  func nextProcess() async throws {
    let workshop = try Workshop()
    try await workshop.manager().host.install(workshop.offer(Workshop.bundle(Self.name)))
    let (store, key) = (workshop.path, workshop.key.publicKey.pem)
    await #expect(processExitsWith: .exitCode(0)) { [store = store as String, key = key as String] in
      let manager = try Self.manager(store: store, key: key)
      guard manager.isInstalled(Self.name), manager.isInstalled(Self.name, minimumVersion: "1.0.1") else { exit(2) }
      await manager.host.takeStock()
      guard manager.bundle(Self.name)?.status == .installed else { exit(3) }
      guard manager.installed.map(\.identifier) == [Self.name], manager.loaded.isEmpty, manager.downloaded.isEmpty
      else { exit(4) }
      await manager.host.start()
      guard manager.loaded.map(\.identifier) == [Self.name] else { exit(5) }
      let uri = try #require(PAURI("ui://wechat/pay"))
      guard try await manager.bundle(for: uri)?.resource(uri) as? String == "release 1, request 1" else { exit(6) }
      exit(0)
    }
    #expect(workshop.marks == ["\(Self.name)-1"])
  }

  @Test(
    "PA9: a process that is killed between placing a release and noting it leaves the old state, which loads",
    .enabled(if: Strace.path != nil, Strace.absence))
  func killed() async throws {
    let workshop = try Workshop()
    try await workshop.manager().host.install(workshop.offer(Workshop.bundle(Self.name)))
    let update = try workshop.offer(Workshop.bundle(Self.name, 2))
    let policy = try workshop.folder.write("policy.json", workshop.policy().canonicalBytes())
    let template = workshop.folder.file("template")
    try FileManager.default.copyItem(atPath: workshop.path, toPath: template)
    func install(_ options: [String]) throws -> Program {
      try Strace.run(
        options,
        [FixtureHost.signet, "store", "install", update, "--store", workshop.path, "--policy", policy, "--quiet"])
    }
    func restore() throws {
      try FileManager.default.removeItem(atPath: workshop.path)
      try FileManager.default.copyItem(atPath: template, toPath: workshop.path)
    }
    let log = workshop.folder.file("log")
    try #require(
      install(["-o", log, "-e", "trace=\(Strace.calls.joined(separator: ","))", "-s", "300"]).status == 0)
    let calls = Strace.calls(in: String(decoding: try workshop.folder.read("log"), as: UTF8.self))
    let placed = try #require(calls.firstIndex { $0.name.hasPrefix("rename") && $0.text.contains("2-") })
    let noted = try #require(calls.lastIndex { $0.name.hasPrefix("rename") && $0.text.contains("state.json") })
    try #require(placed < noted)
    // Each call after the release has its place, up to the one that replaces the state.
    for point in calls[(placed + 1)...noted] {
      let place: Comment = "killed before \(point.name) \(point.number): \(point.text)"
      try restore()
      let run = try install([
        "-o", "/dev/null", "-e", "trace=\(point.name)", "-e", "inject=\(point.name):signal=KILL:when=\(point.number)",
      ])
      #expect(run.status == 128 + SIGKILL, place)
      let manager = try workshop.manager()
      #expect(manager.isInstalled(Self.name), place)
      #expect(!manager.isInstalled(Self.name, minimumVersion: "1.0.2"), place)
      await manager.host.start()
      #expect(manager.bundle(Self.name)?.version == "1.0.1", place)
      #expect(manager.loaded.map(\.identifier) == [Self.name], place)
      #expect(try await manager.host.open("ui://wechat") as? String == "release 1, request 1", place)
      #expect(manager.host.refusals.isEmpty, place)
      // What it left is no obstacle.
      try await manager.host.install(update)
      #expect(manager.isInstalled(Self.name, minimumVersion: "1.0.2"), place)
    }
    // Without a kill, the new state is there.
    try restore()
    try #require(install(["-o", "/dev/null", "-e", "trace=none"]).status == 0)
    #expect(try workshop.manager().isInstalled(Self.name, minimumVersion: "1.0.2"))
  }

  @Test(
    "PA9 D38: a database that was edited to lead elsewhere loads nothing",
    arguments: [
      ("sequence", .storeDamaged), ("digest", .moduleIdentifierMismatch), ("other module", .moduleIdentifierMismatch),
      ("link", .storeDamaged),
    ] as [(String, SignetError.Code)])
  func edited(_ change: String, _ code: SignetError.Code) async throws {
    let workshop = try Workshop()
    let first = try workshop.manager()
    try await first.host.install(workshop.offer(Workshop.bundle(Self.name)))
    let other = try await first.host.install(workshop.offer(Workshop.bundle("com.example.evil", names: ["evil"])))
      .module
    let release = URL(filePath: try workshop.release(of: Self.name))
    let evil = try workshop.release(of: "\(other)")
    let state = URL(filePath: workshop.path + "/state.json")
    var text = try String(contentsOf: state, encoding: .utf8)
    let digest = release.lastPathComponent.dropFirst(2)
    let evilDigest = URL(filePath: evil).lastPathComponent.dropFirst(2)
    let module = release.deletingLastPathComponent()
    switch change {
    case "sequence":
      text = text.replacing("\"sequence\":1", with: "\"sequence\":2")
      try FileManager.default.moveItem(at: release, to: module.appending(path: "2-\(digest)"))
    case "digest":
      // The record of the module names what another release brought.
      try #require(text.contains(digest) && text.contains(evilDigest))
      text = text.replacing(digest, with: evilDigest)
      try FileManager.default.removeItem(at: release)
      try FileManager.default.copyItem(atPath: evil, toPath: module.appending(path: "1-\(evilDigest)").path)
    case "other module":
      try FileManager.default.removeItem(at: release)
      try FileManager.default.copyItem(atPath: evil, toPath: release.path)
    default:
      try FileManager.default.removeItem(at: release)
      try FileManager.default.createSymbolicLink(atPath: release.path, withDestinationPath: evil)
    }
    try Data(text.utf8).write(to: state)
    let manager = try workshop.manager()
    await manager.host.start()
    #expect(manager.bundle(Self.name)?.status == .refused, "\(change)")
    #expect(manager.bundle(Self.name)?.reason?.code == code, "\(change)")
    #expect(!workshop.marks.contains { $0.hasPrefix(Self.name) })
    #expect(await !manager.load(Self.name))
    #expect(manager.bundle(for: try #require(PAURI("ui://wechat"))) == nil)
  }

  @Test("PA12: what ships with the host works without a network, and the newer of it and what was fetched runs")
  func embedded() async throws {
    let workshop = try Workshop()
    let place = try TemporaryFolder()
    func manager() throws -> PABundleManager { try workshop.manager { $0.embedded = place.path } }
    try workshop.offer(Workshop.bundle(Self.name, 2), as: "wechat.zip", in: place)
    let first = try manager()
    #expect(first.host.context.configuration.fetcher == nil)
    await first.host.start()
    #expect(first.bundle(Self.name)?.isEmbedded == true)
    #expect(try await first.host.open("ui://wechat") as? String == "release 2, request 1")
    // An older offer loses, a newer one wins.
    await #expect(throws: SignetError.self) {
      try await first.host.install(workshop.offer(Workshop.bundle(Self.name, 1)))
    }
    #expect(first.host.refusals.last?.reason.code == .policyRollback)
    try await first.host.install(workshop.offer(Workshop.bundle(Self.name, 3)))
    let second = try manager()
    await second.host.start()
    #expect(second.bundle(Self.name)?.isEmbedded == false)
    #expect(try await second.host.open("ui://wechat") as? String == "release 3, request 1")
  }

  @Test("PA15: a download that was complete and not installed is verified at the next start")
  func downloaded() async throws {
    let fetch = try FetchWorkshop()
    let bytes = fetch.archive
    let server = try fetch.server { _ in [.file(bytes.count), .send(bytes)] }
    // As a host leaves it whose process ends before it installs.
    do {
      let host = try fetch.host()
      let downloads = try #require(try host.context.store.downloads(makes: true))
      let folder = try DownloadFolder(of: fetch.identifier, in: downloads)
      let note = try folder.begin(fetch.item(server), at: ModuleWorkshop.time)
      try await Task.detached {
        let fetcher = try #require(host.context.configuration.fetcher)
        _ = try fetcher.fetch(note, in: folder, FetchSignal(), progress: FetchProgress { _, _ in })
      }.value
    }
    let manager = PABundleManager(try fetch.host())
    let events = manager.host.events
    await manager.host.takeStock()
    let told = await story(events) { $0.status == .installed }
    #expect(told.compactMap(\.status) == [.downloaded, .verifying, .installing, .installed])
    #expect(manager.installed.map(\.identifier) == [fetch.name])
    #expect(manager.loaded.isEmpty && manager.downloaded.isEmpty)
    #expect(await manager.load(fetch.name))
    #expect(manager.loaded.map(\.identifier) == [fetch.name])
  }
}
