import JLRoutesFace
import PluginKit
import Testing

/// The cases of JLRoutes' own suite about patterns and URLs, one test for each of its methods.
@Suite("JLRoutes' own cases") struct JLRoutesSuiteTests {
  private let probe = JLProbe()
  private var jlRoutes: JLRouter { probe.jlRoutes }
  private var global: JLRoutes { jlRoutes.global() }
  private static let scheme = JLRoutesGlobalRoutesScheme

  @Test("JL1 JL2 JL3: routing") func routing() throws {
    try probe.add(
      "/test", "/user/view/:userID", "/:object/:action/:primaryKey", "/", "/:", "/interleaving/:param1/foo/:param2",
      "/xyz/wildcard/*", "/route/:param/*",
      "/required/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)")
    #expect(probe.route(nil) == nil)
    let required = "/required/:requiredParam"
    for (url, pattern, values) in [
      ("tests:/", "/", [:]), ("tests://", "/", [:]), ("tests://test?", "/test", [:]), ("tests://test/", "/test", [:]),
      ("tests://test", "/test", [:]), ("tests://?key=value", "/", ["key": "value"]),
      ("tests://user/view/joeldev", "/user/view/:userID", ["userID": "joeldev"]),
      ("tests://user/view/joeldev/", "/user/view/:userID", ["userID": "joeldev"]),
      ("tests://user/view/joel%20levin", "/user/view/:userID", ["userID": "joel levin"]),
      (
        "tests://user/view/joeldev?foo=bar&thing=stuff", "/user/view/:userID",
        ["userID": "joeldev", "foo": "bar", "thing": "stuff"]
      ),
      (
        "tests://user/view/joeldev#foo=bar&thing=stuff", "/user/view/:userID",
        ["userID": "joeldev", "foo": "bar", "thing": "stuff"]
      ),
      ("tests://user/view/joeldev?userID=evilPerson", "/user/view/:userID", ["userID": "joeldev"]),
      (
        "tests://post/edit/123", "/:object/:action/:primaryKey",
        ["object": "post", "action": "edit", "primaryKey": "123"]
      ),
      (
        "tests://interleaving/paramvalue1/foo/paramvalue2", "/interleaving/:param1/foo/:param2",
        ["param1": "paramvalue1", "param2": "paramvalue2"]
      ),
      ("tests://xyz/wildcard", "/xyz/wildcard/*", [JLRouteWildcardComponentsKey: "[]"]),
      (
        "tests://xyz/wildcard/matches/with/extra/path/components", "/xyz/wildcard/*",
        [JLRouteWildcardComponentsKey: "[matches|with|extra|path|components]"]
      ),
      (
        "tests://route/matches/with/wildcard", "/route/:param/*",
        ["param": "matches", JLRouteWildcardComponentsKey: "[with|wildcard]"]
      ),
      ("http://localhost/test", "/test", [:]),
      ("tests://required/mustExist", required, ["requiredParam": "mustExist"]),
      (
        "tests://required/mustExist/optional/mightExist", required + "/optional/:optionalParam",
        ["requiredParam": "mustExist", "optionalParam": "mightExist"]
      ),
      (
        "tests://required/mustExist/optional/mightExist/moreOptional/mightExistToo",
        required + "/optional/:optionalParam/moreOptional/:moreOptionalParam",
        ["requiredParam": "mustExist", "optionalParam": "mightExist", "moreOptionalParam": "mightExistToo"]
      ),
    ] as [(String, String, [String: String])] {
      #expect(probe.route(url) == values, "\(url)")
      #expect(probe.pattern == pattern, "\(url)")
      #expect(probe.parameters?[JLRouteURLKey] as? String == url)
    }
    #expect(probe.route("tests://doesnt/exist/and/wont/match") == nil)
  }

  @Test("JL2: routing with parameters") func routingWithParameters() throws {
    try probe.add("/foo/:routeParam")
    #expect(
      probe.route("/foo/bar", ["stringParam": "stringValue", "nonStringParam": 123])
        == ["routeParam": "bar", "stringParam": "stringValue", "nonStringParam": "123"])
    #expect(probe.parameters?["nonStringParam"] as? Int == 123)
  }

  @Test("JL11: fragment routing") func fragmentRouting() throws {
    try probe.add(
      "/user#/view/:userID", "/:object#/:action/:primaryKey", "/interleaving/:param1#/foo/:param2",
      "/xyz/wildcard#/*", "/route#/:param/*",
      "/required#/:requiredParam(/optional/:optionalParam)(/moreOptional/:moreOptionalParam)")
    #expect(probe.route(nil) == nil)
    for (url, values) in [
      ("tests://user#/view/joeldev", ["userID": "joeldev"]), ("tests://user#/view/joeldev/", ["userID": "joeldev"]),
      ("tests://user#/view/joel%20levin", ["userID": "joel levin"]),
      (
        "tests://user#/view/joeldev?foo=bar&thing=stuff", ["userID": "joeldev", "foo": "bar", "thing": "stuff"]
      ),
      ("tests://user#/view/joeldev?userID=evilPerson", ["userID": "joeldev"]),
      (
        "tests://user#/view/joeldev?userID=evilPerson&search=evilSearch&evilThing=evil",
        ["userID": "joeldev", "search": "evilSearch", "evilThing": "evil"]
      ),
      (
        "tests://user?search=niceSearch&go=home#/view/joeldev?userID=evilPerson&&evilThing=evil",
        ["userID": "joeldev", "search": "niceSearch", "go": "home", "evilThing": "evil"]
      ),
      ("tests://post#/edit/123", ["object": "post", "action": "edit", "primaryKey": "123"]),
      ("tests://interleaving/paramvalue1#/foo/paramvalue2", ["param1": "paramvalue1", "param2": "paramvalue2"]),
      ("tests://xyz/wildcard#", [JLRouteWildcardComponentsKey: "[]"]),
      (
        "tests://xyz/wildcard#/matches/with/extra/path/components",
        [JLRouteWildcardComponentsKey: "[matches|with|extra|path|components]"]
      ),
      (
        "tests://route#/matches/with/wildcard", ["param": "matches", JLRouteWildcardComponentsKey: "[with|wildcard]"]
      ),
      ("tests://required#/mustExist", ["requiredParam": "mustExist"]),
      (
        "tests://required#/mustExist/optional/mightExist",
        ["requiredParam": "mustExist", "optionalParam": "mightExist"]
      ),
      (
        "tests://required#/mustExist/optional/mightExist/moreOptional/mightExistToo",
        ["requiredParam": "mustExist", "optionalParam": "mightExist", "moreOptionalParam": "mightExistToo"]
      ),
    ] as [(String, [String: String])] { #expect(probe.route(url) == values, "\(url)") }
    #expect(probe.route("tests://doesnt/exist#/and/wont/match") == nil)
  }

  @Test("JL1: multiple route patterns") func multipleRoutePatterns() throws {
    try global.addRoutes(["/multiple1", "/multiple2"], handler: probe.handler)
    #expect(probe.route("tests://multiple1") == [:])
    #expect(probe.route("tests://multiple2") == [:])
  }

  @Test("JL5: priority") func priority() throws {
    try probe.add("/test/priority/:level")
    try probe.add("/test/priority/high", priority: 20)
    #expect(probe.route("tests://test/priority/high") == [:])
    #expect(probe.pattern == "/test/priority/high")
    for (pattern, priority) in [("/:foo/bar/:baz", 20), ("/:foo/things/:baz", 10), ("/:foo/:baz", 1)] {
      try probe.add(pattern, scheme: "priorityTest", priority: UInt(priority))
    }
    for (url, pattern) in [
      ("priorityTest://stuff/things/foo", "/:foo/things/:baz"), ("priorityTest://one/two", "/:foo/:baz"),
      ("priorityTest://stuff/bar/baz", "/:foo/bar/:baz"),
    ] {
      #expect(probe.route(url) != nil)
      #expect(probe.pattern == pattern)
    }
  }

  @Test("JL6: block return value") func blockReturnValue() throws {
    try global.addRoute("/return/:value") { [probe] parameters in
      probe.note(parameters)
      return parameters["value"] as? String == "yes"
    }
    #expect(probe.route("tests://return/no") == nil)
    #expect(probe.own == ["value": "no"])
    #expect(probe.route("tests://return/yes") == ["value": "yes"])
  }

  @Test("JL7: schemes") func schemes() throws {
    try probe.add("/test")
    try probe.add("/test", scheme: "namespaceTest1")
    try probe.add("/test", scheme: "namespaceTest2")
    for (url, scheme) in [
      ("tests://test", Self.scheme), ("namespaceTest1://test", "namespaceTest1"),
      ("namespaceTest2://test", "namespaceTest2"),
    ] {
      #expect(probe.route(url) == [:])
      #expect(probe.scheme == scheme)
    }
  }

  @Test("JL7: fallback to global") func fallbackToGlobal() throws {
    try probe.add("/user/view/:userID")
    try probe.add("/test", scheme: "namespaceTest1")
    try probe.add("/test", scheme: "namespaceTest2")
    jlRoutes.routes(forScheme: "namespaceTest2").shouldFallbackToGlobalRoutes = true
    #expect(probe.route("namespaceTest1://user/view/joeldev") == nil)
    #expect(probe.route("namespaceTest2://user/view/joeldev") == ["userID": "joeldev"])
    #expect(probe.scheme == Self.scheme)
  }

  @Test("JL8: for route existence") func forRouteExistence() throws {
    try probe.add("/test")
    #expect(global.canRouteURL("tests:/test"))
    #expect(!global.canRouteURL("tests:/dfjkbsdkjfbskjdfb/sdasd"))
    #expect(probe.parameters == nil)
  }

  @Test(
    "JL12: percent encoding",
    arguments: [
      ("%21", "!"), ("%23", "#"), ("%24", "$"), ("%26", "&"), ("%27", "'"), ("%28", "("), ("%29", ")"), ("%2A", "*"),
      ("%2B", "+"), ("%2C", ","), ("%3A", ":"), ("%3B", ";"), ("%3D", "="), ("%3F", "?"), ("%40", "@"), ("%5B", "["),
      ("%5D", "]"), ("%2F", "/"),
    ])
  func percentEncoding(_ written: String, _ character: String) throws {
    try probe.add("/user/view/:userID")
    jlRoutes.shouldDecodePlusSymbols = false
    #expect(probe.route("tests://user/view/joel\(written)levin") == ["userID": "joel\(character)levin"])
  }

  @Test("JL10: decode plus symbols") func decodePlusSymbols() throws {
    try probe.add("/user/view/:userID")
    func expect(_ encoded: String, _ plus: String) {
      #expect(probe.route("tests://user/view/joel%2Blevin") == ["userID": "joel\(encoded)levin"])
      #expect(probe.route("tests://user/view/joel+levin") == ["userID": "joel\(plus)levin"])
      #expect(
        probe.route("tests://user/view/test?name=joel+levin") == ["userID": "test", "name": "joel\(plus)levin"])
      #expect(
        probe.route("tests://user/view/test?people=joel+levin&people=foo+bar")
          == ["userID": "test", "people": "[joel\(plus)levin|foo\(plus)bar]"])
    }
    // As JLRoutes had it.
    jlRoutes.plusDecoding = .evenEncoded
    #expect(jlRoutes.shouldDecodePlusSymbols)
    expect(" ", " ")
    jlRoutes.shouldDecodePlusSymbols = true
    expect("+", " ")
    jlRoutes.shouldDecodePlusSymbols = false
    #expect(!jlRoutes.shouldDecodePlusSymbols)
    expect("+", "+")
  }

  @Test("JL3: variable empty followed by wildcard") func variableEmptyFollowedByWildcard() throws {
    try jlRoutes.routes(forScheme: "wildcardTests").addRoute("list/:variable/detail/:variable2/*", handler: nil)
    #expect(!jlRoutes.routeURL("wildcardTests://list/variable/detail/"))
    #expect(jlRoutes.routeURL("wildcardTests://list/variable/detail/variable2"))
  }

  @Test("JL4: optional routes at end") func optionalRoutesAtEnd() throws {
    try probe.add("/path/:thing(/new)(/anotherpath/:anotherthing)")
    #expect(global.routes.count == 4)
    #expect(probe.route("foo://path/abc/new/anotherpath/def") == ["thing": "abc", "anotherthing": "def"])
    #expect(probe.route("foo://path/foo/anotherpath/bar") == ["thing": "foo", "anotherthing": "bar"])
    #expect(probe.route("foo://path/yyy/new") == ["thing": "yyy"])
    #expect(probe.route("foo://path/zzz") == ["thing": "zzz"])
    #expect(probe.route("foo://path/zzz/anotherpath") == nil)
  }

  @Test("JL4: optional routes at start") func optionalRoutesAtStart() throws {
    try probe.add("/(rest/)(app/):object/:id")
    #expect(global.routes.count == 4)
    for path in ["rest/app/", "app/", "rest/", ""] {
      #expect(probe.route("foo://\(path)aaa/bbb") == ["object": "aaa", "id": "bbb"])
    }
  }

  @Test("JL4: optional routes interleaved") func optionalRoutesInterleaved() throws {
    try probe.add("/(rest/):object/(app/):id")
    #expect(global.routes.count == 4)
    for path in ["rest/aaa/app/bbb", "aaa/app/bbb", "rest/aaa/bbb", "aaa/bbb"] {
      #expect(probe.route("foo://" + path) == ["object": "aaa", "id": "bbb"])
    }
  }

  @Test("JL12: passing URL strings as params") func passingURLStringsAsParams() throws {
    try probe.add("/web/:URLString", "/web")
    let value = ["URLString": "http://foobar.com/baz"]
    #expect(probe.route("tests://web/http%3A%2F%2Ffoobar.com%2Fbaz") == value)
    #expect(probe.route("tests://web?URLString=http%3A%2F%2Ffoobar.com%2Fbaz") == value)
  }

  @Test("JL9: array query params") func arrayQueryParams() throws {
    try probe.add("/test/foo")
    #expect(
      probe.route("tests://test/foo?key=1&key=2&key=3&text=hi&text=there") == [
        "key": "[1|2|3]", "text": "[hi|there]",
      ])
  }

  @Test("JL1: treats host as path component") func treatsHostAsPathComponent() throws {
    try probe.add("/sign_in", "/path/:pathid")
    #expect(probe.route("https://www.mydomain.com/sign_in") == [:])
    #expect(probe.pattern == "/sign_in")
    #expect(probe.route("https://www.mydomain.com/path/3") == ["pathid": "3"])
    #expect(probe.pattern == "/path/:pathid")
    jlRoutes.alwaysTreatsHostAsPathComponent = true
    #expect(probe.route("https://www.mydomain2.com/sign_in") == nil)
    #expect(probe.route("https://www.mydomain2.com/path/3") == nil)
    try probe.add("/www.mydomain2.com/sign_in", "/www.mydomain2.com/path/:pathid")
    #expect(probe.route("https://www.mydomain2.com/sign_in") == [:])
    #expect(probe.pattern == "/www.mydomain2.com/sign_in")
    #expect(probe.route("https://www.mydomain2.com/path/3") == ["pathid": "3"])
    #expect(probe.pattern == "/www.mydomain2.com/path/:pathid")
  }
}
