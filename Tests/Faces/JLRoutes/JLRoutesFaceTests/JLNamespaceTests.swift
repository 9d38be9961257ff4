import JLRoutesFace
import PluginKit
import Testing

/// The routes of a scheme: who is asked, who falls back, and what hears of URLs that nothing has handled.
@Suite("JLRoutes, row by row: the routes of a scheme") struct JLNamespaceTests {
  private let switchboard = Switchboard()
  private let probe: JLProbe
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }
  private static let everywhere = JLRoutesGlobalRoutesScheme

  init() { probe = JLProbe(JLRouter(switchboard)) }

  private func module(_ name: String, _ routes: String...) throws -> JLProbe {
    JLProbe(JLRouter(switchboard.context(for: try ModuleDeclaration(identifier: name, routes: routes))))
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
}
