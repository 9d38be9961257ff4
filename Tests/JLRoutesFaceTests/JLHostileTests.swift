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
}
