import JLRoutesFace
import Synchronization
import Testing

/// The cases of JLRoutes' own suite about lists, definitions and handlers, one test for each of its methods.
@Suite("JLRoutes' own cases: lists, definitions, handlers") struct JLRoutesSuiteListTests {
  private let probe = JLProbe()
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }
  private static let scheme = JLRoutesGlobalRoutesScheme

  @Test("JL13: routes array") func routesArray() throws {
    try probe.add("/global1", "/global2", "/global3")
    #expect(global.routes.map(\.pattern) == ["/global1", "/global2", "/global3"])
    try probe.add("/scheme1", "/scheme2", scheme: "scheme")
    #expect(jlRoutes.routes(forScheme: "scheme").routes.map(\.pattern) == ["/scheme1", "/scheme2"])
    #expect(jlRoutes.routes(forScheme: "foo").routes.isEmpty)
  }

  @Test("JL13: all routes") func allRoutes() throws {
    try probe.add("/global1", "/global2", "/global3")
    try probe.add("/scheme1", "/scheme2", scheme: "scheme")
    let all = jlRoutes.allRoutes.mapValues { $0.map(\.pattern) }
    #expect(
      all == [Self.scheme: ["/global1", "/global2", "/global3"], "scheme": ["/scheme1", "/scheme2"]])
  }

  @Test("JL13: subscripting") func subscripting() throws {
    global["/subscripting"] = JLRRouteHandlerBlock(probe.handler)
    #expect(global.canRouteURL("subscripting"))
    #expect(probe.route("subscripting") == [:])
  }

  @Test("JL13: non-singleton usage") func nonSingletonUsage() throws {
    let routes = JLRoutes()
    try routes.addRoute("/success", handler: nil)
    #expect(routes.routeURL("/success"))
    #expect(!JLRoutes().routeURL("/success"))
    #expect(!jlRoutes.routeURL("/success"))
  }

  @Test("JL13: route removal") func routeRemoval() throws {
    try probe.add("/:")
    try probe.add("/test1", "/test2", scheme: "namespaceTest3")
    #expect(probe.route("namespaceTest3://test1") == [:])
    jlRoutes.routes(forScheme: "namespaceTest3").removeRoute(withPattern: "/test1")
    #expect(probe.route("namespaceTest3://test1") == nil)
    #expect(probe.route("namespaceTest3://test2") == [:])
    #expect(probe.scheme == "namespaceTest3")
    jlRoutes.unregisterRouteScheme("namespaceTest3")
    #expect(probe.route("namespaceTest3://test2") == [":": "test2"])
    #expect(probe.scheme == Self.scheme)
  }

  /// A class of definitions of somebody's own.
  private final class MockDefinition: JLRRouteDefinition, @unchecked Sendable {}

  @Test("JL13: adding custom route definition") func addingCustomRouteDefinition() throws {
    let custom = MockDefinition(pattern: "/test", handlerBlock: JLRRouteHandlerBlock(probe.handler))
    try global.addRoute(custom)
    #expect(probe.route("tests://test") == [:])
    #expect(probe.scheme == Self.scheme)
    global.removeRoute(custom)
    #expect(probe.route("tests://test") == nil)
  }

  @Test("JL13: change default route definition class") func changeDefaultRouteDefinitionClass() throws {
    jlRoutes.defaultRouteDefinitionClass = MockDefinition.self
    try probe.add("/foo")
    #expect(global.routes.first is MockDefinition)
    #expect(probe.route("tests://foo") == [:])
  }

  @Test("JL13: route definition equality") func routeDefinitionEquality() throws {
    let one = JLRRouteDefinition(pattern: "/foo", handlerBlock: JLRRouteHandlerBlock(probe.handler))
    let copy = one.copy()
    #expect(one == copy)
    #expect(one.hashValue == copy.hashValue)
    copy.didBecomeRegistered(forScheme: "scheme")
    #expect(one != copy)
    #expect(copy == copy.copy())
    #expect(one != JLRRouteDefinition(pattern: "/foo/bar", handlerBlock: one.handlerBlock))
    #expect(one != JLRRouteDefinition(pattern: "/foo", priority: 1))
  }

  /// An object and a class that handle routes.
  private final class MockTarget: JLRRouteHandlerTarget, JLRRouteHandlerClass {
    let routeParameters: Mutex<[String: any Sendable]>

    init() { routeParameters = Mutex([:]) }
    init(routeParameters parameters: [String: any Sendable]) { routeParameters = Mutex(parameters) }

    func handleRoute(withParameters parameters: [String: any Sendable]) -> Bool {
      routeParameters.withLock { $0 = parameters }
      return true
    }

    var shown: [String: String] { routeParameters.withLock { $0.mapValues(JLProbe.shown) } }
  }

  private static let shown = [
    JLRouteURLKey: "/test", JLRoutePatternKey: "/test", JLRouteSchemeKey: JLRoutesGlobalRoutesScheme,
  ]

  @Test("JL13: handler block for weak target") func handlerBlockForWeakTarget() throws {
    var target: MockTarget? = MockTarget()
    try global.addRoute("/test", handler: JLRRouteHandler.handlerBlock(forWeakTarget: try #require(target)))
    #expect(jlRoutes.routeURL("/test"))
    #expect(target?.shown == Self.shown)
    target = nil
    #expect(!jlRoutes.routeURL("/test"))
    #expect(!jlRoutes.canRouteURL("/test"))
    #expect(global.routes.count == 1)
  }

  @Test("JL13: handler block for target class") func handlerBlockForTargetClass() throws {
    let made = Made()
    try global.addRoute(
      "/test",
      handler: JLRRouteHandler.handlerBlock(forTargetClass: MockTarget.self) { target in
        made.target.withLock { $0 = target }
        return true
      })
    #expect(jlRoutes.routeURL("/test"))
    #expect(made.target.withLock { $0?.shown } == Self.shown)
  }

  private final class Made: Sendable { let target = Mutex<MockTarget?>(nil) }
}
