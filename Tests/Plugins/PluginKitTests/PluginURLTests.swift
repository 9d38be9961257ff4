import PluginKit
import Testing

@Suite("URLs") struct PluginURLTests {
  @Test("a URL has a scheme, a host, segments, parameters and a fragment, each decoded once")
  func parts() throws {
    let url = try PluginURL("UI://Player/a%2Fb/%E5%AE%B6?x=1&y=a%3Db&z&=v&p=a+b%2Bc#to%70")
    #expect(url.scheme == "ui")
    #expect(url.host == "Player")
    #expect(url.segments == ["a/b", "家"])
    #expect(url.query.items.map(\.name) == ["x", "y", "z", "", "p"])
    #expect(url.query.items.map(\.value) == ["1", "a=b", nil, "v", "a b+c"])
    #expect(url.query["p"] == "a b+c")
    #expect(url.fragment == "top")
  }

  @Test(
    "PA1: a URL needs a scheme; its resource path is what stands between :// and ?",
    arguments: [
      ("ui://wechat?id=7", "wechat", ["id": "7"], true), ("ui:///a/b?x=1", "/a/b", ["x": "1"], true),
      ("ui://", nil, [:], false), ("ui://x?", "x", [:], true), ("ui://x", "x", [:], false),
    ] as [(String, String?, [String: String], Bool)])
  func resourcePath(_ text: String, _ path: String?, _ query: [String: String], _ hasQuery: Bool) throws {
    let url = try PluginURL(text)
    #expect(url.scheme == "ui")
    #expect(url.resourcePath == path)
    #expect(url.query.dictionary == query)
    #expect(url.hasQuery == hasQuery)
  }

  @Test(
    "PA1: no scheme is an error",
    arguments: ["wechat", "", "//x", "://x", "1a://x", "a b://x", "mailto:abc", "ü://x"])
  func schemeless(_ text: String) { expectPluginError(.urlMalformed) { try PluginURL(text) } }

  @Test("D17b: the first = splits, a fragment is no part of anything else, nothing traps")
  func originalsFaults() throws {
    #expect(try PluginURL("a://h?a=b=c").query["a"] == "b=c")
    #expect(try PluginURL("a://home?a=1#x").resourcePath == "home")
    #expect(try PluginURL("a://home?a=1#x").query["a"] == "1")
    expectPluginError(.urlMalformed) { try PluginURL("mailto:abc") }
    expectPluginError(.urlMalformed) { try PluginURL("a:/?q") }
  }

  @Test("D28: what is in a query or a fragment has no say in the rest")
  func queryFirst() throws {
    let url = try PluginURL("mgj://web?u=y://admin/delete")
    #expect(url.host == "web")
    #expect(url.segments.isEmpty)
    #expect(url.query["u"] == "y://admin/delete")
    let fragment = try PluginURL("tests://user#/view/joeldev?foo=bar")
    #expect(fragment.host == "user")
    #expect(fragment.fragment == "/view/joeldev")
    #expect(fragment.query["foo"] == "bar")
    #expect(try PluginURL("a://b?c#d?e").fragment == "d?e")
  }

  @Test(
    "what no part may be is refused, in whatever encoding",
    arguments: [
      ("a://h/..", .urlDotSegment), ("a://h/%2e%2E/x", .urlDotSegment), ("a://h/./x", .urlDotSegment),
      ("a://..", .urlDotSegment), ("a://h//x", .urlEmptySegment), ("a://h/x//", .urlEmptySegment),
      ("a://h/%00", .urlControlCharacter), ("a://h%0Ax", .urlControlCharacter),
      ("a://h/\u{7f}", .urlControlCharacter),
      ("a://h?x=\n", .urlControlCharacter), ("a://h#\t", .urlControlCharacter),
    ] as [(String, PluginError.Code)])
  func refused(_ text: String, _ code: PluginError.Code) { expectPluginError(code) { try PluginURL(text) } }

  @Test("encoded control characters of a query are data")
  func lines() throws { #expect(try PluginURL("a://h?x=1%0A2").query["x"] == "1\n2") }

  @Test(
    "D31: a part with invalid percent sequences is kept as it is written",
    arguments: ["100%", "%", "%4", "%zz", "%FF", "%C3%28", "a%E5%AE"])
  func invalidPercent(_ part: String) throws {
    let url = try PluginURL("a://h/\(part)/x?v=\(part)&\(part)=1")
    #expect(url.segments == [part, "x"])
    #expect(url.query["v"] == part)
    #expect(url.query[part] == "1")
  }

  @Test("lengths are bounded")
  func lengths() throws {
    let start = "a://h?x="
    let longest = start + String(repeating: "y", count: 16_384 - start.utf8.count)
    #expect(try PluginURL(longest).query["x"]?.count == 16_376)
    expectPluginError(.urlTooLong) { try PluginURL(longest + "y") }
    let deepest = "a://" + Array(repeating: "s", count: 64).joined(separator: "/")
    #expect(try PluginURL(deepest + "/").segments.count == 63)
    expectPluginError(.urlTooLong) { try PluginURL(deepest + "/s") }
    let fullest = "a://h?" + Array(repeating: "k=v", count: 256).joined(separator: "&")
    #expect(try PluginURL(fullest).query.items.count == 256)
    expectPluginError(.urlTooLong) { try PluginURL(fullest + "&k") }
  }

  @Test("schemes are the same whatever their case, hosts and paths are not")
  func sameness() throws {
    #expect(try PluginURL("A://h/x") == PluginURL("a://h/x"))
    #expect(try PluginURL("a://h/x") != PluginURL("a://H/x"))
    #expect(try PluginURL("a://h/x") != PluginURL("a://h/X"))
    #expect(try PluginURL("a://h/%78") == PluginURL("a://h/x/"))
    #expect(try PluginURL("a://h/a%2Fb") != PluginURL("a://h/a/b"))
    #expect(try PluginURL("a://h?") != PluginURL("a://h"))
  }

  @Test("a text without a scheme has the default one, unless it looks like another's")
  func defaultScheme() throws {
    #expect(try PluginURL("search/x?y=z", defaultScheme: "mgj") == PluginURL("mgj://search/x?y=z"))
    #expect(try PluginURL("ui://x", defaultScheme: "mgj").scheme == "ui")
    expectPluginError(.urlMalformed) { try PluginURL("mailto:x", defaultScheme: "mgj") }
    for text in ["search/x", "/search/x", "search/x/"] {
      let url = try PluginURL(text, defaultScheme: "MGJ")
      #expect(url == (try PluginURL("mgj://search/x")))
      #expect(try RoutePattern(text, defaultScheme: "MGJ").url([]) == url)
    }
    #expect(try PluginURL("/", defaultScheme: "mgj").resourcePath == nil)
    for scheme in ["ui://", "", "1", "ü"] {
      expectPluginError(.urlMalformed) { try PluginURL("x", defaultScheme: scheme) }
      expectPluginError(.patternMalformed) { try RoutePattern("x", defaultScheme: scheme) }
    }
  }

  @Test("messages show no control characters")
  func messages() {
    do {
      _ = try PluginURL("\u{1b}[2J")
      Issue.record("is no URL")
    } catch { #expect(!"\(error)".contains("\u{1b}")) }
  }
}
