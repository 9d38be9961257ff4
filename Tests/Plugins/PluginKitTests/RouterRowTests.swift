import PluginKit
import Testing

/// A router whose handlers say which of them ran.
func makeRouter(_ patterns: String..., fallback: Set<String> = []) throws -> Router {
  let router = Router()
  for pattern in patterns {
    try router.register(RoutePattern(pattern), owner: .host, allowsFallback: fallback.contains(pattern)) { _ in
      pattern
    }
  }
  return router
}

extension Router {
  /// The pattern of whichever handler ran; nil when none did.
  func ran(_ url: String) -> String? { object(for: url) as? String }
}

@Suite("Rows of MGJRouter") struct RouterRowTests {
  @Test("MG1: a handler gets the URL, what was given along, and its answer is the caller's")
  func basic() throws {
    let router = Router()
    try router.register(RoutePattern("mgj://foo/bar"), owner: .host) { request in
      "\(request.url) \(request.userInfo["k"] as? Int ?? 0)"
    }
    #expect(try router.open("mgj://foo/bar", userInfo: ["k": 7]) as? String == "mgj://foo/bar 7")
  }

  @Test("MG2: parameters of path and query are apart, and can be looked up together")
  func parameters() throws {
    let router = Router()
    try router.register(RoutePattern("mgj://search/:query"), owner: .host) { request in
      [request.parameters["query"], request.query["color"], request.text("query"), request.text("color")]
    }
    #expect(
      try router.open("mgj://search/bicycle?color=red") as? [String?] == ["bicycle", "red", "bicycle", "red"])
  }

  @Test("MG3: a suffix has to be there, and is no part of the value")
  func suffix() throws {
    let router = Router()
    try router.register(RoutePattern("mgj://d/:id.html"), owner: .host) { $0.parameters["id"] }
    #expect(router.ran("mgj://d/123.html") == "123")
    #expect(router.ran("mgj://d/123") == nil)
    #expect(router.ran("mgj://d/.html") == nil)
  }

  @Test("MG4: a wildcard comes last")
  func wildcard() throws {
    let router = try makeRouter("mgj://a/*", "mgj://a/b")
    #expect(router.ran("mgj://a/c") == "mgj://a/*")
    #expect(router.ran("mgj://a/b") == "mgj://a/b")
    #expect(router.ran("mgj://a/b/c") == "mgj://a/*")
  }

  @Test("MG5, D25: what nobody serves goes to the scheme's fallback, also from a branch that leads nowhere")
  func schemeFallback() throws {
    let router = try makeRouter("mgj://", "mgj://foo/bar/none/exists", fallback: ["mgj://"])
    #expect(router.ran("mgj://search/travel/china?has_travelled=0") == "mgj://")
    #expect(router.ran("mgj://foo/bar") == "mgj://")
    #expect(router.ran("mgj://foo/bar/none/exists") == "mgj://foo/bar/none/exists")
    #expect(router.canOpen("mgj://foo/bar"))
    #expect(!router.canOpen("other://foo/bar"))
    let match = try router.match("mgj://search/travel/china?has_travelled=0")
    #expect(match.tail == ["search", "travel", "china"] && match.url.query["has_travelled"] == "0")
  }

  @Test("MG6, D24: a parent serves what is below it when it allows that, and no other path")
  func parentFallback() throws {
    let router = try makeRouter("mgj://foo/bar", fallback: ["mgj://foo/bar"])
    #expect(router.ran("mgj://foo/bar/baz/qux") == "mgj://foo/bar")
    #expect(try router.match("mgj://foo/bar/baz/qux").isFallback)
    #expect(try !router.match("mgj://foo/bar").isFallback)
    #expect(router.ran("mgj://foo/XXX/bar") == nil)
    #expect(try makeRouter("mgj://foo/bar").ran("mgj://foo/bar/baz") == nil)
  }

  @Test("MG7, D27: text beyond ASCII is the same encoded or not, and matches nothing else")
  func beyondASCII() throws {
    let router = try makeRouter("mgj://category/家居")
    #expect(router.ran("mgj://category/家居") != nil)
    #expect(router.ran("mgj://category/%E5%AE%B6%E5%B1%85") != nil)
    #expect(router.ran("mgj://category/x") == nil)
    #expect(!router.canOpen("mgj://家居"))
  }

  @Test("MG8: values that are given along reach the handler, and its answer the completion")
  func completion() async throws {
    let router = Router()
    try router.register(RoutePattern("mgj://user"), owner: .host) { request, reply in
      reply.answer((request.userInfo["user_id"] as? Int).map { $0 + 1 })
    }
    let answer = await withCheckedContinuation { continuation in
      router.open("mgj://user", userInfo: ["user_id": 1900], limit: .seconds(3600)) {
        continuation.resume(returning: $0)
      }
    }
    #expect(try answer.get() as? Int == 1901)
  }

  @Test("MG9: a URL can stand for an object, with a scheme or the default one")
  func object() throws {
    final class Bar: Sendable {}
    let bar = Bar()
    let router = Router(defaultScheme: "mgj")
    try router.register(router.pattern("search_top_bar"), owner: .host) { _ in bar }
    #expect(router.object(for: "mgj://search_top_bar") as? Bar === bar)
    #expect(router.object(for: "search_top_bar") as? Bar === bar)
    #expect(router.object(for: "other") == nil)
  }

  @Test("MG10, D30: whether a URL can be opened, and exactly")
  func canOpen() throws {
    let router = try makeRouter("mgj://foo/bar", fallback: ["mgj://foo/bar"])
    #expect(router.canOpen("mgj://foo/bar"))
    #expect(!router.canOpen("mgj://foo"))
    #expect(router.canOpen("mgj://foo/bar/x"))
    #expect(!router.canOpen("mgj://foo/bar/x", exactly: true))
    #expect(!router.canOpen("no URL"))
  }

  @Test("MG11, D32: removing takes away one handler, whatever is in its pattern")
  func removing() throws {
    let router = Router()
    var registrations: [String: Router.Registration] = [:]
    let patterns = ["mgj://foo", "mgj://foo/bar", "mgj://d/:id.html", "mgj://a.b/@", "mgj://x(/y)"]
    for pattern in patterns {
      registrations[pattern] = try router.register(RoutePattern(pattern), owner: .host) { _ in pattern }
    }
    let urls = ["mgj://foo", "mgj://foo/bar", "mgj://d/1.html", "mgj://a.b/@", "mgj://x/y"]
    for (index, pattern) in patterns.enumerated() {
      #expect(router.remove(try #require(registrations[pattern])))
      #expect(!router.remove(try #require(registrations[pattern])))
      #expect(urls.map { router.canOpen($0) } == urls.indices.map { $0 > index })
    }
    #expect(!router.canOpen("mgj://x"))
    #expect(router.routes.isEmpty)
  }

  @Test("MG12, D33: a URL is made of a pattern and values, encoded and counted")
  func generating() throws {
    func url(_ pattern: String, _ values: [String]) throws -> String { try RoutePattern(pattern).url(values).text }
    #expect(try url("mgj://search/:keyword", ["Hangzhou"]) == "mgj://search/Hangzhou")
    #expect(try url("mgj://beauty/:id", ["13"]) == "mgj://beauty/13")
    #expect(try url("mgj://b/:id/:idx", ["1", "2"]) == "mgj://b/1/2")
    #expect(try url("mgj://:id/x", ["1"]) == "mgj://1/x")
    #expect(try url("mgj://s/:q", ["a/b ?#家"]) == "mgj://s/a%2Fb%20%3F%23%E5%AE%B6")
    for values in [[], ["1"], ["1", "2", "3"], ["", "2"], ["1", ".."]] {
      expectPluginError(.patternValues) { try url("mgj://b/:id/:idx", values) }
    }
  }

  @Test("MG13, CS1: the example of the four schemes by URL")
  func example() throws {
    let router = Router()
    try router.register(RoutePattern("BJHL://BusinessA/A1_c2VC_Push"), owner: .host) { request in
      let touch = request.userInfo["touchBlock"] as? @Sendable (String) -> String
      return touch?("\(request.query["name"] ?? "")\(request.query["age"] ?? "")岁啦")
    }
    let touch: @Sendable (String) -> String = { $0 }
    #expect(
      try router.open("bjhl://BusinessA/A1_c2VC_Push?name=BJHL&age=5", userInfo: ["touchBlock": touch]) as? String
        == "BJHL5岁啦")
  }

  @Test("D26: a literal comes before a parameter, that before a wildcard, whatever their order")
  func order() throws {
    let patterns = ["mgj://p/*", "mgj://p/:id", "mgj://p/new", "mgj://p/:id.html"]
    for rotation in patterns.indices {
      let router = Router()
      for pattern in patterns[rotation...] + patterns[..<rotation] {
        try router.register(RoutePattern(pattern), owner: .host) { _ in pattern }
      }
      #expect(router.ran("mgj://p/new") == "mgj://p/new")
      #expect(router.ran("mgj://p/7") == "mgj://p/:id")
      #expect(router.ran("mgj://p/7.html") == "mgj://p/:id.html")
      #expect(router.ran("mgj://p/7/8") == "mgj://p/*")
      #expect(router.ran("mgj://p") == "mgj://p/*")
    }
  }

  @Test("D28: a URL within a query opens nothing")
  func innerURL() throws {
    let router = try makeRouter("mgj://web", "y://admin/delete", "mgj://admin/delete")
    #expect(router.ran("mgj://web?u=y://admin/delete") == "mgj://web")
  }

  @Test("D29: no parameter of a URL takes the place of another kind's")
  func namespaces() throws {
    let router = Router()
    try router.register(RoutePattern("mgj://u/:id"), owner: .host) { request in
      [request.text("id"), request.parameters["id"], request.query["id"], request.userInfo["block"] as? String]
    }
    #expect(try router.open("mgj://u/path?id=query&block=x") as? [String?] == ["path", "path", "query", nil])
    #expect(
      try router.open("mgj://u/path?id=query", userInfo: ["id": "code", "block": "b"]) as? [String?]
        == ["code", "path", "query", "b"])
    let underscore = try makeRouter("mgj://a/_")
    #expect(underscore.ran("mgj://a/_") == "mgj://a/_")
    #expect(underscore.ran("mgj://a") == nil)
  }

  @Test("D8: what a URL has stays with its request")
  func requests() throws {
    let router = Router()
    try router.register(RoutePattern("a://:id"), owner: .host) { outer in
      guard outer.parameters["id"] == "1" else { return outer.parameters["id"] }
      let inner = try router.open("a://2") as? String
      return "\(outer.parameters["id"] ?? "") \(inner ?? "")"
    }
    #expect(router.ran("a://1") == "1 2")
  }
}
