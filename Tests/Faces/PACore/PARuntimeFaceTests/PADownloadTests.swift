import Foundation
import PARuntimeFace
import PluginKit
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import Synchronization
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

/// PARuntime's downloads, from a server of this machine.
@Suite(
  "PARuntime's downloads", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct PADownloadTests {
  private let workshop: ModuleWorkshop

  init() throws { workshop = try ModuleWorkshop() }

  /// A server that has releases of a module, each at `/SEQUENCE.zip` with its bundle at `/SEQUENCE.bundle`.
  private func server(
    _ modules: [ModuleWorkshop.Module], _ body: @escaping @Sendable ([UInt8]) -> [RawServer.Step] = Self.whole
  ) throws -> RawServer {
    var files: [String: [UInt8]] = [:]
    for module in modules {
      let made = try workshop.archive(module)
      files["/\(module.sequence).zip"] = Array(try Data(contentsOf: URL(filePath: made.path)))
      files["/\(module.sequence).bundle"] = try made.bundles[0].canonicalBytes()
    }
    let there = files
    return try RawServer { request in
      let path = String(request.line.split(separator: " ")[1])
      guard let bytes = there[path] else { return [.head("404 Not Found")] }
      return path.hasSuffix(".zip") ? body(bytes) : Self.whole(bytes)
    }
  }

  private static func whole(_ bytes: [UInt8]) -> [RawServer.Step] { [.file(bytes.count), .send(bytes)] }

  private func manager() throws -> PABundleManager {
    try workshop.manager { configuration in
      configuration.fetcher = .http()
      configuration.fetcher?.limits.retries = 0
      // A busy machine may let a transfer wait for minutes.
      configuration.fetcher?.limits.stalledSeconds = 0
      configuration.fetcher?.limits.connectSeconds = 0
    }
  }

  private func offered(_ server: RawServer, _ sequence: Int = 1) throws -> PADownloadItem {
    try item(
      "com.example.wechat", "1.0.\(sequence)", url: server.url("/\(sequence).zip"),
      signature: server.url("/\(sequence).bundle"))
  }

  @Test("PA4 PA7: a fresh item is started once; it is downloading, downloaded, verified and installed, in this order")
  func start() async throws {
    let gate = RawServer.Gate()
    let server = try server([ModuleWorkshop.bundle("com.example.wechat")]) { bytes in
      [.file(bytes.count), .send(Array(bytes.prefix(100))), .wait(gate), .send(Array(bytes.dropFirst(100)))]
    }
    let manager = try manager()
    let events = manager.host.events
    let item = try offered(server)
    let bundle = PABundle(try identifier("com.example.wechat"), of: manager.host)
    #expect(bundle.status == .none)
    #expect(try manager.start(item))
    #expect(try !manager.start(item))
    try await eventually { bundle.status == .downloading }
    #expect(try !manager.start(item))
    // What is not there yet is not loaded.
    #expect(await !bundle.load())
    gate.open()
    let told = await story(events) { $0.status == .installed }
    let way: [PABundleStatus] = [.none, .downloading, .downloaded, .verifying, .installing, .installed]
    let steps = told.compactMap { event -> [PABundleStatus]? in
      if case .status(_, let status, let before) = event { [before, status] } else { nil }
    }
    #expect(steps == zip(way, way.dropFirst()).map { [$0, $1] })
    #expect(try !manager.start(item))
    #expect(server.requests.count == 2)
    #expect(await bundle.load())
    #expect(try !manager.start(item))
  }

  @Test("PA7: a transfer that is cut, or that the server does not have, leaves nothing, and can be started again")
  func cut() async throws {
    let server = try server([ModuleWorkshop.bundle("com.example.wechat")]) { bytes in
      [.file(bytes.count), .send(Array(bytes.prefix(100)))]
    }
    let manager = try manager()
    for (sequence, code) in [(1, SignetError.Code.fetchLength), (9, .fetchStatus)] {
      let events = manager.host.events
      let item = try offered(server, sequence)
      // The transfer before may still be ending when its notice is heard.
      try await eventually { (try? manager.start(item)) == true }
      let told = await story(events) { if case .notice = $0 { true } else { false } }
      #expect(told.compactMap(\.status) == [.downloading, .none])
      let codes = told.compactMap { if case .notice(let error) = $0 { error.code } else { nil } }
      #expect(codes == [code])
      #expect(manager.downloaded.isEmpty && manager.installed.isEmpty)
    }
  }

  @Test("PA7: an item that names no module, no version or no address is not started")
  func malformed() throws {
    let manager = try manager()
    for (item, code) in [
      (try item("WeChat", url: "http://example.com/"), SignetError.Code.fetchItem),
      (try item("com.example.wechat", "new", url: "http://example.com/"), .fetchItem),
      (try item("com.example.wechat"), .fetchItem), (try item("com.example.wechat", url: "file:///x.zip"), .fetchURL),
    ] {
      expectError(code, "\(item)") { try manager.start(item) }
      #expect(manager.host.modules.isEmpty)
    }
    let unable = try workshop.manager()
    expectError(.fetchUnavailable) { try unable.start(item("com.example.wechat", url: "http://127.0.0.1:1/")) }
  }

  @Test(
    "PA10 D17: an update is offered, fetched, and active at the next start, where the routes that it drops are gone")
  func update() async throws {
    let server = try server([
      ModuleWorkshop.bundle("com.example.wechat", 1, names: ["wechat", "old"]),
      ModuleWorkshop.bundle("com.example.wechat", 2, names: ["wechat"]),
    ])
    let manager = try manager()
    let (one, two) = (try offered(server, 1), try offered(server, 2))
    #expect(!manager.isInstalled("com.example.wechat"))
    try await manager.downloadItem(one)
    #expect(manager.isInstalled("com.example.wechat"))
    #expect(manager.isInstalled("com.example.wechat", minimumVersion: "1"))
    #expect(manager.isInstalled("com.example.wechat", minimumVersion: "1.0.1"))
    #expect(!manager.isInstalled("com.example.wechat", minimumVersion: "1.0.2"))
    #expect(!manager.isInstalled("com.example.wechat", minimumVersion: "1.1"))
    #expect(!manager.isInstalled("com.example.wechat", minimumVersion: "new"))
    #expect(!manager.isInstalled("WeChat"))
    #expect(await manager.load("com.example.wechat"))
    let old = try #require(PAURI("ui://old"))
    #expect(manager.bundle(for: old) != nil)
    let version = try #require(SemanticVersion("1.0.2"))
    let module = try identifier("com.example.wechat")
    let installed = try #require(SemanticVersion("1.0.1"))
    #expect(manager.host.availability(of: module, version: version) == .updateAvailable(installed: installed))
    #expect(try manager.start(two))
    try await eventually { manager.isInstalled("com.example.wechat", minimumVersion: "1.0.2") }
    #expect(try !manager.start(one))
    // Code stays what it is until the next start.
    #expect(try await manager.host.open("ui://wechat") as? String == "release 1, request 1")
    #expect(manager.bundle(for: old) != nil)
    let later = try self.manager()
    await later.host.start()
    #expect(try await later.host.open("ui://wechat") as? String == "release 2, request 1")
    #expect(later.bundle(for: old) == nil)
    #expect(later.bundle("com.example.wechat")?.version == "1.0.2")
  }

  @Test("PA13: items are rows of three; a tap downloads what is new, and the next tap pushes its page")
  func screen() async throws {
    let server = try server([
      ModuleWorkshop.bundle("com.example.wechat"), ModuleWorkshop.bundle("com.example.wechat", 2),
    ])
    let manager = try manager()
    let others = try (2...7).map { try item("com.example.m\($0)", url: server.url("/none")) }
    let screen = try PAStoreScreen([offered(server)] + others, of: manager)
    #expect(
      screen.rows.map { row in row.map { $0?.identifier } } == [
        ["com.example.wechat", "com.example.m2", "com.example.m3"],
        ["com.example.m4", "com.example.m5", "com.example.m6"],
        ["com.example.m7", nil, nil],
      ])
    for index in [-1, 7, 8, Int.max] {
      guard case .nothing = try await screen.tap(index) else {
        Issue.record("\(index)")
        continue
      }
    }
    #expect(server.requests.isEmpty)
    let bundle = PABundle(try identifier("com.example.wechat"), of: manager.host)
    guard case .downloading = try await screen.tap(0) else { throw Unexpected() }
    try await eventually { bundle.status == .installed }
    #expect(manager.host.switchboard.presenter.state.top == nil)
    for number in 1...2 {
      guard case .pushed(let page) = try await screen.tap(0) else { throw Unexpected() }
      #expect(page as? String == "release 1, request \(number)")
      #expect(manager.host.switchboard.presenter.state.tabs == [(1...number).map { "release 1, request \($0)" }])
      // Who draws the page gets the object, and not a text about it.
      #expect(manager.host.switchboard.presenter.state.topPage?.object as? String == page as? String)
    }
    // An update is downloaded, and the release in use stays.
    let later = try PAStoreScreen([offered(server, 2)], of: manager)
    guard case .downloading = try await later.tap(0) else { throw Unexpected() }
    try await eventually { manager.isInstalled("com.example.wechat", minimumVersion: "1.0.2") }
    guard case .pushed(let page) = try await later.tap(0) else { throw Unexpected() }
    #expect(page as? String == "release 1, request 3")
  }

  @Test("PA13: while an item is downloaded, the screen knows how much of it is there, and no longer afterwards")
  func progress() async throws {
    let gate = RawServer.Gate()
    let sizes = Mutex(0)
    let server = try server([ModuleWorkshop.bundle("com.example.wechat")]) { bytes in
      sizes.withLock { $0 = bytes.count }
      return [.file(bytes.count), .send(Array(bytes.prefix(100))), .wait(gate), .send(Array(bytes.dropFirst(100)))]
    }
    let manager = try manager()
    let screen = try PAStoreScreen([offered(server)], of: manager)
    #expect(screen.progress(0) == nil && screen.progress(1) == nil && screen.progress(-1) == nil)
    guard case .downloading = try await screen.tap(0) else { throw Unexpected() }
    // So few bytes are told with the first and the last of them.
    try await eventually { screen.progress(0)?.whole != nil }
    #expect(screen.progress(0)?.whole == sizes.withLock { $0 })
    #expect(screen.progress(0)?.received == 0)
    gate.open()
    let bundle = PABundle(try identifier("com.example.wechat"), of: manager.host)
    try await eventually { bundle.status == .installed }
    #expect(screen.progress(0) == nil)
  }

  private struct Unexpected: Error {}

  @Test("PA11: two who want one module share one transfer, which is gone when it has ended")
  func shared() async throws {
    let gate = RawServer.Gate()
    let server = try server([ModuleWorkshop.bundle("com.example.wechat")]) { bytes in
      [.file(bytes.count), .wait(gate), .send(bytes)]
    }
    let manager = try manager()
    let item = try offered(server)
    #expect(try manager.start(item))
    let first = Task { try await manager.downloadItem(item).identifier }
    let second = Task { try await manager.downloadItem(item).identifier }
    try await eventually { manager.host.downloads.waiting(for: try! identifier("com.example.wechat")) == 3 }
    gate.open()
    #expect(try await first.value == "com.example.wechat")
    #expect(try await second.value == "com.example.wechat")
    #expect(server.requests.count == 2)
    #expect(manager.host.downloads.waiting(for: try identifier("com.example.wechat")) == 0)
  }
}
