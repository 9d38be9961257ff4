import Foundation
import PluginHost
import PluginKit
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// A launcher that takes bundles of one type, and remembers what it was asked.
final class TestLauncher: SMBundleLauncher {
  let name: String
  private let takes: @Sendable (SMBundle) -> Bool
  private let calls = Monitor<[String]>([])

  init(_ name: String, takes: @escaping @Sendable (SMBundle) -> Bool) {
    self.name = name
    self.takes = takes
  }

  var all: [String] { calls.withLock { $0 } }

  private func note(_ call: String, _ bundle: SMBundle) {
    calls.withLock { $0.append("\(call) \(bundle.uri.split(separator: "/").last ?? "")") }
  }

  func preloadBundle(_ bundle: SMBundle) -> Bool {
    note("preload", bundle)
    return takes(bundle)
  }

  func loadBundle(_ bundle: SMBundle) { note("load", bundle) }

  func controller(for request: SMPageRequest) throws -> Page {
    note("controller", request.match.bundle)
    return Page("\(name) \(request.match.target) \(request.match.query ?? "") \(request.sender.owner)")
  }
}

/// What opens bundles.
@Suite(
  "Small's launchers", .timeLimit(.minutes(60)), .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallLauncherTests {
  private typealias Workshop = SmallWorkshop

  private static func isPage(_ bundle: SMBundle) -> Bool {
    bundle.type == .none || bundle.type == .assets && bundle.hasResource("index.html")
  }

  private func application() throws -> SmallWorkshop {
    let workshop = try Workshop()
    try workshop.manifest(
      Workshop.list(
        Workshop.entry("main"), Workshop.entry("about", "web", rules: #"{"help": "help?a=1"}"#),
        Workshop.entry("data", "web")))
    try workshop.ship(workshop.app("\(Workshop.prefix)app.main", plugin: SMAppPlugin(principal: MainController.self)))
    try workshop.shipAssets("\(Workshop.prefix)web.about", files: ["index.html": "<p>"])
    try workshop.shipAssets("\(Workshop.prefix)web.data", files: ["data.json": "{}"])
    return workshop
  }

  @Test("SM19: the first launcher that takes a bundle keeps it: code, a page with index.html, and nothing else")
  func order() async throws {
    let web = TestLauncher("web", takes: Self.isPage)
    let workshop = try application()
    defer { withExtendedLifetime(workshop) {} }
    let small = try workshop.small(launchers: [SMAppBundleLauncher(), web])
    #expect(try await small.setUp().count == 3)
    let bundles = small.allBundles
    #expect(small.launcher(of: bundles[0]) is SMAppBundleLauncher)
    #expect(small.launcher(of: bundles[1]) as? TestLauncher === web)
    #expect(small.launcher(of: bundles[2]) == nil)
    #expect(bundles[1].hasResource("index.html") && !bundles[2].hasResource("index.html"))
    // The App's launcher is asked first, and no bundle of its own reaches the second one.
    #expect(web.all.prefix(3) == ["preload about", "load about", "preload data"])
    #expect(!web.all.contains { $0.hasSuffix("main") })
    // Versions are those of bundles that something opens.
    #expect(small.bundleVersions.keys.sorted() == ["\(Workshop.prefix)app.main", "\(Workshop.prefix)web.about"])
    #expect(try await small.openUri("about/help?x=2").page?.title == "web help x=2&a=1 host")
    expectPlugin(.pageNotFound) { try small.openUri("data") }
    #expect(await small.controller(forUri: "data") == nil)
    #expect(await small.controller(forUri: "about")?.title == "web   host")
  }

  @Test("SM19: a launcher that the host registers is asked in its turn, and setting up twice doubles none")
  func custom() async throws {
    let first = TestLauncher("first") { $0.type == .application }
    let later = TestLauncher("later") { $0.type == .assets }
    let workshop = try application()
    defer { withExtendedLifetime(workshop) {} }
    let small = try workshop.small(launchers: [first, SMAppBundleLauncher()])
    small.registerLauncher(later)
    try await small.setUp()
    #expect(first.all == ["preload main", "load main", "preload about", "preload data"])
    #expect(later.all == ["preload about", "load about", "preload data", "load data"])
    #expect(try await small.openUri("main").page?.title == "first   host")
    try await small.setUp()
    #expect(first.all.filter { $0 == "load main" }.count == 2, "once in each setup")
    #expect(later.all.filter { $0 == "preload about" }.count == 2)
    let launchers = small.state.withLock { $0.launchers.count }
    #expect(launchers == 3)
  }

  @Test("SM14 SM19: a page of the web is made by the launcher that takes such pages, and is shown")
  func web() async throws {
    let web = TestLauncher("web", takes: Self.isPage)
    let workshop = try application()
    defer { withExtendedLifetime(workshop) {} }
    let small = try workshop.small(launchers: [SMAppBundleLauncher(), web])
    small.host.switchboard.externalOpening = ExternalOpening()
    try await small.setUp()
    let outcome = try await small.openUri("https://example.com/a?b=1")
    guard case .web("https://example.com/a?b=1", let page?) = outcome else {
      Issue.record("it has no page")
      return
    }
    #expect(page.title == "web  b=1 host")
    #expect(small.host.switchboard.presenter.state.tabStacks[0].map(\.id) == [page.id])
    #expect(await small.controller(forUri: "https://example.com/a")?.title == "web   host")
    #expect(small.host.switchboard.presenter.state.tabStacks[0].count == 1)
  }

  @Test("of two bundles with one URI the first is opened, whatever launcher takes the second")
  func oneUri() async throws {
    let workshop = try Workshop()
    try workshop.manifest(
      Workshop.list(Workshop.entry("main"), #"{"uri": "main", "pkg": "\#(Workshop.prefix)web.about", "type": "web"}"#)
    )
    try workshop.ship(workshop.app("\(Workshop.prefix)app.main", plugin: SMAppPlugin(principal: MainController.self)))
    try workshop.shipAssets("\(Workshop.prefix)web.about", files: ["index.html": "<p>"])
    let small = try workshop.small(
      launchers: [SMAppBundleLauncher(), TestLauncher("web") { $0.type == .assets }])
    #expect(try await small.setUp().count == 2)
    #expect(try await small.openUri("main").page?.object is MainController)
    #expect(small.launcher(of: small.allBundles[0]) is SMAppBundleLauncher)
    #expect(small.launcher(of: small.allBundles[1]) is TestLauncher)
  }
}
