import JLRoutesFace
import PluginKit
import Synchronization
import Testing

/// How routes of JLRoutes are listed, removed and defined in ways of one's own.
@Suite("JLRoutes, row by row: definitions and handlers") struct JLDefinitionTests {
  private let probe = JLProbe()
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }
  private static let scheme = JLRoutesGlobalRoutesScheme

  @Test("JL13: routes are listed by scheme, in the order in which they are asked, and go with their scheme")
  func lists() throws {
    try probe.add("/a", "/b(/c)")
    try probe.add("/first", priority: 1)
    try probe.add("/t", scheme: "thing")
    #expect(global.routes.map(\.pattern) == ["/first", "/a", "/b/c", "/b"])
    #expect(global.routes.map(\.scheme) == [Self.scheme, Self.scheme, Self.scheme, Self.scheme])
    #expect(
      jlRoutes.allRoutes.mapValues { $0.map(\.pattern) } == [
        Self.scheme: ["/first", "/a", "/b/c", "/b"], "thing": ["/t"],
      ])
    // The names of schemes have no case.
    #expect(jlRoutes.routes(forScheme: "THING").routes.map(\.pattern) == ["/t"])
    jlRoutes.unregisterRouteScheme("Thing")
    #expect(jlRoutes.allRoutes.keys.sorted() == [Self.scheme])
    try probe.add("/t", scheme: "thing")
    jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes = true
    global.unmatchedURLHandler = { [probe] _, _, _ in probe.note([:]) }
    jlRoutes.unregisterAllRouteSchemes()
    #expect(jlRoutes.allRoutes.isEmpty)
    #expect(!jlRoutes.routes(forScheme: "thing").shouldFallbackToGlobalRoutes)
    #expect(global.unmatchedURLHandler == nil)
    #expect(probe.route("tests://a") == nil)
    #expect(probe.parameters == nil)
    #expect(probe.codes.isEmpty)
  }

  @Test("JL13 D34: removing a pattern with optional parts removes all its expansions, and nothing else")
  func removal() throws {
    let pattern = "/the(/foo/:a)(/bar/:b)"
    try probe.add("/the/foo/:other", pattern, "/the/end")
    try probe.add(pattern, scheme: "thing")
    #expect(global.routes.count == 6)
    // A route that was added as one of the expansions stays.
    try probe.add("/the")
    global.removeRoute(withPattern: pattern)
    #expect(global.routes.map(\.pattern) == ["/the/foo/:other", "/the/end", "/the"])
    #expect(probe.route("tests://the") == [:])
    global.removeRoute(withPattern: "/the")
    for url in ["tests://the", "tests://the/bar/1", "tests://the/foo/1/bar/2"] {
      #expect(probe.route(url) == nil, "\(url)")
    }
    #expect(probe.route("tests://the/foo/1") == ["other": "1"])
    #expect(jlRoutes.routes(forScheme: "thing").routes.count == 4)
    // Of two calls with one pattern, the first is undone; one expansion can be removed alone.
    try probe.add(pattern)
    try probe.add(pattern, priority: 1)
    global.removeRoute(withPattern: pattern)
    #expect(global.routes.map(\.priority) == [0, 0, 0, 0, 0, 0])
    global.removeRoute(withPattern: "/the/bar/:b")
    #expect(
      global.routes.map(\.pattern) == ["/the/foo/:other", "/the/end", "/the/foo/:a/bar/:b", "/the/foo/:a", "/the"])
    global.removeRoute(withPattern: "/never")
    global.removeRoute(withPattern: pattern)
    #expect(global.routes.map(\.pattern) == ["/the/foo/:other", "/the/end"])
    global.removeAllRoutes()
    #expect(global.routes.isEmpty)
    #expect(jlRoutes.routes(forScheme: "thing").routes.count == 4)
  }

  @Test("JL13: a removed pattern is the first that is equal, and a removed definition all that are")
  func equals() throws {
    let definition = { JLRRouteDefinition(pattern: "/a", handlerBlock: JLRRouteHandlerBlock(self.probe.handler)) }
    for _ in 0..<3 { try global.addRoute(definition()) }
    global.removeRoute(withPattern: "/a")
    #expect(global.routes.count == 2)
    let copy = try #require(global.routes.first).copy()
    #expect(copy.scheme == Self.scheme)
    // One that was never added is equal to none: its scheme is another.
    global.removeRoute(definition())
    #expect(global.routes.count == 2)
    global.removeRoute(copy)
    #expect(global.routes.isEmpty)
    #expect(probe.route("tests://a") == nil)
  }

  @Test("JL13: patterns are compared byte by byte, as the router compares URLs")
  func spellings() throws {
    let (composed, decomposed) = ("/caf\u{e9}", "/cafe\u{301}")
    try probe.add(decomposed, composed)
    #expect(global.routes.count == 2)
    global.removeRoute(withPattern: composed)
    #expect(global.routes.map { Array($0.pattern.utf8) } == [Array(decomposed.utf8)])
    #expect(!jlRoutes.canRouteURL("tests:" + composed) && jlRoutes.canRouteURL("tests:" + decomposed))
    #expect(global[composed] == nil && global[decomposed] != nil)
    #expect(JLRRouteDefinition(pattern: composed) != JLRRouteDefinition(pattern: decomposed))
  }

  @Test("JL13: a subscript adds a route, gets its handler, and removes it")
  func subscripts() throws {
    #expect(global["/sub(/more)"] == nil)
    global["/sub(/more)"] = JLRRouteHandlerBlock(probe.handler)
    #expect(global["/sub(/more)"] != nil)
    #expect(global["/sub/more"] != nil)
    #expect(probe.route("tests://sub/more") == [:])
    jlRoutes.routes(forScheme: "thing")["/sub"] = JLRRouteHandlerBlock { _ in false }
    #expect(probe.route("thing://sub") == nil)
    #expect(global.routes.count == 2)
    global["/sub(/more)"] = nil
    #expect(global.routes.isEmpty)
    #expect(probe.codes.isEmpty)
  }

  /// Matches each URL of its reach on an even day, and says so.
  private final class EvenDay: JLRRouteDefinition, @unchecked Sendable {
    override var reach: String { "/day/*" }

    override func routeResponse(for request: JLRRouteRequest) -> JLRRouteResponse {
      guard let day = Int(request.pathComponents.last ?? ""), day.isMultiple(of: 2) else {
        return .invalidMatchResponse()
      }
      let variables = routeVariables(for: request) ?? ["isOther": true]
      return .validMatchResponse(withParameters: matchParameters(for: request, routeVariables: variables))
    }

    override func defaultMatchParameters(for request: JLRRouteRequest) -> [String: any Sendable] {
      super.defaultMatchParameters(for: request).merging(["own": request.pathComponents.count]) { $1 }
    }
  }

  @Test("JL13: a class of definitions decides itself what it matches within its reach, and what its handler gets")
  func customClass() throws {
    let even = EvenDay(pattern: "/day/:day", priority: 2, handlerBlock: JLRRouteHandlerBlock(probe.handler))
    #expect(even.patternPathComponents == ["day", ":day"])
    #expect(even.scheme == nil)
    try global.addRoute(even)
    #expect(even.scheme == Self.scheme)
    try probe.add("/day/:any")
    #expect(probe.route("tests://day/4?x=y", ["a": "b"]) == ["day": "4", "x": "y", "a": "b", "own": "2"])
    #expect(probe.pattern == "/day/:day")
    #expect(probe.route("tests://day/5") == ["any": "5"])
    #expect(probe.route("tests://day/5/6") == ["isOther": "true", "own": "3"])
    #expect(!jlRoutes.canRouteURL("tests://day/5/7"))
    // A definition is one of one scheme.
    let error = try #require(throws: PluginError.self) { try jlRoutes.routes(forScheme: "thing").addRoute(even) }
    #expect(error.code == .routeConflict)
    try jlRoutes.routes(forScheme: "thing").addRoute(EvenDay(pattern: "/day/:day", handlerBlock: even.handlerBlock))
    #expect(probe.route("thing://day/8") == ["day": "8", "own": "2"])
    #expect(probe.scheme == "thing")
    jlRoutes.defaultRouteDefinitionClass = EvenDay.self
    try probe.add("/day/:one(/:two)", scheme: "other")
    #expect(jlRoutes.routes(forScheme: "other").routes.allSatisfy { $0 is EvenDay })
    #expect(probe.route("other://day/1/2") == ["one": "1", "two": "2", "own": "3"])
    #expect(probe.route("other://day/2/1") == nil)
  }

  /// An object and a class that handle routes.
  private final class Target: JLRRouteHandlerTarget, JLRRouteHandlerClass {
    let values: [String: String]
    private let answer: Bool

    init(_ answer: Bool) {
      values = [:]
      self.answer = answer
    }

    init(routeParameters parameters: [String: any Sendable]) {
      values = parameters.mapValues(JLProbe.shown)
      answer = true
    }

    func handleRoute(withParameters parameters: [String: any Sendable]) -> Bool { answer }
  }

  @Test("JL13: a target is not kept alive; when it is gone, its route does not match, and the next one does")
  func weakTarget() throws {
    var target: Target? = Target(true)
    weak let known = target
    try global.addRoute("/t", handler: JLRRouteHandler.handlerBlock(forWeakTarget: try #require(target)))
    let refuses = Target(false)
    try global.addRoute("/no", handler: JLRRouteHandler.handlerBlock(forWeakTarget: refuses))
    #expect(jlRoutes.routeURL("/t"))
    #expect(!jlRoutes.routeURL("/no"))
    try probe.add("/:next", scheme: Self.scheme)
    #expect(jlRoutes.routeURL("/t"))
    #expect(probe.parameters == nil)
    target = nil
    #expect(known == nil)
    #expect(probe.route("/t") == ["next": "t"])
    global.removeRoute(withPattern: "/:next")
    #expect(!jlRoutes.canRouteURL("/t"))
    #expect(!jlRoutes.routeURL("/t"))
    #expect(probe.codes.isEmpty)
    withExtendedLifetime(refuses) {}
  }

  @Test("JL13: an instance of a class is made for each URL, and handed over; its receiver can decline")
  func targetClass() throws {
    final class Made: Sendable { let all = Mutex<[Target]>([]) }
    let made = Made()
    try global.addRoute(
      "/page/:name",
      handler: JLRRouteHandler.handlerBlock(forTargetClass: Target.self) { target in
        made.all.withLock { $0.append(target) }
        return target.values["name"] != "none"
      })
    #expect(jlRoutes.routeURL("/page/one"))
    #expect(jlRoutes.routeURL("/page/two?q=1"))
    #expect(!jlRoutes.routeURL("/page/none"))
    let all = made.all.withLock { $0 }
    #expect(all.map { $0.values["name"] } == ["one", "two", "none"])
    #expect(Set(all.map(ObjectIdentifier.init)).count == 3)
    #expect(
      all[1].values == [
        "name": "two", "q": "1", JLRouteURLKey: "/page/two?q=1", JLRoutePatternKey: "/page/:name",
        JLRouteSchemeKey: Self.scheme,
      ])
  }

  @Test("JL13: routes that are no singleton share nothing: neither routes nor settings, nor what is unmatched")
  func separate() throws {
    let one = JLRoutes()
    let other = JLRoutes()
    try one.addRoute("/:a", handler: probe.handler)
    other.unmatchedURLHandler = { [probe] _, url, _ in probe.note([JLRouteURLKey: url]) }
    one.router.shouldDecodePlusSymbols = false
    #expect(one.routeURL("/x+y"))
    #expect(probe.own == ["a": "x+y"])
    #expect(!other.routeURL("/x+y"))
    #expect(other.routes.isEmpty)
    #expect(other.router.shouldDecodePlusSymbols)
    try other.addRoute("/:b", handler: probe.handler)
    #expect(other.routeURL("/x+y"))
    #expect(probe.own == ["b": "x y"])
    #expect(!jlRoutes.routeURL("/x+y"))
  }

  @Test("a handler on the main actor gets values that are not Sendable, and declines there")
  @MainActor func mainActor() async throws {
    final class Page { var name = "" }
    let page = Page()
    try global.addRoute(
      "/show/:name",
      onMain: { parameters in
        MainActor.assertIsolated()
        guard let page = parameters["page"] as? Page, let name = parameters["name"] as? String else { return false }
        page.name = name + " \(parameters[JLRoutePatternKey] ?? "")"
        return true
      })
    func open(_ url: String, _ values: [String: Any]) -> Bool {
      jlRoutes.routeURLOnMain(url, mainParameters: values)
    }
    #expect(open("tests://show/one", ["page": page, JLRoutePatternKey: "forged"]))
    #expect(page.name == "one /show/:name")
    #expect(!open("tests://show/two", [:]))
    // From elsewhere it is reached, without such values.
    #expect(await !jlRoutes.routeURL("tests://show/three"))
    #expect(page.name == "one /show/:name")
    #expect(probe.codes.isEmpty)
  }
}
