import Foundation
import ModuleStore
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// Nothing comes in through Small's calls that the gate refuses.
@Suite(
  "Small's gate", .timeLimit(.minutes(60)), .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallGateTests {
  private typealias Workshop = SmallWorkshop
  private static let main = Workshop.prefix + "app.main"
  private static let spellings = [
    "main", "main.html", "main/index", "main/index.html", "main/sub", "main/sub?x=1", "main.htm", "main/anything",
    "main.html/x",
  ]

  private func application(keys: [PrivateKey]? = nil) throws -> SmallWorkshop {
    let workshop = try Workshop()
    try workshop.manifest(
      Workshop.list(
        Workshop.entry("main", rules: #"{"sub": "Sub", ".htm": "Sub"}"#), Workshop.entry("home")))
    try workshop.ship(
      workshop.app(
        Self.main, members: #", "pages": ["", "Sub"], "routes": ["small://mark"]"#,
        plugin: SMAppPlugin(principal: MainController.self, controllers: [Sub.self]) { context in
          try SmallModule(context).registerAction("mark") { _, _ in }
          try context.observe(notification: "mark") { _ in }
        }), keys: keys)
    try workshop.ship(workshop.app(Workshop.prefix + "app.home", plugin: SMAppPlugin(principal: HomeController.self)))
    return workshop
  }

  /// Expects that nothing of the module is reached, and that nobody else serves what is its own.
  private func expectClosed(
    _ small: Small, _ code: PluginError.Code, action: PluginError.Code? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    // Whoever would open anything outside gets nothing of the module.
    let asked = Monitor<[String]>([])
    small.host.switchboard.externalOpening = ExternalOpening { url in
      asked.withLock { $0.append(url) }
      return true
    }
    for uri in Self.spellings {
      expectPlugin(code, "\(uri)", sourceLocation: sourceLocation) { try small.openUri(uri) }
      #expect(await small.controller(forUri: uri) == nil, "\(uri)", sourceLocation: sourceLocation)
      #expect(small.match(forUri: uri) == nil, "\(uri)", sourceLocation: sourceLocation)
      // A browser would take these for the same.
      let browsed = Workshop.base.replacing("http://m.", with: "https://M.") + uri
      expectPlugin(code, "\(browsed)", sourceLocation: sourceLocation) { try small.openUri(browsed) }
    }
    expectPlugin(action ?? code, sourceLocation: sourceLocation) { try small.openUri("small://mark") }
    #expect(asked.withLock { $0.isEmpty }, sourceLocation: sourceLocation)
    #expect(!small.host.switchboard.table.contains { $0.owner == Self.main }, sourceLocation: sourceLocation)
    #expect(!small.allBundles.contains { $0.pkg == Self.main }, sourceLocation: sourceLocation)
    #expect(
      small.bundle(forName: Self.main) == nil && small.bundleVersions[Self.main] == nil,
      sourceLocation: sourceLocation)
    let bundle = try #require(small.manifestBundles.first { $0.pkg == Self.main }, sourceLocation: sourceLocation)
    #expect(!bundle.isLoaded && bundle.versionCode == nil, sourceLocation: sourceLocation)
    #expect(try await small.upgrade(bundle) == .none, sourceLocation: sourceLocation)
    expectPlugin(.pageModuleRefused, sourceLocation: sourceLocation) {
      try small.host.switchboard.pages.make("", of: bundle.owner)
    }
    // The others work.
    #expect(try await small.openUri("home").page?.object is HomeController, sourceLocation: sourceLocation)
  }

  @Test(
    "G6 G4: of a refused module no page, rule, action or observer is reached, no ending of its URI and not the web")
  func refused() async throws {
    let workshop = try application()
    try await workshop.small().setUp()
    let other = try PrivateKey.generate(.ed25519)
    // The same modules, and a policy that does not know the signer of the main one any more.
    try workshop.ship(
      workshop.app(Workshop.prefix + "app.home", 2, plugin: SMAppPlugin(principal: HomeController.self)),
      keys: [other])
    try workshop.manifest(
      Workshop.list(
        Workshop.entry("main", rules: #"{"sub": "Sub", ".htm": "Sub"}"#), Workshop.entry("home")), 2, by: other)
    let small = try workshop.small(workshop.host(workshop.workshop.policy([other.publicKey])))
    try await small.setUp()
    #expect(small.host.status(of: try identifier(Self.main)) == .refused)
    #expect(small.manifestBundles[0].reason?.code == .signerUntrusted)
    try await expectClosed(small, .routeModuleRefused)
  }

  @Test("G6: of a module that was tampered with nothing is reached, in its archive or where it is installed")
  func tampered() async throws {
    let workshop = try application()
    try flip(workshop.main.file("\(Self.main).zip")) { $0 / 2 }
    let first = try workshop.small()
    try await first.setUp()
    #expect(first.host.refusals.contains { $0.reason.code == .digestMismatch })
    // It was never there, but the archive may be its: nobody else has its page, and the web has not, either.
    expectPlugin(.routeModuleRefused) { try first.openUri("main") }
    expectPlugin(.routeModuleRefused) { try first.openUri("main.html") }
    #expect(first.allBundles.count == 1)
    try flip(workshop.main.file("\(Self.main).zip")) { $0 / 2 }
    let second = try workshop.small()
    try await second.setUp()
    #expect(second.allBundles.count == 2)
    let marks = workshop.workshop.marks
    try FileManager.default.removeItem(atPath: workshop.main.file("\(Self.main).zip"))
    try workshop.workshop.changeBinary(of: Self.main)
    let small = try workshop.small()
    try await small.setUp()
    #expect(small.manifestBundles[0].reason?.code == .storeDamaged)
    try await expectClosed(small, .routeModuleRefused)
    #expect(workshop.workshop.marks == marks)
  }

  @Test("G6: a module fails that registers a page or an action that its description does not declare")
  func undeclared() async throws {
    for (plugin, code) in [
      (
        SMAppPlugin(principal: MainController.self, controllers: [DetailController.self]),
        PluginError.Code.pageUndeclared
      ),
      (SMAppPlugin(principal: MainController.self, boards: ["Main": ["X": Sub.self]]), .pageUndeclared),
      (
        SMAppPlugin(principal: MainController.self) { context in
          try SmallModule(context).registerAction("share") { _, _ in }
        }, .routeUndeclared
      ),
    ] {
      let workshop = try application()
      try workshop.ship(
        workshop.app(Self.main, 2, members: #", "pages": ["", "Sub"], "routes": ["small://mark"]"#, plugin: plugin))
      let small = try workshop.small()
      try await small.setUp()
      let bundle = small.manifestBundles[0]
      #expect(bundle.status == .loadFailed)
      #expect(((bundle.reason?.cause as? SignetError)?.cause as? PluginError)?.code == code)
      try await expectClosed(small, .routeModuleRefused)
    }
  }

  @Test("G6: no module declares what the manifest gives to another, an ending of its URI and an index among it")
  func ownership() async throws {
    for route in [
      "http://m.wequick.net/demo/main.html", "http://m.wequick.net/demo/main", "http://m.wequick.net/demo/main/index",
    ] {
      let workshop = try application()
      try workshop.ship(
        workshop.app(
          Workshop.prefix + "app.home", 2, members: #", "pages": [""], "routes": ["\#(route)"]"#,
          plugin: SMAppPlugin(principal: HomeController.self) { context in
            try context.register(route: route) { _ in "stolen" }
          }))
      let small = try workshop.small()
      try await small.setUp()
      #expect(small.allBundles.map(\.pkg) == [Self.main], "\(route)")
      #expect(small.manifestBundles[1].reason?.code == .hostDeclaration)
      #expect(try await small.openUri(route).page?.object is MainController)
    }
  }

  @Test("a module that declares a URL of its own serves it by itself, and the other rules are the manifest's")
  func ownRoute() async throws {
    let workshop = try application()
    let route = "http://m.wequick.net/demo/main/sub"
    try workshop.ship(
      workshop.app(
        Self.main, 2, members: #", "pages": ["", "Sub"], "routes": ["\#(route)"]"#,
        plugin: SMAppPlugin(principal: MainController.self, controllers: [Sub.self]) { context in
          try context.register(route: route) { _ in "by itself" }
        }))
    let small = try workshop.small()
    for _ in 0..<2 { #expect(try await small.setUp().count == 2) }
    guard case .value(let value) = try await small.openUri("main/sub?x=1") else {
      Issue.record("it is a page")
      return
    }
    #expect(value as? String == "by itself")
    #expect(try await small.openUri("main").page?.object is MainController)
  }

  @Test("G6: a module whose registrations are removed is reached no more, whatever somebody kept of it")
  func removed() async throws {
    let workshop = try application()
    let small = try workshop.small()
    try await small.setUp()
    let bundle = try #require(small.bundle(forName: Self.main))
    let shown = try #require(try await small.openUri("main").page)
    let handler = try #require(small.handler(forAction: "mark"))
    #expect(small.host.unregister(try identifier(Self.main)))
    #expect(!small.host.switchboard.presenter.state.tabStacks[0].contains { $0.id == shown.id })
    #expect(!bundle.isLoaded && bundle.module == nil && small.allBundles.count == 1)
    for uri in ["main", "main.html", "main/sub"] { expectPlugin(.routeNotFound, "\(uri)") { try small.openUri(uri) } }
    do throws(PluginError) {
      try await handler(nil, nil)
      Issue.record("the action ran")
    } catch { #expect(error.code == .routeNotFound) }
    #expect(small.handler(forAction: "mark") == nil)
    #expect(!small.host.switchboard.table.contains { $0.owner == Self.main })
    // A setup does not bring it back.
    #expect(try await small.setUp().count == 1)
  }

  @Test("a module that is left out is refused until it is loaded; then its rules work without another setup")
  func leftOut() async throws {
    let workshop = try application()
    let small = try workshop.small()
    let main = try identifier(Self.main)
    #expect(try await small.setUp(without: [main]).map(\.pkg) == [Workshop.prefix + "app.home"])
    expectPlugin(.routeModuleRefused) { try small.openUri("main") }
    try await small.host.load(main)
    #expect(try await small.openUri("main.html").page?.object is MainController)
    #expect(small.bundleVersions[Self.main] == "1")
  }

  @Test("the calls end with the value: neither routes nor actions nor the service for modules stay")
  func ends() async throws {
    let workshop = try application()
    let host = try workshop.host()
    do {
      let small = try workshop.small(host)
      try await small.setUp()
      try small.registerAction("share") { _, _ in }
      #expect(try await small.openUri("main").page != nil)
    }
    expectRoute(.routeNotFound, Workshop.base + "main", of: host)
    expectRoute(.routeNotFound, "small://share", of: host)
    // The next one takes its place.
    let next = try workshop.small(host)
    try await next.setUp()
    #expect(try await next.openUri("main").page?.object is MainController)
  }

  @Test("hostile URIs end in a refusal, and a rule or a bundle of theirs is never found")
  func hostile() async throws {
    let workshop = try application()
    let small = try workshop.small()
    try await small.setUp()
    for uri in [
      "", " ", "main\u{0}", "main%00", "main\n", "main%2Fsub", "main/%2e%2e/main", "main//sub",
      "http://", "://main", ":", "#", "?", "//", "///", "http:///demo/main", "http://m.wequick.net@evil/demo/main",
      "http://evil/?http://m.wequick.net/demo/main", "m\u{61}\u{301}in", "ma\u{ad}in", "MAIN", "small://", "small:",
      "small://mark/x", "small:///mark", String(repeating: "a/", count: 5000), String(repeating: "x", count: 20_000),
      "main?" + (0..<300).map { "a\($0)=1" }.joined(separator: "&"),
    ] {
      #expect(throws: PluginError.self, "\(uri.prefix(60))") { try small.openUri(uri) }
      #expect(await small.controller(forUri: uri) == nil, "\(uri.prefix(60))")
    }
    // A part that is encoded without need is the same part.
    #expect(try await small.openUri("%6Dain").page?.object is MainController)
    #expect(try await small.openUri("x/../main").page?.object is MainController)
  }

  @Test("G6: a module of resources that a later setup refuses is not among the bundles, and its page is refused")
  func refusedLater() async throws {
    let workshop = try Workshop()
    let about = Workshop.prefix + "web.about"
    try workshop.manifest(Workshop.list(Workshop.entry("about", "web")))
    try workshop.shipAssets(about, files: ["index.html": "one"])
    let small = try workshop.small(launchers: [TestLauncher("web") { $0.type == .assets }])
    #expect(try await small.setUp().count == 1)
    let module = workshop.workshop.path + "/modules/\(about)"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: module).first)
    try FileManager.default.removeItem(atPath: workshop.main.file("\(about).zip"))
    try flip("\(module)/\(release)/files/index.html") { $0 / 2 }
    #expect(try await small.setUp().isEmpty)
    #expect(small.manifestBundles[0].reason?.code == .storeDamaged)
    #expect(small.match(forUri: "about") == nil && small.bundle(forName: about) == nil)
    #expect(small.bundleVersions.isEmpty)
    expectPlugin(.routeModuleRefused) { try small.openUri("about") }
  }
}
