import JLRoutesFace
import PluginKit
import Synchronization
import TestSupport
import Testing

/// Random routes and URLs, compared with ``SlowJLRoutes``. A failure names its seed.
@Suite("JLRoutes and a slow, obvious one do the same") struct JLModelTests {
  private static let schemes = [SlowJLRoutes.global, SlowJLRoutes.global, "thing", "stuff"]
  /// Each with what it stands for.
  private static let patterns: [(String, [String])] = [
    ("/", ["/"]), ("/:", ["/:"]), ("/a", ["/a"]), ("a/b", ["a/b"]), ("/:x", ["/:x"]), ("/a/:x", ["/a/:x"]),
    ("/:x/b", ["/:x/b"]), ("/:x/:x", ["/:x/:x"]), ("/:x/:y/:z", ["/:x/:y/:z"]), ("/*", ["/*"]), ("/a/*", ["/a/*"]),
    ("/:x/*", ["/:x/*"]), ("/a/:x/b/*", ["/a/:x/b/*"]), ("/a#/b", ["/a#/b"]), ("/:x#/:y", ["/:x#/:y"]),
    ("/a#/*", ["/a#/*"]), ("/a#", ["/a#"]), ("/a+b/:x-y", ["/a+b/:x-y"]), ("/a%20b", ["/a%20b"]), ("/a b", ["/a b"]),
    ("/A", ["/A"]), ("/岁/:JLRouteScheme", ["/岁/:JLRouteScheme"]), ("/:1", ["/:1"]),
    ("/a(/:x)", ["/a/:x", "/a"]), ("/(a/)(b/):x", ["/a/b/:x", "/a/:x", "/b/:x", "/:x"]),
    ("/a(/b)(/:x)", ["/a/b/:x", "/a/:x", "/a/b", "/a"]), ("(/a)", ["/a", "/"]),
  ]
  private static let parts = ["a", "b", "A", "c", "a+b", "a%2Bb", "a%20b", "%61", "%2F", "%2a", "%3Ax", "a%3Fb", "岁"]
  private static let hosts = ["a", "b", "A", "localhost", "www.example.com", ""]
  private static let queries = [
    "", "", "?", "?k=v", "?k", "?k=", "?k=1&k=2&l=3", "?x=evil&y=evil", "?k=a+b&l=a%2Bb", "?k=%2541%26",
    "?JLRouteScheme=x&JLRouteWildcardComponents=x&JLRoutePattern=x", "?&&k=v", "?k=a=b",
  ]
  private static let fragments = [
    "", "", "", "#", "#/", "#/b", "#/b/", "#/a/c", "#k=f", "#k=1&x=2", "#/b?k=f&l", "#/%2F", "#/b?x=evil",
  ]

  @Test("in random calls", .seeded, arguments: 0..<20)
  func same(_ number: UInt64) throws {
    var random = SeededRandom(Seed.current &+ number)
    let jlRoutes = JLRouter(Switchboard())
    var slow = SlowJLRoutes()
    let trial = Trial()
    jlRoutes.onFailure = { Issue.record("\($0)") }
    for step in 0..<250 {
      let scheme = random.one(of: Self.schemes)
      let routes = jlRoutes.routes(forScheme: scheme)
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<4:
        let (pattern, expansions) = random.one(of: Self.patterns)
        let priority = random.one(of: [0, 0, 1, 2, 7] as [UInt])
        let handles = Int.random(in: 0..<3, using: &random) > 0
        // One handler for all, as the face has it: the pattern tells the routes of one call apart.
        let ids = expansions.indices.map { step * 100 + $0 }
        let numbers = Dictionary(zip(expansions, ids)) { one, _ in one }
        try routes.addRoute(pattern, priority: priority) { parameters in
          trial.asked(numbers[parameters[JLRoutePatternKey] as? String ?? ""] ?? -1, parameters)
          return handles
        }
        slow.add(pattern, expansions, scheme, priority: priority, handles: handles, ids: ids)
      case 4:
        let (pattern, expansions) = random.one(of: Self.patterns)
        let removed = random.one(of: [pattern] + expansions)
        routes.removeRoute(withPattern: removed)
        slow.remove(removed, scheme)
      case 5:
        if Int.random(in: 0..<4, using: &random) == 0 {
          routes.removeAllRoutes()
          slow.removeAll(scheme)
        }
        guard scheme != SlowJLRoutes.global else { continue }
        routes.shouldFallbackToGlobalRoutes.toggle()
        slow.fallingBack.formSymmetricDifference([scheme])
      case 6:
        jlRoutes.alwaysTreatsHostAsPathComponent.toggle()
        slow.countsHost.toggle()
      case 7:
        jlRoutes.shouldDecodePlusSymbols.toggle()
        slow.plusIsSpace.toggle()
      default: check(url(&random), jlRoutes, slow, trial, step, &random)
      }
      for scheme in Self.schemes {
        let patterns = slow.routes[scheme, default: []].map(\.pattern)
        #expect(jlRoutes.routes(forScheme: scheme).routes.map(\.pattern) == patterns, "in step \(step)")
      }
    }
  }

  /// Routes a URL on both sides.
  private func check(
    _ url: String, _ jlRoutes: JLRouter, _ slow: SlowJLRoutes, _ trial: Trial, _ step: Int,
    _ random: inout SeededRandom
  ) {
    let given = random.one(of: [[:], [:], ["x": "given"], ["k": "given", "n": "1"]])
    let expected = slow.open(url, given)
    let isRouted = jlRoutes.routeURL(url, withParameters: given)
    let found = trial.taken(isRouted)
    #expect(found == expected, "\(url) \(given) in step \(step)")
    #expect(jlRoutes.canRouteURL(url) == !slow.matches(url).isEmpty, "\(url) in step \(step)")
    // The routes for every scheme can be asked about any URL.
    let global = slow.open(url, [:], in: SlowJLRoutes.global)
    let isRoutedGlobally = jlRoutes.global().routeURL(url)
    #expect(trial.taken(isRoutedGlobally) == global, "\(url) among the global routes in step \(step)")
  }

  private func url(_ random: inout SeededRandom) -> String {
    let scheme = random.one(of: ["tests", "thing", "stuff", "THING", "https"])
    var path = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.one(of: Self.parts) }.joined(
      separator: "/")
    if !path.isEmpty, Bool.random(using: &random) { path += "/" }
    let rest = path + random.one(of: Self.queries) + random.one(of: Self.fragments)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(scheme):/\(rest)"
    case 1: return "/\(rest)"
    case 2 where !path.isEmpty: return rest
    default:
      let host = random.one(of: Self.hosts)
      return "\(scheme)://\(host)" + (path.isEmpty ? "" : "/") + rest
    }
  }

  /// What the handlers get.
  private final class Trial: Sendable {
    private let heard = Mutex<(asked: [Int], last: [String: any Sendable])>(([], [:]))

    func asked(_ id: Int, _ parameters: [String: any Sendable]) {
      heard.withLock { heard in
        heard.asked.append(id)
        heard.last = parameters
      }
    }

    /// What was heard since the last call.
    func taken(_ isRouted: Bool) -> SlowJLRoutes.Outcome {
      heard.withLock { heard in
        defer { heard = ([], [:]) }
        guard isRouted else { return SlowJLRoutes.Outcome(asked: heard.asked) }
        let keys = [JLRoutePatternKey, JLRouteURLKey, JLRouteSchemeKey]
        return SlowJLRoutes.Outcome(
          asked: heard.asked,
          values: heard.last.filter { !keys.contains($0.key) }.mapValues(JLProbe.shown),
          pattern: heard.last[JLRoutePatternKey] as? String, scheme: heard.last[JLRouteSchemeKey] as? String)
      }
    }
  }
}
