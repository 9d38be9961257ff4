import PluginKit
import Testing

@Suite("Which route a URL is for") struct RouteTreeTests {
  private func matched(_ patterns: [String], _ url: String) throws -> (String, [String: String])? {
    var tree = RouteTree<Void>()
    for pattern in patterns { try tree.insert(RoutePattern(pattern), owner: .host, value: ()) }
    return try tree.match(PluginURL(url)).map { ($0.pattern.text, $0.parameters) }
  }

  @Test("a branch that leads nowhere is left, and nothing of it stays")
  func backtracking() throws {
    let match = try #require(try matched(["a://x/:one/y", "a://:any/b/c"], "a://x/b/c"))
    #expect(match.0 == "a://:any/b/c")
    #expect(match.1 == ["any": "x"])
    #expect(try matched(["a://x/b/:q/end", "a://x/*rest"], "a://x/b/1/other")?.1 == ["rest": "b/1/other"])
    #expect(try matched(["a://x/*", "a://x/y/:v"], "a://x/y")?.0 == "a://x/*")
  }

  @Test("a tail is all that is left, even nothing, each part as it is")
  func tails() throws {
    var tree = RouteTree<Void>()
    try tree.insert(RoutePattern("a://x/*rest"), owner: .host, value: ())
    #expect(try tree.match(PluginURL("a://x"))?.tail == [])
    #expect(try tree.match(PluginURL("a://x/a%2Fb/c"))?.tail == ["a/b", "c"])
    #expect(try tree.match(PluginURL("a://x/b/c"))?.parameters == ["rest": "b/c"])
    #expect(try tree.match(PluginURL("a://y")) == nil)
  }

  @Test("an encoded slash is in the value of a parameter, and no part more")
  func slash() throws {
    #expect(
      try matched(["a://web/:url"], "a://web/http%3A%2F%2Ffoobar.com%2Fbaz")?.1 == ["url": "http://foobar.com/baz"])
  }

  @Test("a higher priority comes first, whatever the patterns; a fallback comes last")
  func priorities() throws {
    var tree = RouteTree<String>()
    let literal = try tree.insert(RoutePattern("a://p/high"), owner: .host, value: "literal")
    let parameter = try tree.insert(RoutePattern("a://p/:level"), owner: .host, priority: 20, value: "parameter")
    try tree.insert(RoutePattern("a://p/high"), owner: .host, priority: -3, value: "low")
    try tree.insert(RoutePattern("a://p"), owner: .host, priority: 99, allowsFallback: true, value: "fallback")
    #expect(try tree.match(PluginURL("a://p/high"))?.value == "parameter")
    #expect(try tree.match(PluginURL("a://p/high/x"))?.value == "fallback")
    #expect(try tree.match(PluginURL("a://p/high/x"), exactly: true) == nil)
    tree.remove(parameter)
    #expect(try tree.match(PluginURL("a://p/high"))?.value == "literal")
    tree.remove(literal)
    #expect(try tree.match(PluginURL("a://p/high"))?.value == "low")
    for priority in 100..<162 { try tree.insert(RoutePattern("a://q"), owner: .host, priority: priority, value: "") }
    expectPluginError(.routePriorities) {
      try tree.insert(RoutePattern("a://q"), owner: .host, priority: 200, value: "")
    }
  }

  @Test("the nearest of those above serves what nobody else does")
  func nearest() throws {
    var tree = RouteTree<String>()
    for pattern in ["a://", "a://x", "a://x/:id/z"] {
      try tree.insert(RoutePattern(pattern), owner: .host, allowsFallback: true, value: pattern)
    }
    #expect(try tree.match(PluginURL("a://x/1/z/more"))?.value == "a://x/:id/z")
    #expect(try tree.match(PluginURL("a://x/1/z/more"))?.parameters == ["id": "1"])
    #expect(try tree.match(PluginURL("a://x/1/z/more"))?.tail == ["more"])
    #expect(try tree.match(PluginURL("a://x/1/y"))?.value == "a://x")
    #expect(try tree.match(PluginURL("a://y"))?.value == "a://")
    #expect(try tree.match(PluginURL("b://y")) == nil)
  }

  @Test("the nearest is the one with the most parts, whatever they are; the highest priority comes before that")
  func nearestOfAll() throws {
    var tree = RouteTree<String>()
    for pattern in ["a://x", "a://:p/y", "a://:p/:q"] {
      try tree.insert(RoutePattern(pattern), owner: .host, allowsFallback: true, value: pattern)
    }
    #expect(try tree.match(PluginURL("a://x/y/z"))?.value == "a://:p/y")
    #expect(try tree.match(PluginURL("a://x/y/z"))?.parameters == ["p": "x"])
    #expect(try tree.match(PluginURL("a://x/w/z"))?.value == "a://:p/:q")
    try tree.insert(RoutePattern("a://"), owner: .host, priority: 1, allowsFallback: true, value: "a://")
    #expect(try tree.match(PluginURL("a://x/y/z"))?.value == "a://")
    #expect(try tree.match(PluginURL("a://x/y"))?.value == "a://:p/y")
  }

  @Test(
    "a second route for the same URLs is refused, and both owners are named",
    arguments: [
      ("a://x/:id", "a://x/:name"), ("a://x/*", "a://x/*rest"), ("a://x", "A://x/"), ("a://x(/y)", "a://x/y"),
      ("a://x/%41", "a://x/A"), ("a://:a.html", "a://:b.html"),
    ])
  func conflicts(_ one: String, _ other: String) throws {
    var tree = RouteTree<Void>()
    try tree.insert(RoutePattern(one), owner: .module("com.example.one"), value: ())
    do {
      try tree.insert(RoutePattern(other), owner: .module("com.example.other"), value: ())
      Issue.record("was taken")
    } catch {
      #expect(error.code == .routeConflict)
      #expect("\(error)".contains("com.example.one"))
      #expect("\(error)".contains("com.example.other"))
    }
    #expect(tree.count == 1)
    try tree.insert(RoutePattern(other), owner: .host, priority: 1, value: ())
  }

  @Test("of a pattern that is refused nothing stays")
  func whole() throws {
    var tree = RouteTree<Void>()
    try tree.insert(RoutePattern("a://x"), owner: .host, value: ())
    expectPluginError(.routeConflict) { try tree.insert(RoutePattern("a://x(/y)"), owner: .host, value: ()) }
    #expect(try tree.match(PluginURL("a://x/y")) == nil)
  }

  @Test("removing an owner's routes leaves those of others, and their places free")
  func owners() throws {
    var tree = RouteTree<Void>()
    let module = ModuleOwner.module("com.example.one")
    for number in 0..<20 {
      try tree.insert(RoutePattern("a://x/\(number)(/:y)"), owner: number % 2 == 0 ? module : .host, value: ())
    }
    tree.removeAll(ownedBy: module)
    #expect(tree.routes.map(\.owner) == Array(repeating: .host, count: 10))
    for number in 0..<20 { #expect(try (tree.match(PluginURL("a://x/\(number)/z")) != nil) == (number % 2 == 1)) }
    for number in stride(from: 0, to: 20, by: 2) {
      try tree.insert(RoutePattern("a://x/\(number)"), owner: .host, value: ())
    }
    #expect(tree.count == 20)
  }
}
