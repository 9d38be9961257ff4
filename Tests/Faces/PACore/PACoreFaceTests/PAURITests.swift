import PACoreFace
import PluginKit
import Testing

@Suite("PACore's addresses") struct PAURITests {
  @Test(
    "PA1: an address has a scheme, a resource path and parameters, or is none",
    arguments: [
      ("ui://wechat?id=7", "wechat", ["id": "7"]), ("ui:///a/b?x=1", "/a/b", ["x": "1"]), ("ui://", nil, nil),
      ("ui://x?", "x", [:]), ("ui://x", "x", nil), ("UI://wechat/pay?a=1&b=2", "wechat/pay", ["a": "1", "b": "2"]),
    ] as [(String, String?, [String: String]?)])
  func parts(_ text: String, _ path: String?, _ params: [String: String]?) throws {
    let uri = try #require(PAURI(text))
    #expect(uri.scheme == "ui")
    #expect(uri.resourcePath == path)
    #expect(uri.params == params)
    #expect("\(uri)" == text)
  }

  @Test(
    "PA1: without a text, or without a scheme, there is no address", arguments: [nil, "wechat", "", "//x", "?a=b"])
  func none(_ text: String?) { #expect(PAURI(text) == nil) }

  @Test(
    "D17b: a value keeps its equals signs, a fragment is no part of the path, // is required, and parts are decoded")
  func originalsFaults() throws {
    #expect(try #require(PAURI("a://h?a=b=c")).params == ["a": "b=c"])
    let fragment = try #require(PAURI("ui://home?a=1#x"))
    #expect(fragment.resourcePath == "home")
    #expect(fragment.params == ["a": "1"])
    #expect(PAURI("mailto:abc") == nil)
    #expect(PAURI("a:/?q") == nil)
    let encoded = try #require(PAURI("ui://%E5%AE%B6/a%2Fb?q=%E5%AE%B6&plus=a+b&k"))
    #expect(encoded.resourcePath == "家/a%2Fb")
    #expect(encoded.params == ["q": "家", "plus": "a b"])
  }

  @Test("an address can be opened as it is")
  func opened() async throws {
    let router = Router()
    try router.register(RoutePattern("ui://page"), owner: .host) { $0.query["id"] }
    #expect(try await router.open(#require(PAURI("ui://page?id=7"))) as? String == "7")
    #expect(PAURI(try PluginURL("ui://page")) == PAURI("UI://page"))
  }
}
