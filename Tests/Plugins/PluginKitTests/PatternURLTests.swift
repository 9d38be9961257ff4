import PluginKit
import Testing

@Suite("URLs made of patterns") struct PatternURLTests {
  @Test("MG12, D33: values in their order are encoded, each in the place of its whole name")
  func ordered() throws {
    let cases: [(String, [String], String)] = [
      ("mgj://search/:keyword", ["Hangzhou"], "mgj://search/Hangzhou"),
      ("mgj://beauty/:id", ["13"], "mgj://beauty/13"),
      ("mgj://b/:id/:idx", ["1", "2"], "mgj://b/1/2"),
      ("mgj://b/:idx/:id", ["1", "2"], "mgj://b/1/2"),
      ("mgj://:id", ["1"], "mgj://1"),
      ("mgj://b/:id.html", ["a.html"], "mgj://b/a.html.html"),
      ("mgj://b/:id", ["a b/ü?#%:"], "mgj://b/a%20b%2F%C3%BC%3F%23%25%3A"),
      ("mgj://b/:id", [":idx"], "mgj://b/%3Aidx"),
      ("mgj://b/:id", ["..."], "mgj://b/..."),
      ("mgj://b/:id%2F", ["."], "mgj://b/.%2F"),
      ("mgj://b/*tail", ["x/y z"], "mgj://b/x/y%20z"),
      ("mgj://b/*tail", [""], "mgj://b"),
      ("mgj://*tail", ["/x"], "mgj:///x"),
      ("mgj://b/*", [], "mgj://b"),
      ("mgj://", [], "mgj://"),
      ("MGJ://家(/:id)", ["居"], "mgj://%E5%AE%B6/%E5%B1%85"),
      ("mgj://b(/x/:id)(/y)", [], "mgj://b/y"),
    ]
    for (pattern, values, text) in cases {
      #expect(try RoutePattern(pattern).url(values).text == text, "\(pattern)")
    }
  }

  @Test(
    "MG12, D33: too few or too many values, and those that no URL can have, are errors",
    arguments: [
      ("mgj://b/:id", []), ("mgj://b/:id", ["1", "2"]), ("mgj://b/:id/:idx", ["1"]), ("mgj://b", ["1"]),
      ("mgj://b(/:a/:b)", ["1"]), ("mgj://b/*", ["1"]), ("mgj://b/:id", [""]), ("mgj://b/:id/c", [""]),
      ("mgj://:id", [""]), ("mgj://b/:id.html", [""]), ("mgj://b/:id", ["."]), ("mgj://b/:id", [".."]),
      ("mgj://b/:id%2E", ["."]), ("mgj://b/:id", ["a\nb"]), ("mgj://b/:id", ["\u{0}"]), ("mgj://b/*tail", ["/x"]),
      ("mgj://b/*tail", ["x/"]), ("mgj://b/*tail", ["x//y"]), ("mgj://b/*tail", ["x/../y"]), ("mgj://*tail", ["/"]),
      ("mgj://b/*tail", [Array(repeating: "s", count: 64).joined(separator: "/")]),
      ("mgj://b/:id", [String(repeating: "é", count: 3000)]),
    ] as [(String, [String])])
  func refused(_ pattern: String, _ values: [String]) {
    expectPluginError(.patternValues) { try RoutePattern(pattern).url(values) }
  }

  @Test("named values choose the longest way to read the pattern that has these names")
  func named() throws {
    let pattern = try RoutePattern("a://p(/x/:a)(/y/:b)(/z)")
    #expect(try pattern.url(["a": "1", "b": "2"]).text == "a://p/x/1/y/2/z")
    #expect(try pattern.url(["b": "2"]).text == "a://p/y/2/z")
    #expect(try pattern.url([String: String]()).text == "a://p/z")
    for values in [["c": "1"], ["a": "1", "c": "2"], ["a": "1", "b": "2", "c": "3"]] {
      expectPluginError(.patternValues) { try pattern.url(values) }
    }
  }

  @Test("a URL that the pattern would read in another way is none for these values")
  func otherWays() throws {
    let pattern = try RoutePattern("a://x(/:a.html)(/:b)")
    #expect(try pattern.url(["b": "q"]).text == "a://x/q")
    expectPluginError(.patternValues) { try pattern.url(["b": "q.html"]) }
    let literal = try RoutePattern("a://x(/y/:c)(/:b/z)")
    #expect(try literal.url(["b": "w"]).text == "a://x/w/z")
    expectPluginError(.patternValues) { try literal.url(["b": "y"]) }
    // U+F900 is canonically equivalent to the literal U+8C48, and another text all the same.
    let other = try RoutePattern("a://:id((/%E8%B1%88)/:b)/*+")
    expectPluginError(.patternValues) { try other.url(["id": "1", "b": "\u{f900}"]) }
  }

  @Test("a query is encoded behind the path")
  func query() throws {
    let query = URLQuery([
      .init(name: "a b", value: "1&2=3+4"), .init(name: "c", value: nil), .init(name: "", value: ""),
    ])
    let url = try RoutePattern("a://p/:id").url(["id": "1"], query: query)
    #expect(url.text == "a://p/1?a%20b=1%262%3D3%2B4&c&=")
    #expect(url.query == query)
    expectPluginError(.patternValues) {
      try RoutePattern("a://p").url([], query: URLQuery(Array(repeating: .init(name: "k", value: "v"), count: 257)))
    }
  }

  @Test("messages show no control characters, and not all of a long value")
  func messages() {
    for values in [["\u{1b}[2J"], ["\u{9b}", "x"], [String(repeating: "x", count: 50_000)]] {
      do {
        _ = try RoutePattern("a://p\u{9b}/:id").url(values)
        Issue.record("there is a URL with these values")
      } catch {
        #expect(!"\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(error)")
        #expect("\(error)".count < 1000)
      }
    }
    do {
      _ = try PluginURL("\u{1b}a://x?" + String(repeating: "y", count: 20_000))
      Issue.record("is no URL")
    } catch {
      #expect(!"\(error)".contains("\u{1b}"))
    }
  }
}
