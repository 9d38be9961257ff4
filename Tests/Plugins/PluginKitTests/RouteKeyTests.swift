import Testing

@testable import PluginKit

@Suite("What patterns and URLs are compared by before their parts") struct RouteKeyTests {
  @Test("a pattern and a URL that it can match have one key")
  func common() throws {
    for (pattern, url) in [("ui://a/:b", "ui://a/b"), ("tel::number", "tel:1"), ("UI:/a", "ui:///a")] {
      let shape = try #require(RoutePattern(pattern).shapes.first)
      #expect(shape.key == RouteKey(of: try PluginURL(url, accepting: .all)))
    }
    let shape = try #require(RoutePattern("ui://a#/b").shapes.first)
    #expect(shape.key == RouteKey(of: try PluginURL("ui://a#/b")).withFragment)
    #expect(try #require(RoutePattern("*://a").shapes.first).key == RouteKey(of: try PluginURL("ui://a")).global)
    #expect(
      try #require(RoutePattern("*:a").shapes.first).key == RouteKey(of: PluginURL("ui:a", accepting: .all)).global)
  }

  @Test("a key says all that it was made of", arguments: ["ui", "a+b-c.d", RouteKey.anyScheme])
  func parts(scheme: String) {
    var keys: Set<RouteKey> = []
    for isOpaque in [false, true] {
      for hasFragment in [false, true] {
        let key = RouteKey(scheme: scheme, isOpaque: isOpaque, hasFragment: hasFragment)
        #expect(key.scheme == scheme && key.isOpaque == isOpaque && key.hasFragment == hasFragment)
        #expect(key.isGlobal == (scheme == "*"))
        #expect(key.withFragment == RouteKey(scheme: scheme, isOpaque: isOpaque, hasFragment: true))
        #expect(key.global == RouteKey(scheme: "*", isOpaque: isOpaque, hasFragment: hasFragment))
        #expect(RouteKey.hasAny(of: scheme) { $0 == key })
        keys.insert(key)
      }
    }
    #expect(keys.count == 4)
    #expect(!RouteKey.hasAny(of: scheme) { $0.scheme != scheme })
  }
}
