import JLRoutesFace
import PluginKit
import Synchronization
import Testing

/// The gate, seen through JLRoutes' calls: a module adds what it declares, and nothing of a refused one is reached.
@Suite("JLRoutes' calls of modules") struct JLModuleTests {
  private let switchboard = Switchboard()
  private let probe: JLProbe
  private var host: JLRouter { probe.jlRoutes }

  init() { probe = JLProbe(JLRouter(switchboard)) }

  private func context(_ name: String, _ routes: [String]) throws -> ModuleContext {
    switchboard.context(
      for: try ModuleDeclaration(
        identifier: "com.example.\(name)", routes: routes))
  }

  @Test("G6: a module adds the routes that its description declares, whole or not at all")
  func declared() throws {
    let module = JLProbe(
      JLRouter(try context("user", ["*://user/view/:userID(/:tab)", "thing://foo", "*://some/:any", "*://all/*"])))
    try module.add("/user/view/:id(/:more)", "/all/*", "/some/:")
    try module.add("/foo", scheme: "thing")
    for (url, values) in [
      ("tests://user/view/7", ["id": "7"]), ("/user/view/7/posts", ["id": "7", "more": "posts"]),
      ("thing://foo", [:]), ("tests://some/x", [":": "x"]), ("tests:/all", [JLRouteWildcardComponentsKey: "[]"]),
    ] as [(String, [String: String])] {
      #expect(host.routeURL(url), "\(url)")
      #expect(module.own == values, "\(url)")
    }
    let count = switchboard.table.count
    for (pattern, scheme) in [
      ("/user", JLRoutesGlobalRoutesScheme), ("/foo", JLRoutesGlobalRoutesScheme), ("/foo/:x", "thing"),
      ("/user/view/:id", "thing"), ("/*", JLRoutesGlobalRoutesScheme), ("/", "thing"), ("/foo", "stuff"),
      // One choice is declared, and another is not.
      ("/user/view/:id(/:a)(/:b)", JLRoutesGlobalRoutesScheme), ("/foo(/bar)", "thing"),
    ] {
      expectPluginError(.routeUndeclared) { try module.add(pattern, scheme: scheme) }
      expectPluginError(.routeUndeclared) {
        try module.jlRoutes.routes(forScheme: scheme).addRoute(pattern, onMain: { _ in true })
      }
      expectPluginError(.routeUndeclared) {
        try module.jlRoutes.routes(forScheme: scheme).addRoute(JLRRouteDefinition(pattern: "/other" + pattern))
      }
      module.jlRoutes.routes(forScheme: scheme)[pattern] = JLRRouteHandlerBlock(module.handler)
      #expect(module.codes == [.routeUndeclared])
      #expect(switchboard.table.count == count, "\(pattern)")
    }
  }

  /// Matches whatever it is asked about.
  private final class Greedy: JLRRouteDefinition, @unchecked Sendable {
    override var reach: String { pattern == "/wide" ? "/*" : pattern }
    override func routeResponse(for request: JLRRouteRequest) -> JLRRouteResponse {
      .validMatchResponse(withParameters: matchParameters(for: request, routeVariables: [:]))
    }
  }

  @Test("G6: a definition of a class of its own is asked about nothing that the module does not declare")
  func definitions() throws {
    let module = JLProbe(JLRouter(try context("user", ["*://user/:id", "*://wide"])))
    let block = JLRRouteHandlerBlock(module.handler)
    try module.jlRoutes.global().addRoute(Greedy(pattern: "/user/:id", handlerBlock: block))
    let wide = Greedy(pattern: "/wide", handlerBlock: block)
    expectPluginError(.routeUndeclared) { try module.jlRoutes.global().addRoute(wide) }
    #expect(wide.scheme == nil)
    #expect(host.routeURL("/user/7"))
    for url in ["/user", "/other", "/wide", "/user/7/8"] { #expect(!host.canRouteURL(url), "\(url)") }
  }

  @Test("JL7: a module lets the schemes of its routes fall back, no others, and as long as it is there")
  func fallbacks() throws {
    try probe.add("/global")
    try probe.add("/own", scheme: "stuff")
    let one = JLProbe(JLRouter(try context("one", ["thing://foo"])))
    let other = JLProbe(JLRouter(try context("other", ["thing://bar"])))
    try one.add("/foo", scheme: "thing")
    try other.add("/bar", scheme: "thing")
    #expect(!host.canRouteURL("thing://global"))
    one.jlRoutes.routes(forScheme: "stuff").shouldFallbackToGlobalRoutes = true
    #expect(one.codes == [.routeUndeclared])
    #expect(!host.canRouteURL("stuff://global"))
    one.jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = true
    #expect(host.canRouteURL("thing://global"))
    // What another one allows stays allowed.
    other.jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = false
    other.jlRoutes.unregisterRouteScheme("thing")
    #expect(host.canRouteURL("thing://global"))
    #expect(!host.canRouteURL("thing://bar"))
    try other.add("/bar", scheme: "thing")
    switchboard.removeAll(ownedBy: .module("com.example.one"))
    #expect(!host.canRouteURL("thing://global"))
    #expect(host.canRouteURL("thing://bar"))
  }

  @Test("G6 G4: the URLs of a refused module are refused; no route for every scheme and no other module serves them")
  func refused() async throws {
    try probe.add("/*", "/:a/:b", priority: .max)
    host.global().unmatchedURLHandler = { [probe] _, url, _ in probe.note(["unmatched": url]) }
    host.routes(forScheme: "bank").shouldFallbackToGlobalRoutes = true
    let heir = JLProbe(JLRouter(try context("heir", ["bank://*", "bank://pay/:id", "*://vault/:id"])))
    try heir.add("/pay/:id", "/*", scheme: "bank", priority: .max)
    try heir.add("/vault/:id", priority: .max)
    let other = JLProbe(JLRouter(try context("other", [])))
    switchboard.router.refuse(
      [try RoutePattern("bank://pay/*")], declared: [try RoutePattern("*://vault/:id")],
      of: .module("com.example.bank"), because: "digest.mismatch")
    for caller in [probe, heir, other] {
      for url in [
        "bank://pay/7", "bank:/pay/7", "bank:///pay/7/", "BANK://p%61y/7?q=1#a=b", "bank://www.example.com/pay/7",
        "tests://vault/7", "/vault/7", "https://www.example.com/vault/7",
      ] {
        let jlRoutes = caller.jlRoutes
        #expect(!jlRoutes.canRouteURL(url), "\(url)")
        #expect(!jlRoutes.global().canRouteURL(url), "\(url)")
        #expect(await !jlRoutes.routeURL(url), "\(url)")
        #expect(await !jlRoutes.global().routeURL(url), "\(url)")
        #expect(await !MainActor.run { jlRoutes.routeURLOnMain(url) }, "\(url)")
        #expect(caller.codes == Array(repeating: .routeModuleRefused, count: 3), "\(url)")
      }
    }
    #expect(probe.parameters == nil)
    #expect(heir.parameters == nil)
    // What is not the refused module's goes on, and everything does once it is accepted.
    #expect(await heir.jlRoutes.routeURL("bank://other"))
    switchboard.router.refuse([], of: .module("com.example.bank"), because: "")
    #expect(await host.routeURL("bank://pay/7"))
    #expect(heir.own == ["id": "7"])
  }

  @Test("G6: what a module has goes with it, and its calls add nothing more and take nothing away")
  func removed() throws {
    let routes = ["*://user/:id", "thing://foo"]
    let module = JLProbe(JLRouter(try context("user", routes)))
    try module.add("/user/:id")
    try module.add("/foo", scheme: "thing")
    let thing = module.jlRoutes.routes(forScheme: "thing")
    thing.shouldFallbackToGlobalRoutes = true
    switchboard.removeAll(ownedBy: .module("com.example.user"))
    #expect(switchboard.table.isEmpty)
    #expect(!host.canRouteURL("/user/7"))
    #expect(!host.routes(forScheme: "thing").shouldFallbackToGlobalRoutes)
    #expect(module.jlRoutes.allRoutes.isEmpty)
    expectPluginError(.moduleRemoved) { try module.add("/user/:id") }
    thing.shouldFallbackToGlobalRoutes = true
    #expect(module.codes == [.moduleRemoved])
    // The next release of it has calls of its own, which the old ones do not disturb.
    switchboard.readmit(module: "com.example.user")
    let next = JLProbe(JLRouter(try context("user", routes)))
    try next.add("/user/:id")
    try next.add("/foo", scheme: "thing")
    next.jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = true
    module.jlRoutes.unregisterAllRouteSchemes()
    thing.removeRoute(withPattern: "/foo")
    thing.removeAllRoutes()
    #expect(
      next.jlRoutes.allRoutes.mapValues { $0.map(\.pattern) } == [
        JLRoutesGlobalRoutesScheme: ["/user/:id"], "thing": ["/foo"],
      ])
    #expect(host.canRouteURL("thing://user/7"))
    expectPluginError(.moduleRemoved) { try module.add("/user/:id") }
  }

  @Test("a route belongs to the owner who added it first: no other replaces it, lists it or removes it")
  func owners() throws {
    let one = JLProbe(JLRouter(try context("one", ["*://x/:a"])))
    let other = JLProbe(JLRouter(try context("other", ["*://x/:a"])))
    try one.add("/x/:a")
    for caller in [other, probe] {
      #expect(caller.jlRoutes.allRoutes.isEmpty)
      caller.jlRoutes.global().removeRoute(withPattern: "/x/:a")
      caller.jlRoutes.global().removeRoute(try #require(one.jlRoutes.global().routes.first))
      caller.jlRoutes.unregisterAllRouteSchemes()
      #expect(host.routeURL("/x/7"))
      #expect(one.own == ["a": "7"])
    }
  }

  @Test(
    "URLs that are not valid are failures with a code, and are not unmatched",
    arguments: [
      ("tests://a//b", PluginError.Code.urlEmptySegment), ("tests://a/../b", .urlDotSegment),
      ("tests://a/%2e%2E/b", .urlDotSegment), ("tests://a/%00", .urlControlCharacter),
      ("/a\nb", .urlControlCharacter),
      ("tests://" + String(repeating: "a", count: 100_000), .urlTooLong), ("tests:/a//b", .urlEmptySegment),
      ("1:x", .urlMalformed),
    ])
  func hostile(_ url: String, _ code: PluginError.Code) throws {
    try probe.add("/*", "/:a/:b")
    host.global().unmatchedURLHandler = { [probe] _, url, _ in probe.note(["unmatched": url]) }
    #expect(!host.canRouteURL(url))
    #expect(probe.codes.isEmpty)
    #expect(!host.routeURL(url))
    #expect(probe.codes == [code])
    #expect(probe.parameters == nil)
  }

  @Test(
    "patterns that are not valid are errors with a code",
    arguments: [
      ("//a", PluginError.Code.patternMalformed), ("/a//b", .patternMalformed), ("/*/a", .patternMalformed),
      ("/a/..", .patternMalformed), ("/a\n", .patternMalformed),
    ])
  func hostilePatterns(_ pattern: String, _ code: PluginError.Code) throws {
    expectPluginError(code) { try probe.add(pattern) }
    #expect(switchboard.table.isEmpty)
  }
  @Test("an error shows neither the control characters of a hostile pattern or scheme, nor all of it")
  func shownTexts() throws {
    let hostile = "\u{1b}[2J" + String(repeating: "a", count: 100_000)
    let definition = JLRRouteDefinition(pattern: "/" + hostile)
    definition.didBecomeRegistered(forScheme: hostile)
    for (scheme, pattern) in [
      ("thing", "//" + hostile), ("thing", "/(" + hostile), ("thing", "/(a)(b)(c)(d)(e)(f)" + hostile),
      ("*" + hostile, "/x"), (hostile, "/x"),
    ] {
      let error = try #require(throws: PluginError.self) {
        try host.routes(forScheme: scheme).addRoute(pattern, handler: nil)
      }
      #expect(error.description.utf8.count < 2000 && !error.description.contains("\u{1b}"), "\(error.code)")
    }
    let error = try #require(throws: PluginError.self) { try host.global().addRoute(definition) }
    #expect(error.code == .routeConflict)
    #expect(error.description.utf8.count < 2000 && !error.description.contains("\u{1b}"))
  }
}
