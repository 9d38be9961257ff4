import JLRoutesFace
import Synchronization
import Testing

/// What the README of JLRoutes shows, in the calls of the face.
@Suite("JLRoutes' README") struct JLReadmeTests {
  private let probe = JLProbe()
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }

  @Test("JL1: getting started: a route is added, also by a subscript, and a URL is routed")
  func gettingStarted() throws {
    try global.addRoute("/user/view/:userID", handler: probe.handler)
    #expect(probe.route("myapp://user/view/joeldev") == ["userID": "joeldev"])
    global.removeAllRoutes()
    global["/user/view/:userID"] = JLRRouteHandlerBlock(probe.handler)
    #expect(probe.route("myapp://user/view/joeldev") == ["userID": "joeldev"])
  }

  @Test("JL2: the more complex example, with all parameters")
  func complex() throws {
    try global.addRoute("/:object/:action/:primaryKey", handler: probe.handler)
    #expect(jlRoutes.canRouteURL("/user/view/joeldev"))
    #expect(probe.route("myapp://post/edit/123?debug=true&foo=bar") != nil)
    #expect(
      probe.parameters?.mapValues(JLProbe.shown) == [
        "object": "post", "action": "edit", "primaryKey": "123", "debug": "true", "foo": "bar",
        "JLRouteURL": "myapp://post/edit/123?debug=true&foo=bar", "JLRoutePattern": "/:object/:action/:primaryKey",
        "JLRouteScheme": "JLRoutesGlobalRoutesScheme",
      ])
  }

  @Test("the settings hold from the next call on")
  func configuration() throws {
    final class Lines: Sendable { let all = Mutex<[String]>([]) }
    let heard = Lines()
    jlRoutes.verboseLog = { line in heard.all.withLock { $0.append(line) } }
    try global.addRoute("/a/:b", handler: probe.handler)
    #expect(probe.route("tests://a/1") == ["b": "1"])
    #expect(probe.route("tests://b") == nil)
    jlRoutes.verboseLog = nil
    #expect(probe.route("tests://a/2") == ["b": "2"])
    let expected = [
      "trying to route tests://a/1", "/a/:b (priority: 0) matches", "trying to route", "no route for tests://b",
    ]
    let all = heard.all.withLock { $0 }
    #expect(all.count == expected.count)
    for (line, part) in zip(all, expected) { #expect(line.hasPrefix("[JLRoutes]: " + part), "\(line)") }
  }

  @Test("JL7: the same route in several schemes, and a fallback")
  func schemes() throws {
    try probe.add("/foo", "/global")
    try probe.add("/foo", scheme: "thing")
    try probe.add("/foo", scheme: "stuff")
    for (url, scheme) in [
      ("thing://foo", "thing"), ("stuff://foo", "stuff"), ("tests://foo", JLRoutesGlobalRoutesScheme),
    ] {
      #expect(probe.route(url) == [:])
      #expect(probe.scheme == scheme)
    }
    #expect(probe.route("thing://global") == nil)
    jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = true
    #expect(probe.route("thing://global") == [:])
  }

  @Test("JL3 JL6: a wildcard whose handler wants a certain part")
  func wildcard() throws {
    try global.addRoute("/wildcard/*") { parameters in
      (parameters[JLRouteWildcardComponentsKey] as? [String])?.first == "joker"
    }
    #expect(jlRoutes.routeURL("tests://wildcard/joker/and/more"))
    #expect(!jlRoutes.routeURL("tests://wildcard/ace"))
    #expect(!jlRoutes.routeURL("tests://wildcard"))
  }

  @Test("JL4 JL13: a route with optional parts is four routes, which can be listed")
  func optional() throws {
    try probe.add("/the(/foo/:a)(/bar/:b)")
    #expect(global.routes.map(\.pattern) == ["/the/foo/:a/bar/:b", "/the/foo/:a", "/the/bar/:b", "/the"])
    #expect(jlRoutes.allRoutes.count == 1)
  }

  private final class Page: JLRRouteHandlerTarget, JLRRouteHandlerClass {
    let parameters: Mutex<[String: any Sendable]>

    init() { parameters = Mutex([:]) }
    init(routeParameters parameters: [String: any Sendable]) { self.parameters = Mutex(parameters) }

    func handleRoute(withParameters parameters: [String: any Sendable]) -> Bool {
      self.parameters.withLock { $0 = parameters }
      return true
    }
  }

  @Test("JL13: handlers of a class and of an object")
  func handlers() throws {
    final class Pages: Sendable { let all = Mutex<[Page]>([]) }
    let pages = Pages()
    try global.addRoute(
      "/some/route",
      handler: JLRRouteHandler.handlerBlock(forTargetClass: Page.self) { page in
        pages.all.withLock { $0.append(page) }
        return true
      })
    #expect(jlRoutes.routeURL("tests://some/route?a=b"))
    let made = try #require(pages.all.withLock { $0.first })
    #expect(made.parameters.withLock { $0["a"] as? String } == "b")
    let root = Page()
    try global.addRoute("/other/route", handler: JLRRouteHandler.handlerBlock(forWeakTarget: root))
    #expect(jlRoutes.routeURL("tests://other/route?a=c"))
    #expect(root.parameters.withLock { $0["a"] as? String } == "c")
  }

  /// Always matches. What it is to be asked about is its reach.
  private final class AlwaysMatch: JLRRouteDefinition, @unchecked Sendable {
    override var reach: String { "/*" }

    override func routeResponse(for request: JLRRouteRequest) -> JLRRouteResponse {
      let variables = routeVariables(for: request) ?? [:]
      return .validMatchResponse(withParameters: matchParameters(for: request, routeVariables: variables))
    }
  }

  @Test("JL13: a definition that always matches, and a class for all of them")
  func alwaysMatch() throws {
    try global.addRoute(AlwaysMatch(pattern: "/foo", priority: 0, handlerBlock: JLRRouteHandlerBlock(probe.handler)))
    for url in ["tests://foo", "tests://bar/baz?a=b", "tests://"] {
      #expect(probe.route(url) != nil, "\(url)")
      #expect(probe.pattern == "/foo")
    }
    jlRoutes.defaultRouteDefinitionClass = AlwaysMatch.self
    try probe.add("/bar", scheme: "thing")
    #expect(probe.route("thing://other/1") == [:])
    #expect(probe.pattern == "/bar")
  }
}
