import JLRoutesFace
import PluginKit
import Testing

@Suite("What JLRoutes' calls make of hostile inputs") struct JLHostileTests {
  @Test("handlers of unmatched URLs and of failures that route what has no route come to an end")
  func recursion() async {
    await #expect(processExitsWith: .success) { try Self.recurse() }
  }

  private static func recurse() throws {
    let calls = JLRouter(Switchboard())
    let (unmatched, failures) = (Log(), Log())
    calls.global().unmatchedURLHandler = { routes, url, _ in
      unmatched.add(url)
      routes.routeURL("/missing")
    }
    calls.onFailure = { error in
      failures.add("\(error.code)")
      calls.routeURL("/missing")
      // This is no URL at all.
      calls.routeURL("a://b//c")
    }
    try #require(!calls.routeURL("/first"))
    try #require(unmatched.all.first == "/first" && unmatched.all.count == 63, "\(unmatched.all.count) URLs")
    // Whoever asks why hears of it.
    try #require(failures.all == ["route.too-deep"], "\(failures.all)")
    // The next URL begins anew.
    try #require(!calls.routeURL("a://b//c") && failures.all.contains("url.empty-segment"))
  }

  @Test("a pattern that is too long is refused at once, even if all of its parameters have one name")
  func length() {
    let routes = JLRouter().global()
    for pattern in [
      String(repeating: "/:a", count: 100_000), String(repeating: "/a", count: 513),
      "/(" + String(repeating: "/:a", count: 100_000) + ")", "/:" + String(repeating: "a", count: 1024),
    ] {
      expectPluginError(.patternTooLong) { try routes.addRoute(pattern) { _ in true } }
      expectPluginError(.patternTooLong) { try routes.addRoute(JLRRouteDefinition(pattern: pattern)) }
    }
    #expect(routes.routes.isEmpty)
  }

  @Test("parentheses in the pattern of a definition are a text, and give it no other way to be read")
  func parentheses() throws {
    let routes = JLRouter().global()
    try routes.addRoute(JLRRouteDefinition(pattern: "/a(/b)/:c"))
    #expect(routes.canRouteURL("/a(/b)/7") && routes.canRouteURL("/a%28/b%29/7"))
    #expect(!routes.canRouteURL("/a/b/7") && !routes.canRouteURL("/a/7"))
    try routes.addRoute(JLRRouteDefinition(pattern: "/)("))
    #expect(routes.canRouteURL("/)("))
  }
}
