import JLRoutesFace
import PluginKit
import Testing

/// What JLRoutes does with several routes, row by row, beyond the cases of its own suite.
@Suite("JLRoutes, row by row: routes and schemes") struct JLOrderTests {
  private let probe = JLProbe()
  private let heard = Log()
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }
  private static let scheme = JLRoutesGlobalRoutesScheme

  /// A handler that notes its name, and says whether it handles URLs.
  private func named(_ name: String, _ handles: Bool) -> @Sendable ([String: any Sendable]) -> Bool {
    { [heard] _ in
      heard.add(name)
      return handles
    }
  }

  @Test("JL5: the higher priority is asked first, then the earlier route; those without a priority are at the end")
  func priorities() throws {
    try probe.add("/test/priority/:level")
    try probe.add("/test/priority/high", priority: 20)
    #expect(probe.route("tests://test/priority/high") == [:])
    #expect(probe.pattern == "/test/priority/high")
    #expect(probe.route("tests://test/priority/low") == ["level": "low"])

    let routes = jlRoutes.routes(forScheme: "order")
    for (pattern, priority) in [
      ("/:a", 0), ("/x", 0), ("/*", 3), ("/:b", 3), ("/:c", 9), ("/:d", UInt.max), ("/:e", 1), ("/:f", 0), ("/:g", 9),
    ] as [(String, UInt)] {
      try routes.addRoute(pattern, priority: priority, handler: named(pattern, false))
    }
    let order = ["/:d", "/:c", "/:g", "/*", "/:b", "/:e", "/:a", "/x", "/:f"]
    #expect(routes.routes.map(\.pattern) == order)
    #expect(routes.routes.map(\.priority) == [UInt.max, 9, 9, 3, 3, 1, 0, 0, 0])
    #expect(!jlRoutes.routeURL("order://x"))
    #expect(heard.taken() == order)
    // One that was removed is asked after those that were there meanwhile.
    routes.removeRoute(withPattern: "/:c")
    try routes.addRoute("/:c", priority: 9, handler: named("/:c", true))
    #expect(jlRoutes.routeURL("order://x"))
    #expect(heard.taken() == ["/:d", "/:g", "/:c"])
  }

  @Test("JL6: a handler that declines has the next route asked; a route without a handler handles what it matches")
  func declining() throws {
    try global.addRoute("/return/:value") { [probe] parameters in
      probe.note(parameters)
      return parameters["value"] as? String == "yes"
    }
    #expect(!jlRoutes.routeURL("tests://return/no"))
    #expect(jlRoutes.routeURL("tests://return/yes"))
    // Whether it will decline, only the handler knows.
    #expect(jlRoutes.canRouteURL("tests://return/no"))
    try global.addRoute("/return/no", handler: named("first", false))
    try global.addRoute("/:a/no", handler: named("second", false))
    try global.addRoute("/*", handler: nil)
    try global.addRoute("/return/:last", handler: named("never", true))
    #expect(jlRoutes.routeURL("tests://return/no"))
    #expect(heard.taken() == ["first", "second"])
    #expect(probe.own == ["value": "no"])
    #expect(probe.codes.isEmpty)
  }

  @Test("JL6: a handler can route on, add and remove routes")
  func reentrance() throws {
    let routes = global
    try routes.addRoute("/first") { [jlRoutes, heard] _ in
      heard.add("first")
      routes.removeRoute(withPattern: "/second")
      try? routes.addRoute("/third") { _ in
        heard.add("third")
        return true
      }
      return jlRoutes.routeURL("tests://second") || jlRoutes.routeURL("tests://third")
    }
    try routes.addRoute("/second", handler: named("second", true))
    #expect(jlRoutes.routeURL("tests://first"))
    #expect(heard.taken() == ["first", "third"])
  }

  @Test(
    "JL7: a scheme with routes has only these, and those for every scheme if it says so; other schemes have those")
  func schemes() throws {
    let thing = jlRoutes.routes(forScheme: "thing")
    for scheme in [Self.scheme, "thing", "stuff", "Upper"] { try probe.add("/foo", scheme: scheme) }
    try probe.add("/global")
    for (url, scheme) in [
      ("thing://foo", "thing"), ("stuff://foo", "stuff"), ("other://foo", Self.scheme), ("/foo", Self.scheme),
      ("foo", Self.scheme), ("THING:/foo", "thing"), ("upper:/foo", "Upper"),
      ("https://www.example.com/foo", Self.scheme),
    ] {
      #expect(probe.route(url) == [:], "\(url)")
      #expect(probe.scheme == scheme, "\(url)")
    }
    #expect(!thing.shouldFallbackToGlobalRoutes)
    #expect(probe.route("thing://global") == nil)
    #expect(!jlRoutes.canRouteURL("thing://global"))
    #expect(probe.route("other://global") == [:])
    thing.shouldFallbackToGlobalRoutes = true
    #expect(thing.shouldFallbackToGlobalRoutes)
    #expect(probe.route("thing://global") == [:])
    #expect(probe.scheme == Self.scheme)
    #expect(jlRoutes.canRouteURL("thing://global"))
    // Its own routes are asked before, and the other scheme has not asked for it.
    #expect(probe.route("thing://foo") == [:])
    #expect(probe.scheme == "thing")
    #expect(probe.route("stuff://global") == nil)
    // Its own handler declines: then it falls back, too.
    try thing.addRoute("/global", handler: named("thing", false))
    #expect(probe.route("thing://global") == [:])
    #expect(heard.taken() == ["thing"])
    thing.shouldFallbackToGlobalRoutes = false
    #expect(probe.route("thing://global") == nil)
    #expect(heard.taken() == ["thing"])
    // The routes for every scheme fall back to nothing.
    global.shouldFallbackToGlobalRoutes = true
    #expect(!global.shouldFallbackToGlobalRoutes)
  }

  @Test("JL8: a URL that nothing has handled goes to the handler for these, but not when somebody only asks")
  func unmatched() throws {
    try global.addRoute("/declined", handler: named("declined", false))
    try global.addRoute("/routed", handler: named("routed", true))
    try jlRoutes.routes(forScheme: "thing").addRoute("/foo", handler: named("foo", true))
    func listen(_ routes: JLRoutes, _ name: String) {
      routes.unmatchedURLHandler = { [heard] routes, url, parameters in
        heard.add("\(name) \(routes.scheme) \(url) \(parameters.keys.sorted())")
      }
    }
    listen(global, "global")
    for url in ["tests://missing", "tests://declined", "thing://missing"] {
      _ = jlRoutes.canRouteURL(url)
      _ = global.canRouteURL(url)
    }
    #expect(heard.taken() == [])
    #expect(jlRoutes.routeURL("tests://routed"))
    #expect(heard.taken() == ["routed"])
    #expect(!jlRoutes.routeURL("tests://missing?q=1", withParameters: ["a": 1, "b": 2]))
    #expect(heard.taken() == [#"global \#(Self.scheme) tests://missing?q=1 ["a", "b"]"#])
    #expect(!jlRoutes.routeURL("tests://declined"))
    #expect(heard.taken() == ["declined", "global \(Self.scheme) tests://declined []"])
    #expect(!jlRoutes.routeURL(nil))
    // A scheme has a handler of its own; with a fallback, both are called.
    #expect(!jlRoutes.routeURL("thing://missing"))
    #expect(heard.taken() == [])
    let thing = jlRoutes.routes(forScheme: "thing")
    listen(thing, "own")
    #expect(!jlRoutes.routeURL("thing://missing"))
    #expect(heard.taken() == ["own thing thing://missing []"])
    thing.shouldFallbackToGlobalRoutes = true
    #expect(!jlRoutes.routeURL("thing://missing"))
    #expect(heard.taken() == ["global \(Self.scheme) thing://missing []", "own thing thing://missing []"])
    #expect(!jlRoutes.canRouteURL("thing://missing"))
    #expect(heard.taken() == [])
    global.unmatchedURLHandler = nil
    jlRoutes.unregisterRouteScheme("thing")
    #expect(!jlRoutes.routeURL("thing://missing"))
    #expect(heard.taken() == [])
    #expect(probe.codes.isEmpty)
  }

  @Test("JL8: the form that waits without a thread, and that of the main actor, call it, too")
  @MainActor func unmatchedElsewhere() async throws {
    global.unmatchedURLHandler = { [heard] _, url, _ in heard.add(url) }
    #expect(await !jlRoutes.routeURL("tests://async"))
    #expect(await !global.routeURL("tests://own"))
    onMain()
    #expect(heard.taken() == ["tests://async", "tests://own", "tests://main", "tests://ownMain"])
  }

  @MainActor private func onMain() {
    #expect(!jlRoutes.routeURLOnMain("tests://main"))
    #expect(!global.routeURLOnMain("tests://ownMain"))
  }
}
