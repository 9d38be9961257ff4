import PluginKit
import Testing

@Suite("Faults of the originals that a router can have") struct DefectTests {
  @Test("D1: what is looked for is whole parts from the beginning, not a text somewhere")
  func wholeParts() throws {
    let router = try makeRouter(
      "http://m.wequick.net/demo/main", "http://m.wequick.net/demo/home", "ui://main", "ui://home")
    #expect(
      router.ran("http://m.wequick.net/demo/home?back=http://m.wequick.net/demo/main")
        == "http://m.wequick.net/demo/home")
    #expect(router.ran("ui://home?x=main") == "ui://home")
    #expect(router.ran("ui://main2") == nil)
    #expect(router.ran("ui://x/main") == nil)
  }

  @Test(
    "D18, PT1, PT2: a route can be opened as soon as it is registered; a scheme's route serves all of it, and exact ones come first"
  )
  func schemes() throws {
    let router = Router()
    let browse = try router.register(RoutePattern("InnerJump://setting/browse"), owner: .host) { _ in "browse" }
    #expect(router.ran("InnerJump://setting/browse?x=1") == "browse")
    try router.register(RoutePattern("wx1234567://"), owner: .host, allowsFallback: true) { $0.query["code"] }
    try router.register(RoutePattern("wx1234567://exact"), owner: .host) { _ in "exact" }
    #expect(router.ran("wx1234567://oauth?code=1") == "1")
    #expect(router.ran("WX1234567://exact") == "exact")
    #expect(router.ran("other://oauth?code=1") == nil)
    #expect(router.remove(browse))
    #expect(!router.canOpen("InnerJump://setting/browse"))
  }

  @Test("D19, PT4: values that code gives along come before those of the URL, of whatever type")
  func merging() throws {
    struct Object: Sendable, Equatable {}
    let router = Router()
    try router.register(RoutePattern("a://browse"), owner: .host) { request in
      request["userID"] as? Int == 8 && request["obj"] as? Object == Object() && request.query["userID"] == "007"
    }
    #expect(try router.open("a://browse?userID=007", userInfo: ["userID": 8, "obj": Object()]) as? Bool == true)
  }

  @Test("D34: optional parts are bounded, unbalanced parentheses are errors, and removing takes all ways with it")
  func optionalParts() throws {
    expectPluginError(.patternMalformed) { try RoutePattern("a://x(/y") }
    expectPluginError(.patternMalformed) { try RoutePattern("a://x/y)") }
    expectPluginError(.patternTooLong) { try RoutePattern("a://x" + (0..<6).map { "(/\($0))" }.joined()) }
    let router = Router()
    let registration = try router.register(RoutePattern("a://x(/y)(/:z)"), owner: .host) { $0.url.text }
    for url in ["a://x", "a://x/y", "a://x/1", "a://x/y/1"] { #expect(router.ran(url) == url) }
    router.remove(registration)
    for url in ["a://x", "a://x/y", "a://x/1", "a://x/y/1"] { #expect(!router.canOpen(url)) }
  }

  @Test("D34: a plus is a space in a query, and a plus in a path; %2B is a plus in both")
  func plus() throws {
    let router = Router()
    try router.register(RoutePattern("a://u/:name"), owner: .host) {
      [$0.parameters["name"], $0.query["q"]]
    }
    #expect(try router.open("a://u/a+b%2Bc?q=a+b%2Bc") as? [String?] == ["a+b+c", "a b+c"])
  }
}
