import PluginKit
import Testing

@Suite("URLs without a host, fragments, namespaces, raw parts") struct URLFormTests {
  private func url(_ text: String) throws -> PluginURL { try PluginURL(text, accepting: .all) }

  @Test("a URL without :// is read only where it is asked for, each form by itself")
  func accepting() throws {
    for text in ["tel:1", "mailto:a@b", "tests:/", "tests:/x", "a:"] {
      expectPluginError(.urlMalformed) { try PluginURL(text) }
      expectPluginError(.urlMalformed) { try PluginURL(text, defaultScheme: "ui") }
      #expect(try url(text).text == text)
    }
    #expect(try PluginURL("tests:/x", accepting: .path).form == .path)
    expectPluginError(.urlMalformed) { try PluginURL("tel:1", accepting: .path) }
    expectPluginError(.urlMalformed) { try PluginURL("tests:/x", accepting: .opaque) }
    #expect(try PluginURL("tel:1", defaultScheme: "ui", accepting: .opaque).scheme == "tel")
    #expect(try PluginURL("x/tel:1", defaultScheme: "ui", accepting: .all).segments == ["tel:1"])
    for text in ["", "x", "1a:x", ":x", "a b:x", "/x:y", "?a:b"] {
      expectPluginError(.urlMalformed) { try url(text) }
    }
    expectPluginError(.urlDotSegment) { try url("a:..") }
    expectPluginError(.urlControlCharacter) { try url("a:%00") }
    expectPluginError(.urlEmptySegment) { try url("a:x//y") }
  }

  @Test("the forms have the parts that they show, and are not taken for each other")
  func parts() throws {
    let mail = try url("MAILTO:a%40b/c?subject=x#y")
    #expect(mail.scheme == "mailto" && mail.form == .opaque && mail.host == "" && mail.segments == ["a@b", "c"])
    #expect(mail.rawSegments == ["a%40b", "c"] && mail.resourcePath == "a%40b/c")
    #expect(mail.query["subject"] == "x" && mail.fragment == "y")
    #expect(try url("tel:1") != url("tel://1") && !url("tel:1").lies(below: url("tel://1")))
    #expect(try url("tel:1/2").lies(below: url("tel:1")))
    #expect(try url("ui:/a/b") == url("ui:///a/b") && url("ui:/a").segments == ["a"] && url("ui:/a").host == "")
    #expect(try url("ui:/a") != url("ui://a"))
    #expect(try url("tests:/") == url("tests://") && url("tests:/").form == .path)
    #expect(try url("a:").segments.isEmpty && url("a:") != url("a://"))
  }

  @Test("an opaque URL is for opaque patterns alone, whoever owns the others")
  func opaquePatterns() throws {
    let router = Router(accepting: .all)
    for (pattern, owner) in [
      ("tel://1", "one"), ("tel://:number", "one"), ("tel://*", "one"), ("tel:///1", "one"), ("*://*", "one"),
      ("tel::number", "two"), ("tel:1", "two"), ("mailto:*", "two"), ("urn:isbn/:n", "two"), ("x:", "two"),
    ] {
      try router.register(RoutePattern(pattern), owner: .module(owner)) { _ in pattern }
    }
    let ran = [
      "tel:1": "tel:1", "tel:2": "tel::number", "tel://1": "tel://1", "tel://2": "tel://:number",
      "tel:/1": "tel:///1",
      "tel://": "tel://*", "mailto:a@b": "mailto:*", "urn:isbn/7": "urn:isbn/:n", "x:": "x:",
    ]
    for (url, pattern) in ran { #expect(router.ran(url) == pattern, "\(url)") }
    for url in ["x:y", "tel:1/2", "fax:1", "x://"] { #expect(!router.canOpen(url), "\(url)") }
    router.removeAll(ownedBy: .module("two"))
    for url in ["tel:1", "tel:2", "mailto:a"] { #expect(!router.canOpen(url), "\(url)") }
  }

  @Test("a URL with one slash or none is the root")
  func root() throws {
    let router = Router(accepting: .path)
    try router.register(RoutePattern("tests://"), owner: .host) { _ in "/" }
    try router.register(RoutePattern("tests:/x"), owner: .host) { _ in "x" }
    #expect(router.ran("tests:/") == "/" && router.ran("tests://") == "/" && router.ran("tests:///") == "/")
    #expect(router.ran("tests:/x") == "x" && router.ran("tests:///x") == "x" && router.ran("tests://x") == nil)
  }

  @Test("patterns of all forms are told again as they were given, and make URLs")
  func patterns() throws {
    let cases = [
      ("tel::n", "tel::n"), ("TEL:1", "tel:1"), ("a:/x", "a:///x"), ("a:/", "a://"), ("a:", "a:"),
      ("a:x(/y)", "a:x/y"), ("*://x", "*://x"), ("*:x", "*:x"), ("a://x#/y/:z", "a://x#/y/:z"), ("a://#/", "a://#/"),
      ("a://x/#/y/", "a://x#/y"), ("a:x#/y", "a:x#/y"), ("a://x(#/y)", "a://x#/y"), ("a://x/*+", "a://x/*+"),
      ("a://x/*rest+", "a://x/*rest+"), ("a://x#/*", "a://x#/*"),
    ]
    for (text, first) in cases {
      let pattern = try RoutePattern(text)
      #expect(pattern.expansions.first == first)
      #expect(try RoutePattern(first).expansions == [first])
    }
    // With a default scheme a host may have a port.
    #expect(try RoutePattern("h:80/x", defaultScheme: "ui").expansions == ["ui://h%3A80/x"])
    #expect(try RoutePattern("h:80#/x", defaultScheme: "ui").expansions == ["ui://h%3A80#/x"])
    #expect(try RoutePattern("tel::n", defaultScheme: "ui").expansions == ["tel::n"])
    #expect(try RoutePattern(":n/x", defaultScheme: "ui").expansions == ["ui://:n/x"])
    for text in [
      "a://x#y", "a://x#", "a://x#/y#/z", "a://x#/y//z", "a://x#//y", "a://x/*#/y", "a://x#/y?z", "a://x/*++",
      "a://x/*+rest", "a:b:c", "**://x", "a*://x", "a://x#/..", "a://x#/%00",
    ] {
      expectPluginError(.patternMalformed) { try RoutePattern(text) }
    }
    expectPluginError(.patternDuplicateName) { try RoutePattern("a://:x#/:x") }
    #expect(try RoutePattern("tel::n").url(["1"]).text == "tel:1")
    #expect(
      try RoutePattern("a://u#/view/:id").url(["a/b"], query: URLQuery([.init(name: "x", value: "1")])).text
        == "a://u?x=1#/view/a%2Fb")
    #expect(try RoutePattern("a://x/*rest+").url(["a/b"]).text == "a://x/a/b")
    for (pattern, values) in [
      ("a://x/*rest+", [""]), ("*://:x", ["1"]), ("tel::n", [""]), ("a://#/:x", [""]), ("a://x/:y", ["\u{0}#"]),
    ] {
      expectPluginError(.patternValues) { try RoutePattern(pattern).url(values) }
    }
  }

  @Test("MG4: a wildcard may need a part; it comes last, but before one that may be empty")
  func wildcard() throws {
    let router = try makeRouter("mgj://a/*+", "mgj://a/b")
    #expect(router.ran("mgj://a/c") == "mgj://a/*+")
    #expect(router.ran("mgj://a/b") == "mgj://a/b")
    #expect(router.ran("mgj://a/c/d") == "mgj://a/*+")
    #expect(router.ran("mgj://a") == nil && router.ran("mgj://a/") == nil)
    try router.register(RoutePattern("mgj://a/*"), owner: .host) { _ in "empty" }
    #expect(router.ran("mgj://a") == "empty" && router.ran("mgj://a/c") == "mgj://a/*+")
  }

  @Test("JL11: a fragment that is a path belongs to the pattern, and any other one has parameters")
  func fragments() throws {
    let router = Router()
    try router.register(RoutePattern("tests://user#/view/:userID"), owner: .host) { request in
      [request.text("userID"), request.text("foo")]
    }
    try router.register(RoutePattern("tests://user/view/:userID"), owner: .host) { request in
      [request.text("userID"), request.url.fragmentQuery()["foo"], request.url.fragmentQuery()["thing"]]
    }
    #expect(try router.open("tests://user#/view/joeldev?foo=bar") as? [String?] == ["joeldev", "bar"])
    #expect(try router.open("tests://user?foo=bar#/view/joeldev/") as? [String?] == ["joeldev", "bar"])
    #expect(
      try router.open("tests://user/view/joeldev#foo=bar&thing=stuff") as? [String?] == ["joeldev", "bar", "stuff"])
    for url in [
      "tests://user", "tests://user#view/x", "tests://user#/view", "tests://user#/view/a/b",
      "tests://user/%23/view/x",
    ] {
      #expect(!router.canOpen(url), "\(url)")
    }
    // A fragment in a pattern comes before all that leave it out, but not before another priority.
    try router.register(RoutePattern("tests://user"), owner: .host) { _ in "plain" }
    #expect(router.ran("tests://user#/view") == "plain" && router.ran("tests://user") == "plain")
    #expect(try router.open("tests://user#/view/joeldev") as? [String?] == ["joeldev", nil])
    #expect(
      try router.matches("tests://user#/view/a").map(\.pattern.text) == [
        "tests://user#/view/:userID", "tests://user",
      ])
    try router.register(RoutePattern("tests://user/*"), owner: .host, priority: 1) { _ in "high" }
    #expect(router.ran("tests://user#/view/a") == "high")
  }

  @Test(
    "a module declares fragments, every scheme and full wildcards like any pattern, and what it declares covers less")
  func declared() throws {
    let switchboard = Switchboard()
    let module = try switchboard.context(
      for: ModuleDeclaration(
        identifier: "com.example.m",
        routes: ["a://x#/y", "a://x", "*://page", "tel::n", "a://w/*", "a://f", "a://f/*+"]))
    for route in ["a://x#/y", "*://page", "tel::other", "a://w/*+", "a://w/*rest+"] {
      try module.register(route: route, options: RouteOptions(equals: .inOrder)) { _ in route }
    }
    for route in ["a://x#/z", "a://page", "*://other", "tel://:n", "a://x#/:y", "a://f/*"] {
      expectPluginError(.routeUndeclared) { try module.register(route: route) { _ in nil } }
    }
    try module.register(route: "a://f", allowsFallback: true) { _ in "below" }
    expectPluginError(.routeUndeclared) { try module.register(route: "a://x", allowsFallback: true) { _ in nil } }
    #expect(switchboard.router.ran("a://f/g/h") == "below")
  }

  @Test(
    "JL7: a scheme has routes of its own, and falls back to those for every scheme if it has none or is allowed to")
  func namespaces() throws {
    let router = Router()
    for pattern in ["*://test", "namespaceTest1://test", "namespaceTest2://test2", "*://global"] {
      try router.register(RoutePattern(pattern), owner: .host) { $0.pattern.text + " " + $0.url.scheme }
    }
    // Three schemes: one that is not registered, and two with routes of their own.
    #expect(router.ran("tests://test") == "*://test tests")
    #expect(router.ran("namespaceTest1://test") == "namespaceTest1://test namespacetest1")
    #expect(router.ran("namespaceTest2://test2") == "namespaceTest2://test2 namespacetest2")
    #expect(router.ran("namespaceTest2://test") == nil)
    // thing://global, without and with the flag.
    try router.register(RoutePattern("thing://test"), owner: .host) { _ in "thing" }
    #expect(router.ran("thing://global") == nil && !router.canOpen("thing://global"))
    router.setFallsBack(true, scheme: "THING")
    #expect(router.ran("thing://global") == "*://global thing")
    #expect(router.ran("thing://test") == "thing")
    #expect(try router.matches("thing://test").map(\.pattern.text) == ["thing://test", "*://test"])
    router.setFallsBack(false, scheme: "thing")
    #expect(router.ran("thing://global") == nil)
    #expect(try router.matches("thing://test").map(\.pattern.text) == ["thing://test"])
  }

  @Test(
    "G4: routes for every scheme do not serve a scheme of a refused module, and its own claim to every scheme is last"
  )
  func refusedSchemes() throws {
    let router = Router()
    let module = ModuleOwner.module("com.example.refused")
    try router.register(RoutePattern("*://*"), owner: .host) { _ in "global" }
    #expect(router.ran("pay://home") == "global")
    try router.refuse([RoutePattern("pay://home")], declared: [RoutePattern("coin:x")], of: module, because: "x")
    expectPluginError(.routeModuleRefused) { try router.open("pay://home") }
    expectPluginError(.routeNotFound) { try router.open("pay://other") }
    expectPluginError(.routeNotFound) { try router.open("coin://y") }
    router.setFallsBack(true, scheme: "pay")
    expectPluginError(.routeModuleRefused) { try router.open("pay://home") }
    #expect(router.ran("pay://other") == "global")
    // It declared every scheme itself: it never came before a scheme's own routes, not even their fallback.
    try router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    for isFailure in [false, true] {
      try router.refuse([], declared: [RoutePattern("*://:page")], isFailure: isFailure, of: module, because: "x")
      #expect(router.ran("ui://page") == "web")
      expectPluginError(.routeModuleRefused) { try router.open("other://page") }
    }
  }

  @Test("G4: what is named for a refused module in every scheme is refused, except for what is named for others")
  func refusedEverywhere() throws {
    let router = Router()
    let module = ModuleOwner.module("com.example.refused")
    for pattern in ["*://*", "*://page", "*://page/shared", "ui://home"] {
      try router.register(RoutePattern(pattern), owner: .host, allowsFallback: true) { _ in pattern }
    }
    try router.refuse(
      [RoutePattern("*://page"), RoutePattern("*://page/*")], except: [RoutePattern("*://page/shared")], of: module,
      because: "x")
    for url in ["tests://page", "other://page/7", "TESTS://p%61ge/?q#f"] {
      expectPluginError(.routeModuleRefused) { try router.open(url) }
    }
    // A URL that is read by its path is the same one.
    expectPluginError(.routeModuleRefused) {
      try router.open(PluginURL("https://www.example.com/page", reading: PathReading()))
    }
    #expect(router.ran("tests://page/shared") == "*://page/shared")
    #expect(router.ran("tests://else") == "*://*")
    // A scheme with routes of its own has none for every scheme, unless it falls back.
    #expect(router.ran("ui://page") == nil)
    router.setFallsBack(true, scheme: "ui")
    expectPluginError(.routeModuleRefused) { try router.open("ui://page") }
    #expect(router.ran("ui://home") == "ui://home")
    router.refuse([], of: module, because: "")
    #expect(router.ran("tests://page") == "*://page")
  }

  @Test("JL10: strictly, a plus is a space and %2B is a plus; as JLRoutes has it, both are spaces")
  func plus() throws {
    let router = Router()
    try router.register(RoutePattern("tests://user/view/:name"), owner: .host) { request in
      [.inQuery, .everywhere, .evenEncoded].flatMap { (plus: PlusDecoding) in
        [request.parameters(plus: plus)["name"] ?? "", request.url.query(plus: plus)["q"] ?? ""]
      }
    }
    #expect(
      try router.open("tests://user/view/joel%2Blevin?q=joel%2Blevin") as? [String]
        == ["joel+levin", "joel+levin", "joel+levin", "joel+levin", "joel levin", "joel levin"])
    #expect(
      try router.open("tests://user/view/joel+levin?q=joel+levin") as? [String]
        == ["joel+levin", "joel levin", "joel levin", "joel levin", "joel levin", "joel levin"])
    // Texts of patterns are not read like that: a plus in them is a plus.
    try router.register(RoutePattern("tests://a+b/*rest"), owner: .host) { request in
      [request.tail(plus: .everywhere).joined(separator: "|"), request.parameters(plus: .everywhere)["rest"] ?? ""]
    }
    #expect(try router.open("tests://a+b/c+d/e%2Ff+g") as? [String] == ["c d|e/f g", "c d/e%2Ff g"])
    #expect(!router.canOpen("tests://a%20b/c"))
  }

  @Test("parts and parameters are there as they are written, beside what they mean")
  func raw() throws {
    let url = try PluginURL("UI://Pl%61yer/a%2Fb/100%/?x=%31&y%3D=T?y=2&z&=v#%2Ff")
    #expect(url.rawHost == "Pl%61yer" && url.rawSegments == ["a%2Fb", "100%"] && url.segments == ["a/b", "100%"])
    #expect(url.rawQuery == "x=%31&y%3D=T?y=2&z&=v" && url.rawFragment == "%2Ff")
    #expect(url.rawQueryItems.map(\.name) == ["x", "y%3D", "z", ""])
    #expect(url.rawQueryItems.map(\.value) == ["%31", "T?y=2", nil, "v"])
    #expect(url.query.items.map(\.value) == ["1", "T?y=2", nil, "v"])
    let bare = try PluginURL("ui://")
    #expect(bare.rawHost == "" && bare.rawSegments.isEmpty && bare.rawQuery == nil && bare.rawFragment == nil)
    let router = Router()
    try router.register(RoutePattern("ui://f/:id.html/*rest"), owner: .host) { request in
      [
        request.parameters["id"] ?? "", request.rawParameters["id"] ?? "", request.rawTail.joined(separator: "|"),
        request.rawParameters["rest"] ?? "",
      ]
    }
    #expect(
      try router.open("ui://f/a%2Bb%2Eht%6dl/c%20d/e%2ff") as? [String]
        == ["a+b", "a%2Bb", "c%20d|e%2ff", "c%20d/e%2ff"])
    #expect(try router.open("ui://f/100%.html") as? [String] == ["100%", "100%", "", ""])
    try router.register(RoutePattern("ui://g#/:id.é"), owner: .host) {
      [$0.rawParameters["id"] ?? "", $0.parameters["id"] ?? ""]
    }
    #expect(try router.open("ui://g#/%61.%C3%A9") as? [String] == ["%61", "a"])
  }
}
