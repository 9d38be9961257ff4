import Foundation
import PluginHost
import PluginKit
import Signet
import SignetSystem
import SmallFace
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// The pages that URIs lead to, and how they are shown.
@Suite(
  "Small's pages", .timeLimit(.minutes(60)), .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallPageTests {
  private typealias Workshop = SmallWorkshop

  @Test("SM20: a target is the principal, a controller with or without its ending, or one of a board; else an error")
  func targets() async throws {
    let (_, small) = try await SmallOpeningTests.application()
    func object(_ uri: String) async throws -> (any Sendable)? { try await small.openUri(uri).page?.object }
    #expect(try await object("home") is HomeController)
    #expect(try await object("detail") is DetailController, "only DetailController is exported")
    #expect(try await object("detail/sub") is Sub)
    #expect(try await object("detail/board") is MainViewController)
    expectPlugin(.pageNotFound) { try small.openUri("detail/nope") }
    expectPlugin(.pageNotFound) { try small.openUri("detail/none") }
    expectPlugin(.pageNotFound, "the module has no principal") { try small.openUri("detail/own") }
    #expect(await small.controller(forUri: "detail/nope") == nil)
  }

  @Test(
    "SM20: the principal class of Info.plist is the page of a module that has none; an empty one is none",
    arguments: [
      ("<string>DetailController</string>", true), ("<string></string>", false), ("<integer>7</integer>", false),
    ])
  func info(_ value: String, _ isFound: Bool) async throws {
    let workshop = try Workshop()
    try workshop.manifest(
      Workshop.list(Workshop.entry("detail", rules: #"{"rule": "Main/MainVC"}"#)))
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>x</string>
      <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string>
      <key>CFBundlePackageType</key><string>FMWK</string><key>NSPrincipalClass</key>\(value)</dict></plist>
      """
    try workshop.ship(
      workshop.app(
        "\(Workshop.prefix)app.detail", members: SmallOpeningTests.detailMembers + #", "resources": ["Info.plist"]"#,
        files: ["Info.plist": list],
        plugin: SMAppPlugin(
          controllers: [DetailController.self], boards: ["Main": ["MainVC": MainViewController.self]])))
    let small = try workshop.small()
    try await small.setUp()
    let bundle = try #require(small.allBundles.first)
    #expect(bundle.principalClass == (isFound ? "DetailController" : nil))
    #expect(bundle.versionName == "1.0.1", "versions are those of the signed description")
    if isFound {
      #expect(try await small.openUri("detail").page?.object is DetailController)
    } else {
      expectPlugin(.pageNotFound) { try small.openUri("detail") }
    }
    // A rule of the manifest comes before the list.
    #expect(try await small.openUri("detail/rule").page?.object is MainViewController)
  }

  @Test("SM21 D13: a URI sets only parameters that the description accepts; others are dropped and told")
  func parameters() async throws {
    let (_, small) = try await SmallOpeningTests.application()
    let dropped = Monitor<[String]>([])
    small.host.switchboard.pages.onDropped { drop in dropped.withLock { $0.append("\(drop.page) \(drop.names)") } }
    let page = try await small.openUri("detail?from=app.home").page
    #expect((page?.object as? DetailController)?.from == "app.home")
    #expect(dropped.withLock { $0.isEmpty })
    let admin = try await small.openUri("detail?isAdmin=1&from=x").page
    #expect((admin?.object as? DetailController)?.parameters == ["from": "x"])
    #expect(dropped.withLock { $0 } == ["DetailController [\"isAdmin\"]"])
    // The value of the signed rule counts, and goes through the same check.
    let sub = try await small.openUri("detail/sub?from=request").page
    #expect((sub?.object as? Sub)?.parameters == [:])
    #expect(dropped.withLock { $0.last } == "Sub [\"from\"]")
    let board = try await small.openUri("detail/board?tab=2&from=x").page
    #expect((board?.object as? MainViewController)?.parameters == ["tab": "2"])
  }

  @Test("SM22: an intro is shown in its own window, the next page hides it; without a stack a page is presented")
  func presentation() async throws {
    let (_, small) = try await SmallOpeningTests.application()
    let presenter = small.host.switchboard.presenter
    let intro = try await small.openUri("main?_fullscreen=1")
    #expect(intro.presentation == .intro)
    #expect(presenter.state.intro?.id == intro.page?.id)
    let next = try await small.openUri("home")
    #expect(next.presentation == .push(previousHidden: true))
    #expect(presenter.state.intro == nil && presenter.state.tabStacks[0].map(\.id) == [next.page?.id])
    #expect(try await small.openUri("home").presentation == .push(previousHidden: false))
    // The signed rule says it, too, and has the last word.
    #expect(try await small.openUri("detail/intro").presentation == .intro)
    #expect(try await small.openUri("detail/intro?_fullscreen=0").presentation == .intro)
    for value in ["0", "", "NO", "false", "x"] {
      let shown = try await small.openUri("home?_fullscreen=\(value)")
      #expect(shown.presentation != .intro, "\(value)")
    }
    for value in ["YES", "true", "1", "%20+01"] {
      #expect(try await small.openUri("home?_fullscreen=\(value)").presentation == .intro)
    }
    let bare = try await SmallOpeningTests.application { workshop in
      try PluginHost(
        policy: workshop.workshop.policy(), store: workshop.workshop.path,
        switchboard: Switchboard(presenter: Presenter(tabs: 0)), configuration: workshop.configuration())
    }.1
    #expect(try await bare.openUri("home").presentation == .present)
  }

  @Test("a module opens URIs and registers actions in its own name, and only actions that it declares")
  func modules() async throws {
    let contexts = Monitor<[ModuleContext]>([])
    let heard = Monitor<[String]>([])
    let (_, small) = try await SmallOpeningTests.application(
      detail: { context in
        contexts.withLock { $0.append(context) }
        try SmallModule(context).registerAction("mark") { sender, _ in heard.withLock { $0.append("\(sender.owner)") }
        }
      }, members: #", "routes": ["small://mark"]"#)
    let module = SmallModule(try #require(contexts.withLock { $0.first }))
    #expect(module.absoluteUri(fromUri: "home") == Workshop.base + "home")
    let page = try await module.openUri("home").page
    #expect(page?.object is HomeController && page?.owner == .module("\(Workshop.prefix)app.home"))
    #expect(await module.controller(forUri: "main")?.object is MainController)
    try small.registerAction("host") { sender, _ in
      heard.withLock { $0.append("\(sender.owner) \(sender.object ?? "")") }
    }
    try await module.openUri("small://host", fromView: "view")
    try await small.openUri("small://mark")
    #expect(heard.withLock { $0 } == ["\(Workshop.prefix)app.detail view", "host"])
    expectPlugin(.routeUndeclared) { try module.registerAction("other") { _, _ in } }
    expectPlugin(.routeConflict) { try small.registerAction("mark") { _, _ in } }
    // A module that was removed opens nothing more that is its own.
    #expect(small.host.unregister(try identifier("\(Workshop.prefix)app.detail")))
    expectPlugin(.routeNotFound) { try small.openUri("small://mark") }
    expectPlugin(.routeNotFound) { try small.openUri("detail") }
  }

  @Test("who opens a page is told to its factory")
  func sender() async throws {
    let senders = Monitor<[String]>([])
    let contexts = Monitor<[ModuleContext]>([])
    let (_, small) = try await SmallOpeningTests.application(detail: { context in
      contexts.withLock { $0.append(context) }
    })
    let pages = small.host.switchboard.pages
    try pages.register("told", owner: .module("\(Workshop.prefix)app.home")) { request in
      senders.withLock { $0.append("\(request.sender)") }
      return Page("told")
    }
    let module = SmallModule(try #require(contexts.withLock { $0.first }))
    try small.host.switchboard.router.register(
      small.host.switchboard.router.pattern("http://told"), owner: .host
    ) { request in try pages.make("told", of: .module("\(Workshop.prefix)app.home"), answering: request) }
    try await small.openUri("http://told")
    try await module.openUri("http://told")
    #expect(senders.withLock { $0 } == ["host", "\(Workshop.prefix)app.detail"])
  }
}
