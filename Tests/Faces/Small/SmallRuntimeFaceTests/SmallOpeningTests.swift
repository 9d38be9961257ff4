import Foundation
import PluginHost
import PluginKit
import Signet
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// What becomes of URIs.
@Suite(
  "Opening Small's URIs", .timeLimit(.minutes(60)), .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallOpeningTests {
  private typealias Workshop = SmallWorkshop
  static let detailMembers = """
    , "pages": ["DetailController", "Sub"], "boards": {"Main": ["MainVC"]},
    "acceptedParameters": {"DetailController": ["from"], "Main/MainVC": ["tab"]}
    """

  /// An application with `main`, `home` and `detail`, which has pages by name and a board.
  static func application(
    _ host: ((SmallWorkshop) throws -> PluginHost)? = nil, base: String? = Workshop.base,
    detail: @escaping @Sendable (ModuleContext) throws -> Void = { _ in }, members: String = ""
  ) async throws -> (SmallWorkshop, Small) {
    let workshop = try SmallSetUpTests.application()
    try workshop.manifest(
      Workshop.list(
        Workshop.entry("main"), Workshop.entry("home"),
        Workshop.entry(
          "detail",
          rules: """
            {"": "Detail", "sub": "Sub?from=rule", "board": "Main/MainVC", "nope": "Nope", "none": "Main/Nope",
             "intro": "Detail?_fullscreen=1", "own": ""}
            """)))
    try workshop.ship(
      workshop.app(
        "\(Workshop.prefix)app.detail", members: Self.detailMembers + members,
        plugin: SMAppPlugin(
          controllers: [DetailController.self, Sub.self], boards: ["Main": ["MainVC": MainViewController.self]],
          didLoad: detail)))
    let small = try workshop.small(host?(workshop), base: base)
    try await small.setUp()
    #expect(small.allBundles.count == 3)
    return (workshop, small)
  }

  @Test(
    "SM14: a page that no module serves is shown on the web; files are refused by default, other schemes not found")
  func web() async throws {
    let (_, small) = try await Self.application()
    let issues = "https://github.com/wequick/Small/issues"
    // Without a decision of the host, nothing is opened outside.
    expectPlugin(.routeNotFound) { try small.openUri(issues) }
    small.host.switchboard.externalOpening = ExternalOpening()
    for file in ["file:///etc/passwd", "file:///srv/pages/a.html"] {
      expectPlugin(.externalRefused, "no folder is open by default") { try small.openUri(file) }
    }
    small.host.switchboard.externalOpening = ExternalOpening(fileRoots: ["/srv/pages"])
    guard case .web(let url, nil) = try await small.openUri(issues) else {
      Issue.record("it is not for the web")
      return
    }
    #expect(url == issues)
    expectPlugin(.externalRefused) { try small.openUri("file:///etc/passwd") }
    guard case .web("file:///srv/pages/a.html", nil) = try await small.openUri("file:///srv/pages/a.html") else {
      Issue.record("it is not for the web")
      return
    }
    expectPlugin(.routeNotFound) { try small.openUri("foo://x") }
    #expect(await small.controller(forUri: issues) == nil)
    // What has no rule is on the web, and what belongs to a module in another spelling is not.
    guard case .web = try await small.openUri("detail/unknown") else {
      Issue.record("it is not for the web")
      return
    }
    for same in ["https://m.wequick.net/demo/main", "http://M.wequick.net:80/demo/main"] {
      expectPlugin(.routeNotFound, "\(same)") { try small.openUri(same) }
    }
  }

  @Test("SM15: URIs are resolved against the base as RFC 3986 says; without a base they stay as they are")
  func base() throws {
    let workshop = try Workshop()
    let small = try workshop.small(base: nil)
    #expect(small.absoluteUri(fromUri: "main") == "main")
    small.setBaseUri("http://m.wequick.net/demo/")
    for (uri, absolute) in [
      ("main", "http://m.wequick.net/demo/main"), ("/main", "http://m.wequick.net/main"),
      ("../x", "http://m.wequick.net/x"), ("?q=1", "http://m.wequick.net/demo/?q=1"), ("//h/x", "http://h/x"),
      ("ui://x", "ui://x"), ("https://a/b", "https://a/b"), ("a?b=c://d", "http://m.wequick.net/demo/a?b=c://d"),
      ("./a/../b", "http://m.wequick.net/demo/b"), ("../../../x", "http://m.wequick.net/x"),
    ] { #expect(small.absoluteUri(fromUri: uri) == absolute, "\(uri)") }
    small.setBaseUri("http://m.wequick.net/demo")
    #expect(small.absoluteUri(fromUri: "main") == "http://m.wequick.net/main")
    small.setBaseUri("no base")
    #expect(small.absoluteUri(fromUri: "main") == nil)
    small.setBaseUri(nil)
    #expect(small.baseUri == nil && small.absoluteUri(fromUri: "main") == "main")
  }

  @Test("SM15: bundles keep the base that setup had; relative URIs of the manifest are resolved in the same way")
  func manifestBase() async throws {
    let (workshop, small) = try await Self.application()
    small.setBaseUri("http://other.example.com/")
    expectPlugin(.routeNotFound) { try small.openUri("home") }
    #expect(try await small.openUri("http://m.wequick.net/demo/home").page?.object is HomeController)
    for (uri, absolute) in [
      ("/home", "http://m.wequick.net/home"), ("../home", "http://m.wequick.net/home"),
      ("//h.example.com/home", "http://h.example.com/home"), ("ui://home", "ui://home"),
    ] {
      try workshop.manifest(Workshop.list(#"{"uri": "\#(uri)", "pkg": "\#(Workshop.prefix)app.home"}"#))
      let next = try workshop.small()
      #expect(try await next.setUp().map(\.uri) == [absolute])
      #expect(try await next.openUri(absolute).page?.object is HomeController)
    }
  }

  @Test(
    "SM16 D12: small://action runs the handler with the query or nil, from a view and a controller; the last one counts"
  )
  func actions() async throws {
    let (_, small) = try await Self.application()
    let heard = Monitor<[String]>([])
    try small.registerAction("share") { sender, parameters in
      heard.withLock {
        $0.append("\(sender.owner) \(sender.object ?? "nobody") \(parameters.map { "\($0)" } ?? "nil")")
      }
    }
    guard case .action = try await small.openUri("small://share?k=v", fromView: "a view") else {
      Issue.record("it is no action")
      return
    }
    try await small.openUri("small://share", fromController: "a controller")
    try await small.openUri("small://share?")
    #expect(
      heard.withLock { $0 } == ["host a view [\"k\": \"v\"]", "host a controller nil", "host nobody [:]"])
    expectPlugin(.routeNotFound) { try small.openUri("small://nope") }
    small.host.switchboard.externalOpening = ExternalOpening { _ in true }
    expectPlugin(.routeNotFound, "no other program has Small's actions") { try small.openUri("small://nope") }
    // The page of a URI is asked for without running an action.
    #expect(await small.controller(forUri: "small://share") == nil)
    #expect(heard.withLock { $0.count } == 3)
    try small.registerAction("share") { _, _ in heard.withLock { $0.append("second") } }
    try await small.openUri("small://share")
    #expect(heard.withLock { $0.last } == "second" && heard.withLock { $0.count } == 4)
    let share = try #require(small.handler(forAction: "share"))
    try await share("view", ["a": "b"])
    #expect(heard.withLock { $0.count } == 5)
    #expect(small.handler(forAction: "nope") == nil)
    for name in ["", "a/b", "a?b", "a#b"] {
      expectPlugin(.urlMalformed, "\(name)") { try small.registerAction(name) { _, _ in } }
    }
    // A name is no pattern.
    try small.registerAction(":any") { _, _ in heard.withLock { $0.append("pattern") } }
    expectPlugin(.routeNotFound) { try small.openUri("small://nope") }
  }

  @Test("SM16: an action on the main actor, and the parameters that code gives along")
  @MainActor func mainAction() async throws {
    let (_, small) = try await Self.application()
    let heard = Monitor<[String: String]?>(nil)
    try small.registerAction(
      "scan",
      onMain: { _, parameters in
        MainActor.assertIsolated()
        heard.withLock { $0 = parameters }
      })
    try await small.openUri("small://scan?a=1")
    #expect(heard.withLock { $0 } == ["a": "1"])
    let scan = try #require(small.handler(forAction: "scan"))
    try await scan(nil, ["b": "2"])
    #expect(heard.withLock { $0 } == ["b": "2"])
  }

  @Test("SM17: a scheme that nobody has goes to another program if the opener says so, and never one of a module")
  func external() async throws {
    let (_, small) = try await Self.application(base: "app://")
    let asked = Monitor<[String]>([])
    small.host.switchboard.externalOpening = ExternalOpening { url in
      asked.withLock { $0.append(url) }
      return url != "tel:2"
    }
    guard case .external("tel:1") = try await small.openUri("tel:1") else {
      Issue.record("it is not for another program")
      return
    }
    expectPlugin(.routeNotFound, "it is looked up, and nobody has it") { try small.openUri("tel:2") }
    #expect(asked.withLock { $0 } == ["tel:1", "tel:2"])
    #expect(await small.controller(forUri: "tel:1") == nil)
    // The scheme is that of the bundles.
    #expect(try await small.openUri("home").page?.object is HomeController)
    expectPlugin(.routeNotFound) { try small.openUri("app://nobody") }
    #expect(asked.withLock { $0.count } == 3)
  }

  @Test("SM18 D12: the page of a URI is made anew each time and not shown, with any scheme of the base")
  func controllers() async throws {
    for base in [Workshop.base, "https://m.wequick.net/demo/", "app://"] {
      let (_, small) = try await Self.application(base: base)
      for (uri, kind) in [
        ("main", ObjectIdentifier(MainController.self)), ("home", ObjectIdentifier(HomeController.self)),
      ] {
        let pages = [try #require(await small.controller(forUri: uri)), try #require(small.controllerNow(uri))]
        let objects = try pages.map { try #require($0.object as? TestController) }
        #expect(objects.allSatisfy { ObjectIdentifier(type(of: $0)) == kind }, "\(uri)")
        #expect(objects[0] !== objects[1] && pages[0].id != pages[1].id, "\(uri)")
      }
      #expect(await small.controller(forUri: "nothing") == nil)
      #expect(small.host.switchboard.presenter.state.tabStacks == [[]])
    }
  }
}

extension Small {
  /// The form for threads.
  func controllerNow(_ uri: String) -> Page? { controller(forUri: uri) }
}
