import JLRoutesFace
import PluginKit
import Synchronization
import Testing

/// What JLRoutes does with patterns and URLs, row by row, beyond the cases of its own suite.
@Suite("JLRoutes, row by row: patterns and URLs") struct JLRowTests {
  private let probe = JLProbe()
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }

  @Test("JL1: parameters, texts, the root and a parameter without a name; one slash at each end does not count")
  func patterns() throws {
    try probe.add("/user/view/:userID", "plain/text", "/", "/:")
    for (url, pattern, values) in [
      ("tests://user/view/joel%20levin/", "/user/view/:userID", ["userID": "joel levin"]),
      ("tests:/user/view/joel%20levin", "/user/view/:userID", ["userID": "joel levin"]),
      ("tests:///user/view/joel%20levin", "/user/view/:userID", ["userID": "joel levin"]),
      ("/user/view/joel%20levin/", "/user/view/:userID", ["userID": "joel levin"]),
      ("user/view/joel%20levin", "/user/view/:userID", ["userID": "joel levin"]),
      ("tests://plain/text", "plain/text", [:]), ("/plain/text/", "plain/text", [:]),
      ("tests:/", "/", [:]), ("tests://", "/", [:]), ("tests:", "/", [:]), ("/", "/", [:]),
      ("tests://one", "/:", [":": "one"]), ("/one/", "/:", [":": "one"]),
    ] as [(String, String, [String: String])] {
      #expect(probe.route(url) == values, "\(url)")
      #expect(probe.pattern == pattern, "\(url)")
      #expect(jlRoutes.canRouteURL(url), "\(url)")
    }
    for url in ["tests://user/view", "tests://user/view/joel/levin", "tests://Plain/text", "tests://plain/text/more"]
    {
      #expect(!jlRoutes.canRouteURL(url), "\(url)")
      #expect(probe.route(url) == nil, "\(url)")
    }
    #expect(probe.codes.isEmpty)
    // One slash, and not two.
    for url in ["tests://user/view/joel//", "tests:////user/view/joel", "tests://user//view/joel"] {
      #expect(probe.route(url) == nil, "\(url)")
      #expect(probe.codes == [.urlEmptySegment], "\(url)")
    }
  }

  @Test(
    "JL1: a host is a part of the path, unless it has a dot or is localhost, or the router says that it always is")
  func hosts() throws {
    try probe.add("/sign_in", "/word/sign_in")
    let urls = [
      "https://www.mydomain.com/sign_in", "https://localhost/sign_in", "https://localhost:8080/sign_in",
      "https://WWW.mydomain.com/sign_in",
    ]
    for url in urls {
      #expect(probe.route(url) == [:], "\(url)")
      #expect(probe.pattern == "/sign_in", "\(url)")
    }
    #expect(probe.route("https://word/sign_in") == [:])
    #expect(probe.pattern == "/word/sign_in")
    jlRoutes.alwaysTreatsHostAsPathComponent = true
    for url in urls { #expect(probe.route(url) == nil, "\(url)") }
    #expect(probe.route("https://word/sign_in") == [:])
    #expect(probe.codes.isEmpty)
  }

  @Test("JL2: the query comes before the path, that before the caller's, and those before what JLRoutes itself says")
  func precedence() throws {
    try probe.add("/user/view/:userID", "/:JLRouteScheme/own/:JLRoutePattern/:JLRouteURL")
    let url = "tests://user/view/joeldev?userID=evilPerson&other=query"
    #expect(probe.route(url) == ["userID": "joeldev", "other": "query"])
    #expect(probe.route(url, ["userID": "caller", "other": 1]) == ["userID": "caller", "other": "1"])
    func expectOwn(_ url: String, _ pattern: String) {
      #expect(probe.scheme == JLRoutesGlobalRoutesScheme, "\(url)")
      #expect(probe.pattern == pattern, "\(url)")
      #expect(probe.parameters?[JLRouteURLKey] as? String == url, "\(url)")
    }
    // Neither a URL nor a caller replaces what JLRoutes itself says.
    let forged = "tests://user/view/x?JLRouteScheme=x&JLRoutePattern=x&JLRouteURL=x&JLRouteWildcardComponents=x&x=y"
    #expect(probe.route(forged) == ["userID": "x", "x": "y"])
    expectOwn(forged, "/user/view/:userID")
    let fragment = "tests://user/view/x#JLRouteScheme=x&JLRouteWildcardComponents=x"
    #expect(probe.route(fragment) == ["userID": "x"])
    expectOwn(fragment, "/user/view/:userID")
    #expect(probe.route("/user/view/x", ["JLRouteScheme": "x", "JLRoutePattern": 1, "JLRouteURL": 2]) != nil)
    expectOwn("/user/view/x", "/user/view/:userID")
    #expect(probe.route("tests://x/own/y/z") == [:])
    expectOwn("tests://x/own/y/z", "/:JLRouteScheme/own/:JLRoutePattern/:JLRouteURL")
  }

  @Test("JL3: a wildcard takes the rest of the path, and that can be empty; what stands before it has to be there")
  func wildcards() throws {
    try probe.add("/xyz/wildcard/*", "list/:v/detail/:v2/*")
    for (url, tail) in [
      ("tests://xyz/wildcard", [] as [String]), ("tests://xyz/wildcard/", []),
      ("tests://xyz/wildcard/a/b", ["a", "b"]),
      ("tests://xyz/wildcard/a%2Fb/c%20d/", ["a/b", "c d"]),
    ] {
      #expect(probe.route(url) != nil, "\(url)")
      #expect(probe.parameters?[JLRouteWildcardComponentsKey] as? [String] == tail, "\(url)")
      #expect(probe.pattern == "/xyz/wildcard/*")
    }
    #expect(probe.route("tests://xyz") == nil)
    #expect(probe.route("tests://list/variable/detail/") == nil)
    #expect(!jlRoutes.canRouteURL("tests://list/variable/detail/"))
    #expect(
      probe.route("tests://list/variable/detail/v2")
        == ["v": "variable", "v2": "v2", JLRouteWildcardComponentsKey: "[]"])
    #expect(
      probe.route("tests://list/variable/detail/v2/a/b")
        == ["v": "variable", "v2": "v2", JLRouteWildcardComponentsKey: "[a|b]"])
    // A route without a wildcard has no such key.
    try probe.add("/none")
    #expect(probe.route("/none") == [:])
    // Alone it takes everything.
    try probe.add("/*", scheme: "all")
    #expect(probe.route("all://") == [JLRouteWildcardComponentsKey: "[]"])
    #expect(probe.route("all://a/b") == [JLRouteWildcardComponentsKey: "[a|b]"])
  }

  @Test(
    "JL4: optional parts give a pattern for each choice, the longest first",
    arguments: [
      ("/the(/foo/:a)(/bar/:b)", ["/the/foo/:a/bar/:b", "/the/foo/:a", "/the/bar/:b", "/the"]),
      (
        "/(rest/)(app/):object/:id",
        ["/rest/app/:object/:id", "/rest/:object/:id", "/app/:object/:id", "/:object/:id"]
      ),
      ("(/a)", ["/a", "/"]), ("/a(/b)", ["/a/b", "/a"]), ("a/(b)/c", ["/a/b/c", "/a/c"]),
      ("/user#(/view)", ["/user#/view", "/user#"]),
    ])
  func optional(_ pattern: String, _ expansions: [String]) throws {
    try global.addRoute(pattern, handler: probe.handler)
    #expect(global.routes.map(\.pattern) == expansions)
    for expansion in expansions {
      let url = "tests:/" + expansion.replacing(":", with: "x")
      #expect(probe.route(url) != nil, "\(url)")
      #expect(probe.pattern == expansion, "\(url)")
    }
  }

  @Test(
    "JL4 D34: unbalanced, nested and empty parentheses are an error, and nothing is added",
    arguments: [
      "/the(/foo", "/the/foo)", "/the)(/foo", "/the((/foo))", "/the(/foo(/bar))", "/the()", "/the(/)", "(", ")",
    ])
  func unbalanced(_ pattern: String) throws {
    let error = try #require(throws: PluginError.self) { try global.addRoute(pattern, handler: probe.handler) }
    #expect(error.code == .patternMalformed)
    #expect(global.routes.isEmpty)
    global[pattern] = JLRRouteHandlerBlock(probe.handler)
    #expect(probe.codes == [.patternMalformed])
    #expect(global.routes.isEmpty)
  }

  @Test("JL4 D34: five optional parts give 32 patterns; more are an error, whose cost does not grow with them")
  func optionalLimit() throws {
    try global.addRoute("/all(/a)(/b)(/c)(/d)(/e)", handler: probe.handler)
    #expect(global.routes.count == 32)
    #expect(global.routes.first?.pattern == "/all/a/b/c/d/e")
    #expect(global.routes.last?.pattern == "/all")
    for path in ["", "/a", "/e", "/a/c/e", "/b/d", "/a/b/c/d/e"] {
      #expect(probe.route("tests://all" + path) == [:], "\(path)")
      #expect(probe.pattern == "/all" + path)
    }
    #expect(probe.route("tests://all/b/a") == nil)
    for count in [6, 40, 200] {
      let pattern = "/more" + String(repeating: "(/a)", count: count)
      let error = try #require(throws: PluginError.self) { try global.addRoute(pattern, handler: nil) }
      #expect(error.code == .patternTooLong)
    }
    #expect(global.routes.count == 32)
  }

  @Test("JL9: several values of a name are a list; a name without a value is left out, an empty value is not")
  func queries() throws {
    try probe.add("/test")
    #expect(probe.route("tests://test?key=1&key=2&key=3") == ["key": "[1|2|3]"])
    #expect(probe.parameters?["key"] as? [String] == ["1", "2", "3"])
    #expect(probe.route("tests://test?key=1") == ["key": "1"])
    #expect(probe.parameters?["key"] is String)
    #expect(probe.route("tests://test?none&empty=&key=1&key&key=2") == ["empty": "", "key": "[1|2]"])
    #expect(probe.route("tests://test?key=1#key=2") == ["key": "[1|2]"])
    #expect(probe.route("tests://test?key=a%26b%3Dc=d") == ["key": "a&b=c=d"])
  }

  @Test("JL10 D34: a plus is a space, an encoded one is not; as in JLRoutes on request, or never")
  func plus() throws {
    try probe.add("/user/:name", "/all/*")
    func expect(_ encoded: String, _ plain: String) {
      #expect(probe.route("tests://user/joel%2Blevin") == ["name": "joel\(encoded)levin"])
      #expect(probe.route("tests://user/joel+levin") == ["name": "joel\(plain)levin"])
      #expect(
        probe.route("tests://user/x?q=a%2Bb+c#p=a%2Bb+c") == [
          "name": "x", "q": "a\(encoded)b\(plain)c", "p": "a\(encoded)b\(plain)c",
        ])
      #expect(probe.route("tests://all/a%2Bb+c") == [JLRouteWildcardComponentsKey: "[a\(encoded)b\(plain)c]"])
    }
    #expect(jlRoutes.shouldDecodePlusSymbols)
    expect("+", " ")
    jlRoutes.plusDecoding = .evenEncoded
    #expect(jlRoutes.shouldDecodePlusSymbols)
    expect(" ", " ")
    jlRoutes.shouldDecodePlusSymbols = false
    expect("+", "+")
    jlRoutes.plusDecoding = .inQuery
    #expect(probe.route("tests://user/a+b?q=a+b") == ["name": "a+b", "q": "a b"])
    // The setting holds from the next call on, for the routes that are there, too.
    jlRoutes.shouldDecodePlusSymbols = true
    expect("+", " ")
  }

  @Test("JL11: a path in the fragment is a part of the pattern; what is no path are parameters")
  func fragments() throws {
    try probe.add("/user#/view/:userID", "/user/view/:userID", "/user")
    #expect(probe.route("tests://user#/view/joeldev?foo=bar") == ["userID": "joeldev", "foo": "bar"])
    #expect(probe.pattern == "/user#/view/:userID")
    #expect(
      probe.route("tests://user/view/joeldev#foo=bar&thing=stuff") == [
        "userID": "joeldev", "foo": "bar", "thing": "stuff",
      ])
    #expect(probe.pattern == "/user/view/:userID")
    #expect(probe.route("tests://user?a=1#b=2") == ["a": "1", "b": "2"])
    #expect(probe.pattern == "/user")
    // A pattern without a fragment does not match a path in one, nor the other way round.
    for url in ["tests://user#/view", "tests://user#/other/joeldev", "tests://user/view/joeldev#/more"] {
      #expect(probe.route(url) == nil, "\(url)")
      #expect(!jlRoutes.canRouteURL(url), "\(url)")
    }
    jlRoutes.global().removeRoute(withPattern: "/user/view/:userID")
    #expect(probe.route("tests://user/view/joeldev") == nil)
    #expect(probe.codes.isEmpty)
  }

  @Test("JL12: the path is split before it is decoded, and once")
  func encodedSlashes() throws {
    try probe.add("/web/:url", "/web/:a/:b")
    #expect(probe.route("tests://web/http%3A%2F%2Ffoobar.com%2Fbaz") == ["url": "http://foobar.com/baz"])
    #expect(probe.pattern == "/web/:url")
    #expect(probe.route("tests://web/a%2Fb/c%252Fd") == ["a": "a/b", "b": "c%2Fd"])
    #expect(probe.route("tests://web/%3Fa=b%23c") == ["url": "?a=b#c"])
    try probe.add("/in#/:url")
    #expect(probe.route("tests://in#/a%2Fb") == ["url": "a/b"])
  }
}
