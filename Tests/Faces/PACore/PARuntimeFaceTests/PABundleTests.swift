import Foundation
import PARuntimeFace
import PluginHost
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetELF
import Synchronization
import TestSupport
import Testing

@testable import HostTestSupport

/// PARuntime's modules: how they are found, installed and loaded.
@Suite(
  "PARuntime's bundles", .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct PABundleTests {
  private typealias Workshop = ModuleWorkshop

  /// The statuses of a module, as they were told.
  private final class Statuses: Sendable {
    private let told = Mutex<[PABundleStatus]>([])

    init(_ host: PluginHost) {
      host.onEvent { [self] event in
        if case .status(_, let status, _) = event { told.withLock { $0.append(status) } }
      }
    }

    func take() -> [PABundleStatus] {
      told.withLock { told in
        defer { told = [] }
        return told
      }
    }
  }

  @Test("PA2: a loaded module gives its resource through the bus, and is asked at each request")
  func bus() async throws {
    let workshop = try Workshop()
    let manager = try workshop.manager()
    let bus = PABusAccessor()
    try await manager.host.install(workshop.offer(Workshop.bundle("com.example.wechat")))
    #expect(await bus.resource("ui://wechat") == nil)
    bus.use(manager)
    // It is installed, and not loaded.
    #expect(await bus.resource("ui://wechat") == nil)
    #expect(await manager.load("com.example.wechat"))
    #expect(await bus.resource("ui://wechat") as? String == "release 1, request 1")
    #expect(await bus.resource("ui://wechat") as? String == "release 1, request 2")
  }

  @Test(
    "PA3: a name leads to its module, also with more behind it; an unknown one to none; one of two modules is an error"
  )
  func names() async throws {
    let workshop = try Workshop()
    let manager = try workshop.manager()
    func delegate(_ uri: String) throws -> PABundle? {
      try manager.bundleDelegate(for: #require(PAURI(uri))).map { try #require($0 as? PABundle) }
    }
    for (name, names) in [("wechat", ["wechat"]), ("bank", ["bank", "bank/cards"])] {
      try await manager.host.install(workshop.offer(Workshop.bundle("com.example.\(name)", names: names)))
    }
    #expect(try delegate("ui://wechat") == nil)
    await manager.host.start()
    let wechat = try #require(try delegate("ui://wechat"))
    #expect(wechat.identifier == "com.example.wechat")
    #expect(wechat.resources == ["wechat"])
    #expect(try delegate("ui://wechat/pay?x=1") == wechat)
    #expect(try delegate("ui://other") == nil)
    #expect(try delegate("ui://wechats") == nil)
    #expect(try delegate("other://wechat") == nil)
    let bank = try #require(try delegate("ui://bank/cards"))
    #expect(bank.resources == ["bank", "bank/cards"])
    #expect(bank != wechat)
    // A module gives only what is its own.
    #expect(try await wechat.resource(#require(PAURI("ui://wechat/pay"))) as? String == "release 1, request 1")
    #expect(try await wechat.resource(#require(PAURI("ui://bank"))) == nil)
    // The host's own pages are no module's.
    try manager.host.switchboard.router.register(RoutePattern("ui://own"), owner: .host) { _ in "own" }
    #expect(try delegate("ui://own") == nil)
    // A second owner of the name is refused with it.
    try await manager.host.install(workshop.offer(Workshop.bundle("com.example.late", names: ["wechat"])))
    #expect(await !manager.load("com.example.late"))
    let late = try #require(manager.bundle("com.example.late"))
    #expect(late.status == .loadFailed)
    let cause = late.reason?.cause as? SignetError
    #expect(late.reason?.code == .loaderFinal)
    #expect((cause?.cause as? PluginError)?.code == .routeConflict, "\(String(describing: late.reason))")
    #expect(try delegate("ui://wechat") == wechat)
  }

  @Test("PA3: a module that declines an address gives nothing there, whoever else would answer")
  func declined() async throws {
    let manager = try Workshop().manager()
    func context(_ name: String, _ route: String) throws -> ModuleContext {
      manager.host.switchboard.context(for: try ModuleDeclaration(identifier: "com.example.\(name)", routes: [route]))
    }
    try context("wechat", "ui://wechat/pay").register(route: "ui://wechat/pay") { _ in throw RouteDeclined() }
    try context("other", "ui://wechat/*").register(route: "ui://wechat/*") { _ in "of another module" }
    let uri = try #require(PAURI("ui://wechat/pay"))
    let bundle = PABundle(try identifier("com.example.wechat"), of: manager.host)
    func later() async throws -> (any Sendable)? { try await bundle.resource(uri) }
    func now() throws -> (any Sendable)? { try bundle.resource(uri) }
    expectPluginError(.routeNotFound) { try now() }
    let answer: (any Error)?
    do { answer = try await later() as? any Error } catch { answer = error }
    #expect((answer as? PluginError)?.code == .routeNotFound)
    #expect(try await PABundle(identifier("com.example.other"), of: manager.host).resource(uri) == nil)
  }

  @Test("PA4: statuses have PARuntime's order, with a check before the installation and two ends")
  func order() {
    let way: [PABundleStatus] = [
      .none, .downloading, .downloaded, .verifying, .installing, .installed, .loading, .loaded,
    ]
    #expect(way == way.sorted())
    #expect(way.map(\.rawValue) == Array(0..<8))
    #expect(PABundleStatus.refused > .loaded && PABundleStatus.loadFailed > .refused)
    let table: [PABundleStatus: Set<PABundleStatus>] = [
      .none: [.downloading, .downloaded, .verifying, .installed, .refused],
      .downloading: [.none, .downloaded, .installed, .refused, .loadFailed],
      .downloaded: [.none, .verifying, .loading],
      .verifying: [.none, .installing, .installed, .loading, .refused, .loadFailed],
      .installing: [.none, .installed, .loading, .refused, .loadFailed],
      .installed: [.none, .downloading, .downloaded, .verifying, .loading, .refused],
      .loading: [.loaded, .refused, .loadFailed], .loaded: [.loadFailed, .installed],
      .refused: [.none, .downloading, .downloaded, .verifying, .installed, .loading],
      .loadFailed: [.none, .downloading, .downloaded, .verifying, .installed, .loading],
    ]
    #expect(table.count == PABundleStatus.allCases.count)
    for (status, followers) in table {
      for next in PABundleStatus.allCases {
        #expect(status.canBecome(next) == followers.contains(next), "\(status) \(next)")
      }
    }
  }

  @Test("PA4 PA5: a module is loaded once, and told once after that; what is not there, or is loaded, is not loaded")
  func load() async throws {
    let workshop = try Workshop()
    let manager = try workshop.manager()
    let statuses = Statuses(manager.host)
    let loadedAtHook = Mutex<[PABundleStatus]>([])
    let heard = try manager.host.switchboard.notifications.observe("hook", owner: .host) { _ in
      loadedAtHook.withLock { $0 += manager.host.modules.values }
    }
    defer { heard.cancel() }
    #expect(await !manager.load("com.example.wechat"))
    #expect(manager.host.images.isEmpty)
    _ = statuses.take()
    let offer = try workshop.offer(Workshop.bundle("com.example.wechat"))
    let host = manager.host
    try await host.install(offer)
    #expect(await manager.load("com.example.wechat"))
    #expect(await !manager.load("com.example.wechat"))
    let bundle = try #require(manager.bundle("com.example.wechat"))
    #expect(await !bundle.load())
    #expect(bundle.status == .loaded)
    #expect(host.images.count == 1)
    #expect(workshop.marks == ["com.example.wechat-1"])
    #expect(loadedAtHook.withLock { $0 } == [.loaded])
    #expect(
      Array(statuses.take().suffix(5)) == [.verifying, .installing, .installed, .loading, .loaded])
  }

  @Test("PA4 PA5 D15: what fails before its code is opened runs nothing, and can be loaded again")
  func retry() async throws {
    let workshop = try Workshop()
    let place = try TemporaryFolder()
    let library = place.file("libof-pacore.so")
    let visible = "__attribute__((visibility(\"default\"))) "
    try workshop.build(
      .init(name: "libof-pacore.so", source: visible + "int of_host(void) { return 0; }"), in: place.path,
      isBrought: true)
    let module = Workshop.Module(
      identifier: "com.example.guest",
      main: .init(
        source: Workshop.constructor("guest") + "int of_host(void);\n"
          + Workshop.principal(body: "return of_host();"), flags: [library]),
      declared: ["libc.so.6", "libof-pacore.so"])
    let offer = try workshop.offer(module)
    try FileManager.default.moveItem(atPath: library, toPath: library + ".away")
    let manager = try workshop.manager { $0.hostLibraries = ["libof-pacore.so": library] }
    try await manager.host.install(offer)
    let statuses = Statuses(manager.host)
    let bundle = try #require(manager.bundle("com.example.guest"))
    for _ in 0..<2 {
      #expect(await !bundle.load())
      #expect(bundle.status == .loadFailed)
      #expect(bundle.reason?.code == .loaderHostLibrary)
      #expect(statuses.take() == [.loading, .loadFailed])
    }
    #expect(workshop.marks.isEmpty)
    #expect(manager.host.images.isEmpty)
    try FileManager.default.moveItem(atPath: library + ".away", toPath: library)
    #expect(await bundle.load())
    #expect(statuses.take() == [.loading, .loaded])
    #expect(workshop.marks == ["guest"])
  }

  @Test("PA6: a module without a principal, or with one that does not conform, fails, and gives nothing")
  func principal() async throws {
    let workshop = try Workshop()
    let manager = try workshop.manager()
    let source = Workshop.constructor("principal") + Workshop.principal("other")
    try await manager.host.install(
      workshop.offer(Workshop.Module(identifier: "com.example.missing", main: .init(source: source)).unchecked))
    let missing = try #require(manager.bundle("com.example.missing"))
    #expect(await !missing.load())
    #expect(missing.status == .loadFailed)
    #expect(missing.reason?.code == .elfPrincipal)
    #expect(workshop.marks.isEmpty)
    let bad = Workshop.Module(
      identifier: "com.example.nonconforming",
      main: .init(
        source: """
          #include "signet_plugin.h"
          __attribute__((visibility("default"))) int32_t m_main(const signet_host *host, signet_plugin *plugin) {
            plugin->version = SIGNET_PLUGIN_VERSION + 1;
            return SIGNET_OK;
          }

          """), members: ", \"routes\": [\"ui://bad\"]")
    try await manager.host.install(workshop.offer(bad))
    let nonconforming = try #require(manager.bundle("com.example.nonconforming"))
    #expect(await !nonconforming.load())
    #expect(nonconforming.status == .loadFailed)
    #expect(nonconforming.reason?.code == .loaderFinal)
    #expect((nonconforming.reason?.cause as? SignetError)?.code == .loaderEntryFailed)
    #expect(manager.bundle(for: try #require(PAURI("ui://bad"))) == nil)
  }

  @Test(
    "PA8 D4 D16: a good archive is installed; without an item or name nothing is; a bad one leaves what is installed")
  func unzip() async throws {
    let workshop = try Workshop()
    let manager = try workshop.manager()
    let place = try TemporaryFolder()
    #expect(await !manager.unzip(nil, from: place.path))
    #expect(try await !manager.unzip(item(zip: nil), from: place.path))
    #expect(try await !manager.unzip(item(), from: place.path))
    for name in ["../wechat.zip", "/wechat.zip", "..", ""] {
      #expect(try await !manager.unzip(item(zip: name), from: place.path + "/below"), "\(name)")
    }
    #expect(manager.installed.isEmpty)
    try workshop.offer(Workshop.bundle("com.example.wechat"), as: "wechat.zip", in: place)
    // An item gets only its own module.
    #expect(try await !manager.unzip(item("com.example.other"), from: place.path))
    #expect(manager.host.refusals.last?.reason.code == .moduleIdentifierMismatch)
    #expect(try await manager.unzip(item(), from: place.path))
    let bundle = try #require(manager.bundle("com.example.wechat"))
    #expect(bundle.status == .installed)
    let release = try workshop.release(of: "com.example.wechat")
    for (fault, code) in [
      ("byte", SignetError.Code.digestMismatch), ("signer", .signerUntrusted), ("unsigned", .signatureMissing),
      ("cut", .archiveEndRecord),
    ] {
      let keys = fault == "signer" ? [try PrivateKey.generate(.ed25519)] : nil
      try workshop.offer(Workshop.bundle("com.example.wechat", 2), as: "wechat.zip", in: place, keys: keys)
      switch fault {
      case "byte": try flip(place.file("wechat.zip")) { $0 / 2 }
      case "unsigned": try FileManager.default.removeItem(atPath: place.file("wechat.zip.sigstore.jsonl"))
      case "cut":
        try Data(place.read("wechat.zip").dropLast(7)).write(to: URL(filePath: place.file("wechat.zip")))
      default: break
      }
      #expect(try await !manager.unzip(item(), from: place.path), "\(fault)")
      #expect(manager.host.refusals.last?.reason.code == code, "\(fault)")
      #expect(bundle.status == .installed, "\(fault)")
      #expect(try workshop.release(of: "com.example.wechat") == release, "\(fault)")
    }
    #expect(await bundle.load())
    #expect(try await bundle.resource(#require(PAURI("ui://wechat"))) as? String == "release 1, request 1")
  }
}
