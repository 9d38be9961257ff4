import PluginKit
import Testing

@Suite("patterns") struct RoutePatternTests {
  @Test(
    "what does not follow the grammar is refused, and never read as a literal",
    arguments: [
      // No scheme, or none that can be one.
      "", "x", "/x/:y", "//x", "://x", "1a://x", "ü://x", "a b://x", "1a:x", "a b:/x", ":a://x", "(a)://x",
      String(repeating: "s", count: 65) + "://x",
      // What only URLs have.
      "a://x?y=z", "a://x?", "a://x#y", "a://x/:y?",
      // Empty segments, and what no URL may have.
      "a://x//y", "a://x/y//", "a:////x", "a://x(/)/y", "a://x/.", "a://..", "a://x/%2e%2E/y", "a://x/\u{0}",
      "a://x/\n",
      "a://x/%00", "a://x/%7f", "a://x/:y%0A", "a://x\u{7f}",
      // Parameters without a name, or within a part.
      "a://:", "a://x/:", "a://x/:/y", "a://x/:1", "a://x/:é", "a://x/:.html", "a://x/y:z", "a://x/:y:z", "a://x/:y*",
      "a://x/:y.:z", "a://x:y", "a://x:80y", "a://x/h:80", "a:///h:80", "a://x/:" + String(repeating: "n", count: 65),
      // Wildcards that are not at the end, or within a part.
      "a://*/x", "a://x/*/:y", "a://x/*y/z", "a://x/y*", "a://x/*y.html", "a://x/*1", "a://x/**", "a://x/*:y",
      "a://*(/x)",
      "a://x/*" + String(repeating: "n", count: 65),
      // Parentheses.
      "a://x(", "a://x)", "a://x(/y", "a://x/y)", "a://x(/y))", "a://x((/y)", "a://x()", "a://x(())", "a://)x(",
      // Two ways to read it that match the same URLs.
      "a://x(/)", "a://x(/:y)(/:z)", "a://x((/y))", "a://x(/y)(/y)", "a://x(/y)(/%79)", "a://(:a/)(:b)",
      // An optional slash that would change the URL's form.
      "a:(/x)", "tel:(/x/)y",
    ])
  func malformed(_ text: String) { expectPluginError(.patternMalformed) { try RoutePattern(text) } }

  @Test(
    "a parameter has one place in each way to read the pattern",
    arguments: [
      "a://:x/:x", "a://:x/*x", "a://x/:y(/:y)", "a://:x.html/y/:x", "a://x(/:y(/:y))",
    ])
  func duplicateNames(_ text: String) { expectPluginError(.patternDuplicateName) { try RoutePattern(text) } }

  @Test("patterns are bounded: bytes, parts, ways to read them, and parentheses within each other")
  func bounds() throws {
    let longest = "a://" + String(repeating: "x", count: 1020)
    #expect(try RoutePattern(longest).text == longest)
    expectPluginError(.patternTooLong) { try RoutePattern(longest + "x") }
    let deepest = "a://" + Array(repeating: "s", count: 64).joined(separator: "/")
    #expect(try RoutePattern(deepest + "/").expansions == [deepest])
    expectPluginError(.patternTooLong) { try RoutePattern(deepest + "/s") }
    let widest = "a://x" + (1...5).map { "(/\($0))" }.joined()
    #expect(try RoutePattern(widest).expansions.count == 32)
    expectPluginError(.patternTooLong) { try RoutePattern(widest + "(/6)") }
    let nested = "a://x" + (1...8).map { "(/\($0)" }.joined() + String(repeating: ")", count: 8)
    #expect(try RoutePattern(nested).expansions.count == 9)
    expectPluginError(.patternTooLong) { try RoutePattern("a://x(/0" + nested.dropFirst(5) + ")") }
    expectPluginError(.patternTooLong) { try RoutePattern("a://" + String(repeating: "(", count: 1000)) }
  }

  @Test("JL4: optional parts are read with and without, the longest way first")
  func expansions() throws {
    let cases: [(String, [String])] = [
      ("/the(/foo/:a)(/bar/:b)", ["x://the/foo/:a/bar/:b", "x://the/foo/:a", "x://the/bar/:b", "x://the"]),
      (
        "/(rest/)(app/):object/:id",
        ["x://rest/app/:object/:id", "x://rest/:object/:id", "x://app/:object/:id", "x://:object/:id"]
      ),
      ("a://p(/:q(/:r))", ["a://p/:q/:r", "a://p/:q", "a://p"]),
      ("a://(p)", ["a://p", "a://"]),
      ("a://p(s)/q", ["a://ps/q", "a://p/q"]),
      ("a://p(/:id.html)", ["a://p/:id.html", "a://p"]),
      ("a://p(/*rest)", ["a://p/*rest", "a://p"]),
      ("A://p/", ["a://p"]), ("a://", ["a://"]), ("a:///", ["a://"]), ("a:///p", ["a:///p"]), ("/", ["x://"]),
      ("p", ["x://p"]), ("//p", ["x://p"]), ("a://*", ["a://*"]),
      // What would be read as something else stays encoded, and what is invalid as an encoding becomes valid.
      ("a://%3Ap/%2A/%28q%29", ["a://%3Ap/%2A/%28q%29"]), ("a://100%", ["a://100%25"]), ("a://h:80", ["a://h%3A80"]),
      ("a://:id%68tml/:n%5F/:m%39", ["a://:id%68tml/:n%5F/:m%39"]), ("a://:id-x", ["a://:id-x"]),
      ("a://:id%2E/:n..", ["a://:id./:n.."]),
      ("a://家(/居)", ["a://%E5%AE%B6/%E5%B1%85", "a://%E5%AE%B6"]),
    ]
    for (text, expansions) in cases {
      let pattern = try RoutePattern(text, defaultScheme: "X")
      #expect(pattern.expansions == expansions, "\(text)")
      for expansion in expansions { #expect(try RoutePattern(expansion).expansions == [expansion]) }
    }
    expectPluginError(.patternMalformed) { try RoutePattern("/the(/foo/:a", defaultScheme: "x") }
  }

  @Test("names are told in their order, each once")
  func names() throws {
    #expect(try RoutePattern("a://p(/:a)/:b.html/*c").parameterNames == ["a", "b", "c"])
    #expect(try RoutePattern("a://p(/:a/q)(/:_b2(/x/:c))").parameterNames == ["a", "_b2", "c"])
    #expect(try RoutePattern("a://p/*").parameterNames == [])
  }

  @Test("patterns are the same when they are read in the same ways")
  func sameness() throws {
    #expect(try RoutePattern("A://p/%71/") == RoutePattern("a://p/q"))
    #expect(try RoutePattern("a://p/:a") != RoutePattern("a://p/:b"))
    #expect(try RoutePattern("a://p(/q)") != RoutePattern("a://p/q"))
    #expect(try RoutePattern("a://\u{e9}") != RoutePattern("a://e\u{301}"))
  }

  @Test("texts are compared byte by byte: what Unicode takes for the same is another name")
  func bytes() throws {
    var tree = RouteTree<Int>()
    let patterns = ["a://K", "a://\u{212a}", "a://x/:y.\u{e9}", "a://x/:y.e\u{301}", "a://\u{e9}", "a://e\u{301}"]
    for (number, text) in patterns.enumerated() { try tree.insert(RoutePattern(text), owner: .host, value: number) }
    let urls = ["a://K", "a://%E2%84%AA", "a://x/1.\u{e9}", "a://x/1.e\u{301}", "a://%C3%A9", "a://e%CC%81"]
    for (number, text) in urls.enumerated() {
      let match = try tree.match(PluginURL(text))
      #expect(match?.value == number, "\(text)")
      #expect(match?.parameters["y"] == (text.hasPrefix("a://x/") ? "1" : nil))
      #expect(try PluginURL(text) != PluginURL(urls[number ^ 1]))
    }
  }
}
