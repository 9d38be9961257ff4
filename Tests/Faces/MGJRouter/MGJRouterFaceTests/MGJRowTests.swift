import MGJRouterFace
import PluginKit
import Synchronization
import Testing

@Suite("Rows of MGJRouter, by its own calls") struct MGJRowTests {
  @Test("MG1: a handler gets the URL, and values and completion only if they are passed")
  func basic() throws {
    let fixture = try Fixture("mgj://foo/bar")
    let plain = try fixture.parameters("mgj://foo/bar")
    #expect(plain[MGJRouterParameterURL] as? String == "mgj://foo/bar" && plain.url == "mgj://foo/bar")
    #expect(plain[MGJRouterParameterUserInfo] == nil && plain[MGJRouterParameterCompletion] == nil)
    #expect(plain.dictionary.keys.sorted() == ["MGJRouterParameterURL"])
    let results = Mutex<[Int]>([])
    let error = fixture.router.openURL("mgj://foo/bar", withUserInfo: ["k": 7]) { result in
      results.withLock { $0.append(result as? Int ?? 0) }
    }
    #expect(error == nil)
    let full = try #require(fixture.calls.last)
    #expect((full[MGJRouterParameterUserInfo] as? [String: any Sendable])?["k"] as? Int == 7)
    #expect(
      full.dictionary.keys.sorted() == [
        "MGJRouterParameterCompletion", "MGJRouterParameterURL", "MGJRouterParameterUserInfo",
      ])
    (full[MGJRouterParameterCompletion] as? MGJRouterCompletion)?(9)
    #expect(results.withLock { $0 } == [9])
    // The keys are those of the original.
    #expect(MGJRouterParameterURL == "MGJRouterParameterURL")
    #expect(MGJRouterParameterUserInfo == "MGJRouterParameterUserInfo")
    #expect(MGJRouterParameterCompletion == "MGJRouterParameterCompletion")
    #expect(fixture.ran("mgj://foo") == nil && fixture.ran("other://foo/bar") == nil)
  }

  @Test("MG1: a later handler takes the place of the earlier one, of either kind")
  func replacing() throws {
    let fixture = try Fixture()
    try fixture.register("mgj://foo/:a", as: "first")
    try fixture.register("mgj://foo/:b", as: "second")
    #expect(fixture.ran("mgj://foo/1") == "second")
    #expect(fixture.calls.last?.path == ["b": "1"])
    try fixture.router.registerURLPattern("mgj://foo/:c", toObjectHandler: { $0["c"] })
    #expect(fixture.ran("mgj://foo/1") == nil)
    #expect(fixture.router.object(forURL: "mgj://foo/1") as? String == "1")
    #expect(fixture.switchboard.table.map(\.pattern) == ["mgj://foo/:c"])
  }

  @Test("MG2: parameters of the path and of the query are in one dictionary, and apart")
  func parameters() throws {
    let fixture = try Fixture("mgj://search/:query")
    let parameters = try fixture.parameters("mgj://search/bicycle?color=red")
    #expect(parameters["query"] as? String == "bicycle" && parameters["color"] as? String == "red")
    #expect(parameters.path == ["query": "bicycle"] && parameters.query == ["color": "red"])
    #expect(parameters["size"] == nil)
    let others = try fixture.parameters("mgj://search/a%20b?c=%E7%BA%A2&c=2&empty=&none&a+b=c+d")
    #expect(others.path == ["query": "a b"])
    #expect(others.query == ["c": "2", "empty": "", "a b": "c d"])
    #expect(others["none"] == nil && others["empty"] as? String == "")
  }

  @Test("MG3: a suffix has to be there, and is cut from the value")
  func suffix() throws {
    let fixture = try Fixture("mgj://d/:id.html")
    #expect(try fixture.parameters("mgj://d/123.html")["id"] as? String == "123")
    #expect(try fixture.parameters("mgj://d/1.html.html")["id"] as? String == "1.html")
    for url in ["mgj://d/123", "mgj://d/.html", "mgj://d/123.htm", "mgj://d/123html"] {
      #expect(fixture.ran(url) == nil, "\(url)")
    }
  }

  @Test("MG4: a wildcard comes last, and needs a part")
  func wildcard() throws {
    let fixture = try Fixture("mgj://a/~", "mgj://a/b", "mgj://a/:id.html")
    #expect(fixture.ran("mgj://a/c") == "mgj://a/~")
    #expect(fixture.ran("mgj://a/b") == "mgj://a/b")
    #expect(fixture.ran("mgj://a/c.html") == "mgj://a/:id.html")
    #expect(fixture.ran("mgj://a/c/d") == "mgj://a/~")
    #expect(fixture.ran("mgj://a") == nil && fixture.ran("mgj://a/") == nil)
    #expect(fixture.ran("mgj://a/~") == "mgj://a/~")
    #expect(fixture.calls.last?.path == [:] && fixture.calls.last?.request.tail == ["~"])
    expectPluginError(.patternMalformed) { try fixture.register("mgj://a/~/b") }
  }

  @Test("MG5: what nobody serves goes to the scheme's handler, and to the nearest one above before that")
  func schemeFallback() throws {
    let fixture = try Fixture("mgj://")
    let parameters = try fixture.parameters("mgj://search/travel/china?has_travelled=0")
    #expect(parameters["has_travelled"] as? String == "0" && parameters.isFallback)
    #expect(parameters.url == "mgj://search/travel/china?has_travelled=0")
    #expect(fixture.ran("mgj://") == "mgj://" && fixture.calls.last?.isFallback == false)
    #expect(fixture.ran("other://search") == nil)
    // The demo of the README: the longer pattern leads nowhere for the shorter URL.
    try fixture.register("mgj://foo/bar/none/exists")
    #expect(fixture.ran("mgj://foo/bar") == "mgj://")
    #expect(fixture.ran("mgj://foo/bar/none/exists") == "mgj://foo/bar/none/exists")
    try fixture.register("mgj://foo")
    #expect(fixture.ran("mgj://foo/bar") == "mgj://foo")
    #expect(fixture.ran("mgj://foo/bar/none/exists/more") == "mgj://foo/bar/none/exists")
    #expect(fixture.ran("mgj://fo") == "mgj://")
  }

  @Test("MG5: the scheme's handler can be written with the wildcard, as the original keeps it")
  func schemeWildcard() throws {
    let fixture = try Fixture("mgj://~", "mgj://foo")
    #expect(fixture.ran("mgj://foo/bar") == "mgj://foo")
    #expect(fixture.ran("mgj://x/y") == "mgj://~")
    #expect(fixture.calls.last?.isFallback == true)
    try fixture.register("mgj://", as: "later")
    #expect(fixture.ran("mgj://x/y") == "later")
    #expect(fixture.router.deregisterURLPattern("mgj://~"))
    #expect(fixture.ran("mgj://x/y") == nil)
  }

  @Test("MG6: a handler serves what is below it and says so, unless it was registered without; no other path")
  func parentFallback() throws {
    let fixture = try Fixture("mgj://foo/bar")
    #expect(fixture.ran("mgj://foo/bar/baz/qux") == "mgj://foo/bar")
    #expect(fixture.calls.last?.isFallback == true)
    #expect(fixture.ran("mgj://foo/bar") == "mgj://foo/bar")
    #expect(fixture.calls.last?.isFallback == false)
    #expect(fixture.ran("mgj://foo/XXX/bar") == nil)
    try fixture.router.registerURLPattern("mgj://foo/bar", allowsFallback: false) { [calls = fixture.calls] in
      calls.add("exact", $0)
    }
    #expect(fixture.ran("mgj://foo/bar") == "exact")
    #expect(fixture.ran("mgj://foo/bar/baz/qux") == nil)
  }

  @Test("MG7: Chinese patterns and URLs match, encoded or not, and nothing else does")
  func chinese() throws {
    let fixture = try Fixture("mgj://category/家居")
    #expect(fixture.ran("mgj://category/家居") == "mgj://category/家居")
    #expect(fixture.calls.last?.url == "mgj://category/家居")
    #expect(fixture.ran("mgj://category/%E5%AE%B6%E5%B1%85") == "mgj://category/家居")
    for url in ["mgj://category/x", "mgj://category", "mgj://家居", "mgj://category/家", "mgj://category/家居x"] {
      #expect(fixture.ran(url) == nil, "\(url)")
    }
    try fixture.register("mgj://%E5%AE%B6/:名")
    #expect(try fixture.parameters("mgj://家/居?色=红").dictionary["名"] as? String == "居")
    #expect(fixture.calls.last?["色"] as? String == "红" && fixture.calls.last?["名"] as? String == "居")
  }

  @Test("MG8: values and a completion reach the handler, which calls it whenever and as often as it wants")
  func userInfo() async throws {
    let fixture = try Fixture("mgj://category/travel")
    let heard = Mutex<[String]>([])
    await fixture.router.openURL("mgj://category/travel", withUserInfo: ["user_id": 1900]) { result in
      heard.withLock { $0.append("\(result ?? "nothing")") }
    }
    let parameters = try #require(fixture.calls.last)
    #expect(parameters.userInfo?.count == 1 && parameters.userInfo?["user_id"] as? Int == 1900)
    #expect(heard.withLock { $0 } == [])
    parameters.completion?("done")
    parameters.completion?(nil)
    #expect(heard.withLock { $0 } == ["done", "nothing"])
    // Nobody serves the URL: nobody calls the completion.
    let error = await fixture.router.openURL("mgj://none") { _ in heard.withLock { $0.append("wrong") } }
    #expect(error?.code == .routeNotFound && heard.withLock { $0.count } == 2)
  }

  @Test("MG8: values reach handlers of PluginKit, and those of PluginKit's callers reach handlers here")
  func mixed() throws {
    let fixture = try Fixture("mgj://here/:id")
    try fixture.switchboard.router.register(RoutePattern("mgj://there"), owner: .host) { request in
      (request.userInfo[MGJRouterParameterCompletion] as? MGJRouterCompletion)?(request.userInfo["user_id"])
      return nil
    }
    let heard = Mutex<[Int]>([])
    fixture.router.openURL("mgj://there", withUserInfo: ["user_id": 1900]) { result in
      heard.withLock { $0.append(result as? Int ?? 0) }
    }
    #expect(heard.withLock { $0 } == [1900])
    try fixture.switchboard.router.open("mgj://here/7", userInfo: ["user_id": 1901])
    #expect(fixture.calls.last?.userInfo?["user_id"] as? Int == 1901 && fixture.calls.last?["id"] as? String == "7")
    #expect(fixture.calls.last?.completion == nil)
  }

  @Test("MG9: an object handler gives an object, with a scheme or without; nothing else gives any")
  func object() throws {
    final class Bar: Sendable {}
    let bar = Bar()
    let fixture = try Fixture("mgj://ordinary", defaultScheme: "mgj")
    try fixture.router.registerURLPattern(
      "search_top_bar",
      toObjectHandler: { parameters in
        parameters.userInfo?["none"] == nil ? bar : nil
      })
    #expect(fixture.router.object(forURL: "mgj://search_top_bar") as? Bar === bar)
    #expect(fixture.router.object(forURL: "search_top_bar", withUserInfo: ["k": 1]) as? Bar === bar)
    #expect(fixture.router.object(forURL: "search_top_bar", withUserInfo: ["none": 1]) == nil)
    #expect(fixture.router.object(forURL: "mgj://other") == nil && fixture.router.object(forURL: "://") == nil)
    // An ordinary handler gives none, and does not run; an object handler is not opened.
    #expect(fixture.router.object(forURL: "mgj://ordinary") == nil && fixture.calls.count == 0)
    #expect(fixture.router.openURL("search_top_bar")?.code == .routeNotFound)
    #expect(!fixture.router.canOpenURL("search_top_bar"))
    // A handler that fails gives none either.
    try fixture.router.registerURLPattern("mgj://fails", toObjectHandler: { _ in throw CancellationError() })
    #expect(fixture.router.object(forURL: "mgj://fails") == nil)
    // Without a default scheme there has to be one.
    let other = try Fixture()
    expectPluginError(.patternMalformed) { try other.register("search_top_bar") }
    #expect(other.router.openURL("search_top_bar")?.code == .urlMalformed)
  }

  @Test("MG10: a URL can be opened if a handler would run, and exactly if it is not below the handler's pattern")
  func canOpen() throws {
    let router = try Fixture("mgj://foo/bar").router
    #expect(router.canOpenURL("mgj://foo/bar") && router.canOpenURL("mgj://foo/bar", matchExactly: true))
    #expect(!router.canOpenURL("mgj://foo") && !router.canOpenURL("mgj://foo", matchExactly: true))
    #expect(router.canOpenURL("mgj://foo/bar/x"))
    #expect(!router.canOpenURL("mgj://foo/bar/x", matchExactly: true))
    #expect(router.canOpenURL("mgj://foo/bar/x", matchExactly: false))
    #expect(!router.canOpenURL("no URL") && !router.canOpenURL(""))
  }

  @Test("MG11: deregistering removes one handler, and no longer pattern's, whatever is in the pattern")
  func deregistering() throws {
    let patterns = [
      "mgj://foo", "mgj://foo/bar", "mgj://d/:id.html", "mgj://a.b/@", "mgj://w/~", "mgj://x/(y)", "mgj://u/:user-id",
    ]
    let urls = [
      "mgj://foo", "mgj://foo/bar", "mgj://d/1.html", "mgj://a.b/@", "mgj://w/1", "mgj://x/(y)", "mgj://u/7",
    ]
    let fixture = try Fixture()
    for pattern in patterns { try fixture.register(pattern) }
    for (index, pattern) in patterns.enumerated() {
      #expect(fixture.router.deregisterURLPattern(pattern), "\(pattern)")
      #expect(!fixture.router.deregisterURLPattern(pattern), "\(pattern)")
      #expect(urls.map { fixture.router.canOpenURL($0) } == urls.indices.map { $0 > index }, "\(pattern)")
    }
    #expect(fixture.switchboard.table.isEmpty)
    // Another name for the parameter is the same pattern. Another pattern is not.
    try fixture.register("mgj://s/:keyword")
    #expect(!fixture.router.deregisterURLPattern("mgj://s") && !fixture.router.deregisterURLPattern("mgj://s/x"))
    #expect(!fixture.router.deregisterURLPattern("mgj://") && !fixture.router.deregisterURLPattern("no pattern"))
    #expect(fixture.router.deregisterURLPattern("MGJ://s/:word"))
    #expect(fixture.ran("mgj://s/x") == nil)
  }

  @Test("MG12: a URL is made of a pattern and values, each encoded, and one for each parameter")
  func generating() throws {
    func url(_ pattern: String, _ values: [any LosslessStringConvertible]) throws -> String {
      let url = try MGJRouter.generateURL(withPattern: pattern, parameters: values)
      #expect(try MGJRouter(Switchboard()).generateURL(withPattern: pattern, parameters: values) == url)
      return url
    }
    #expect(try url("mgj://search/:keyword", ["Hangzhou"]) == "mgj://search/Hangzhou")
    #expect(try url("beauty/:id", [13]) == "beauty/13")
    #expect(try url("/beauty/:id", [13]) == "/beauty/13")
    #expect(try url("mgj://beauty/:id.html", [13]) == "mgj://beauty/13.html")
    #expect(try url("b/:id/:idx", [1, 2]) == "b/1/2")
    #expect(try url("mgj://b/:user-id/:idx", ["x", 2.5]) == "mgj://b/x/2.5")
    #expect(try url("mgj://s/:q", ["a/b ?#家"]) == "mgj://s/a%2Fb%20%3F%23%E5%AE%B6")
    #expect(try url("mgj://s", []) == "mgj://s")
    for values in [[], [1], [1, 2, 3]] { expectPluginError(.patternValues) { try url("mgj://b/:id/:idx", values) } }
    for value in ["", "..", "."] { expectPluginError(.patternValues) { try url("mgj://b/:id", [value]) } }
    expectPluginError(.patternMalformed) { try url("mgj://b//:id", [1]) }
  }

  @Test("MG12: a query in a pattern is a template; it counts only when a URL is made")
  func queryTemplate() throws {
    let pattern = "mgj://list/:kind?page=:page&sort=up&q=:query"
    let url = try MGJRouter.generateURL(withPattern: pattern, parameters: ["bags", 2, "a&b=c"])
    #expect(url == "mgj://list/bags?page=2&sort=up&q=a%26b%3Dc")
    let fixture = try Fixture(pattern)
    let parameters = try fixture.parameters(url)
    #expect(
      ["kind", "page", "sort", "q"].map { parameters[$0] as? String } == ["bags", "2", "up", "a&b=c"])
    #expect(fixture.ran("mgj://list/shoes") == pattern)
    #expect(fixture.router.deregisterURLPattern("mgj://list/:x"))
    for values in [["bags"], ["bags", "2", "3", "4"]] {
      expectPluginError(.patternValues) { try MGJRouter.generateURL(withPattern: pattern, parameters: values) }
    }
    #expect(try MGJRouter.generateURL(withPattern: "list?p=:p&t=12:30", parameters: [1]) == "list?p=1&t=12%3A30")
    expectPluginError(.patternMalformed) { try MGJRouter.generateURL(withPattern: "a?b=:c#d", parameters: [1]) }
  }

  @Test("MG13: the example of the four schemes, on the main actor, whose values need not be Sendable")
  func example() async throws {
    try await MainActor.run {
      final class ViewController {
        var shown: [String] = []
      }
      let router = MGJRouter(Switchboard())
      try router.registerURLPatternOnMain(
        "BJHL://BusinessA/A1_c2VC_Push",
        toHandler: { routerParameters in
          let userInfo = routerParameters[MGJRouterParameterUserInfo] as? [String: Any]
          let name = routerParameters["name"] as? String ?? ""
          let age = routerParameters["age"] as? String ?? ""
          (userInfo?["currentVC"] as? ViewController)?.shown.append("\(name) \(age)")
          (userInfo?["touchBlock"] as? (String) -> Void)?("\(name)\(age)岁啦")
        })
      let current = ViewController()
      var printed: [String] = []
      let touchBlock: (String) -> Void = { printed.append($0) }
      let error = router.openURLOnMain(
        "BJHL://BusinessA/A1_c2VC_Push?name=BJHL&age=5",
        withUserInfo: ["currentVC": current, "touchBlock": touchBlock])
      #expect(error == nil)
      #expect(current.shown == ["BJHL 5"] && printed == ["BJHL5岁啦"])
    }
  }
}
