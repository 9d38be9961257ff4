import JLRoutesFace
import PluginKit
import Testing

/// Schemes, URLs that nobody handles, lists and removal.
@Suite("JLRoutes' schemes and lists") struct JLNamespaceTests {
  private let switchboard = Switchboard()
  private let probe: JLProbe
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }
  private static let everywhere = JLRoutesGlobalRoutesScheme

  init() { probe = JLProbe(JLRouter(switchboard)) }

  private func module(_ name: String, _ routes: String...) throws -> JLProbe {
    JLProbe(JLRouter(switchboard.context(for: try ModuleDeclaration(identifier: name, routes: routes))))
  }

  @Test("JL7: a scheme has routes of its own, and those for every scheme only if it says so or has none")
  func schemes() throws {
    try probe.add("/foo", "/global")
    try probe.add("/foo", scheme: "thing")
    try probe.add("/foo", scheme: "Stuff")
    for (url, scheme) in [
      ("thing://foo", "thing"), ("THING:/foo", "thing"), ("stuff://foo", "Stuff"), ("other://foo", Self.everywhere),
      ("/foo", Self.everywhere), ("foo", Self.everywhere),
    ] {
      #expect(probe.route(url) == [:], "\(url)")
      #expect(probe.scheme == scheme, "\(url)")
    }
    let thing = jlRoutes.routes(forScheme: "thing")
    #expect(!thing.shouldFallbackToGlobalRoutes)
    #expect(probe.route("thing://global") == nil)
    thing.shouldFallbackToGlobalRoutes = true
    #expect(thing.shouldFallbackToGlobalRoutes && !jlRoutes.routes(forScheme: "stuff").shouldFallbackToGlobalRoutes)
    #expect(probe.route("thing://global") == [:])
    #expect(probe.scheme == Self.everywhere)
    #expect(probe.route("thing://foo") == [:])
    #expect(probe.scheme == "thing")
    #expect(probe.route("stuff://global") == nil)
    thing.shouldFallbackToGlobalRoutes = false
    #expect(probe.route("thing://global") == nil)
    // It means nothing for the routes for every scheme.
    global.shouldFallbackToGlobalRoutes = true
    #expect(!global.shouldFallbackToGlobalRoutes)
  }

  @Test("JL7: the routes of a scheme can be asked whatever the URL's own scheme is")
  func askedRoutes() throws {
    try probe.add("/foo", "/global")
    try probe.add("/foo", "/own/:id", scheme: "thing")
    let thing = jlRoutes.routes(forScheme: "thing")
    for url in ["https://www.example.com/own/7", "other://own/7", "/own/7", "thing:own/7"] {
      #expect(probe.route(url, in: thing) == ["id": "7"], "\(url)")
      #expect(thing.canRouteURL(url))
      #expect(probe.parameters?[JLRouteURLKey] as? String == url)
    }
    #expect(probe.route("thing://foo", in: global) == [:])
    #expect(probe.scheme == Self.everywhere)
    #expect(probe.route("thing://own/7", in: global) == nil)
    #expect(probe.route("other://global", in: thing) == nil)
    thing.shouldFallbackToGlobalRoutes = true
    #expect(probe.route("other://global", in: thing) == [:])
    #expect(probe.route("/x", in: jlRoutes.routes(forScheme: "no scheme")) == nil)
    #expect(probe.codes == [.urlMalformed])
    expectPluginError(.patternMalformed) { try jlRoutes.routes(forScheme: "no scheme").addRoute("/x") }
    expectPluginError(.patternMalformed) { try jlRoutes.routes(forScheme: "").addRoute("/x") }
    expectPluginError(.patternMalformed) { try jlRoutes.routes(forScheme: "*").addRoute("/x") }
  }

  @Test("JL7: a module lets a scheme fall back only if it declares a route of it, and only as long as it is there")
  func moduleFallback() throws {
    try probe.add("/global")
    let module = try module("com.example.m", "thing://foo", "*://own")
    try module.add("/foo", scheme: "thing")
    #expect(probe.route("thing://global") == nil)
    module.jlRoutes.routes(forScheme: "pay").shouldFallbackToGlobalRoutes = true
    #expect(module.codes == [.routeUndeclared])
    #expect(!module.jlRoutes.routes(forScheme: "pay").shouldFallbackToGlobalRoutes)
    module.jlRoutes.routes(forScheme: "Thing").shouldFallbackToGlobalRoutes = true
    #expect(module.codes.isEmpty)
    #expect(jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes)
    #expect(probe.route("thing://global") == [:])
    // What another one allows stays allowed.
    jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = false
    #expect(probe.route("thing://global") == [:])
    switchboard.removeAll(ownedBy: .module("com.example.m"))
    #expect(!switchboard.router.fallsBack(scheme: "thing"))
    module.jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = true
    #expect(module.codes == [.moduleRemoved])
    #expect(!switchboard.router.fallsBack(scheme: "thing"))
  }

  @Test(
    "JL8: the handler for unmatched URLs is called when nothing has handled one, and never while somebody only asks")
  func unmatched() throws {
    let log = Log()
    try global.addRoute("/declines") { _ in false }
    global.unmatchedURLHandler = { routes, url, parameters in
      log.add("\(routes.scheme) \(url) \(parameters.count)")
    }
    #expect(!jlRoutes.canRouteURL("tests://none") && jlRoutes.canRouteURL("tests://declines"))
    #expect(!global.canRouteURL("tests://none") && !jlRoutes.canRouteURL(nil))
    #expect(log.all.isEmpty)
    #expect(!jlRoutes.routeURL("tests://none?x=1", withParameters: ["a": 1]))
    #expect(!jlRoutes.routeURL("tests://declines"))
    #expect(log.all == ["\(Self.everywhere) tests://none?x=1 1", "\(Self.everywhere) tests://declines 0"])
    // Not without a URL, for one that is none, or for one that is handled.
    try probe.add("/handled")
    for url in [nil, "tests://a/../b", "tests://a//b", "1:x", "tests://a\nb", "tests://handled"] {
      jlRoutes.routeURL(url)
    }
    #expect(log.all.count == 2)
    #expect(probe.codes == [.urlDotSegment, .urlEmptySegment, .urlMalformed, .urlControlCharacter])
  }

  @Test("JL8: a scheme has a handler of its own; where it falls back, that for every scheme is called before")
  func unmatchedOfSchemes() throws {
    let log = Log()
    for routes in [global, jlRoutes.routes(forScheme: "thing"), jlRoutes.routes(forScheme: "Empty")] {
      routes.unmatchedURLHandler = { routes, url, _ in log.add("\(routes.scheme) \(url)") }
    }
    try probe.add("/foo", scheme: "thing")
    try probe.add("/foo", scheme: "silent")
    func expect(_ url: String, _ entries: String..., sourceLocation: SourceLocation = #_sourceLocation) {
      let before = log.all.count
      #expect(!jlRoutes.routeURL(url))
      #expect(Array(log.all[before...]) == entries, sourceLocation: sourceLocation)
    }
    expect("thing://x", "thing thing://x")
    expect("empty://x", "empty empty://x")
    expect("silent://x")
    expect("other://x", "\(Self.everywhere) other://x")
    jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = true
    expect("thing://x", "\(Self.everywhere) thing://x", "thing thing://x")
    jlRoutes.unregisterRouteScheme("thing")
    #expect(!switchboard.router.fallsBack(scheme: "thing"))
    expect("thing://x", "\(Self.everywhere) thing://x")
    #expect(jlRoutes.routes(forScheme: "thing").unmatchedURLHandler == nil)
    jlRoutes.routes(forScheme: "silent").shouldFallbackToGlobalRoutes = true
    jlRoutes.unregisterAllRouteSchemes()
    expect("other://x")
    #expect(jlRoutes.allRoutes.isEmpty && switchboard.table.isEmpty)
    #expect(!switchboard.router.fallsBack(scheme: "silent"))
  }

  @Test("JL13 D34: removing a pattern with optional parts removes all its expansions, and one expansion only itself")
  func removal() throws {
    let pattern = "/the(/foo/:a)(/bar/:b)"
    try probe.add(pattern, "/the", "/other")
    try probe.add(pattern, scheme: "thing")
    #expect(global.routes.count == 6)
    global.removeRoute(withPattern: pattern)
    #expect(global.routes.map(\.pattern) == ["/the", "/other"])
    #expect(probe.route("tests://the/foo/1") == nil)
    #expect(probe.route("tests://the") == [:])
    let thing = jlRoutes.routes(forScheme: "thing")
    thing.removeRoute(withPattern: "/the/foo/:a")
    #expect(thing.routes.map(\.pattern) == ["/the/foo/:a/bar/:b", "/the/bar/:b", "/the"])
    #expect(probe.route("thing://the/foo/1") == nil)
    thing.removeRoute(withPattern: pattern)
    #expect(thing.routes.isEmpty)
    // Of two that were added, the first is removed.
    try probe.add(pattern, pattern)
    #expect(global.routes.count == 10)
    global.removeRoute(withPattern: pattern)
    #expect(global.routes.count == 6)
    global.removeRoute(withPattern: "/none")
    global.removeRoute(JLRRouteDefinition(pattern: "/the"))
    #expect(global.routes.count == 6)
    for definition in global.routes where definition.pattern == "/other" { global.removeRoute(definition) }
    #expect(global.routes.count == 5)
    global.removeAllRoutes()
    #expect(global.routes.isEmpty && switchboard.table.isEmpty)
  }

  @Test("JL13: a subscript adds, gives and removes a route; what it cannot add is told")
  func subscripting() throws {
    global["/a(/b)"] = JLRRouteHandlerBlock(probe.handler)
    #expect(global["/a(/b)"] != nil && global["/a"] != nil && global["/c"] == nil)
    #expect(probe.route("tests://a/b") == [:])
    global["/a(/b)"] = nil
    #expect(global.routes.isEmpty && global["/a"] == nil)
    global["/a("] = JLRRouteHandlerBlock(probe.handler)
    #expect(probe.codes == [.patternMalformed])
    let module = try module("com.example.m", "*://own")
    module.jlRoutes.global()["/other"] = JLRRouteHandlerBlock(module.handler)
    #expect(module.codes == [.routeUndeclared])
    #expect(switchboard.table.isEmpty)
  }

  @Test("JL13: a verbose log has a line for each step, once it is asked for")
  func verboseLog() throws {
    let log = Log()
    try probe.add("/a/:b")
    jlRoutes.routeURL("tests://a/1")
    jlRoutes.verboseLog = { log.add($0) }
    #expect(jlRoutes.verboseLog != nil)
    jlRoutes.routeURL("tests://a/1")
    jlRoutes.routeURL("tests://none")
    #expect(log.all.count == 4)
    #expect(log.all.first == "[JLRoutes]: trying to route tests://a/1")
    #expect(log.all.dropFirst().first?.hasPrefix("[JLRoutes]: /a/:b (priority: 0) matches with ") == true)
    #expect(log.all.last == "[JLRoutes]: no route for tests://none")
  }
}
