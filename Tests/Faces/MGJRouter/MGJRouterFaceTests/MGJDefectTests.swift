import MGJRouterFace
import PluginKit
import Testing

@Suite("Faults of MGJRouter that this one does not have") struct MGJDefectTests {
  @Test("D24: a part that nothing matches ends the search: the parts after it are not taken for others")
  func strictWalk() throws {
    let fixture = try Fixture("mgj://foo/bar", "mgj://foo/:id/end")
    #expect(fixture.ran("mgj://foo/XXX/bar") == nil)
    #expect(fixture.ran("mgj://XXX/foo/bar") == nil)
    #expect(fixture.ran("mgj://foo/1/XXX/end") == nil)
    #expect(fixture.ran("mgj://foo/1/end") == "mgj://foo/:id/end")
    #expect(fixture.ran("mgj://foo/bar/end") == "mgj://foo/:id/end")
    #expect(fixture.ran("mgj://foo/bar/XXX/end") == "mgj://foo/bar")
  }

  @Test("D25: a longer pattern without a handler on the way hides nothing, and what can be opened is what would run")
  func backtracking() throws {
    let fixture = try Fixture("mgj://foo/bar/none/exists")
    for url in ["mgj://foo", "mgj://foo/bar", "mgj://foo/bar/none"] {
      #expect(!fixture.router.canOpenURL(url) && fixture.ran(url) == nil, "\(url)")
    }
    try fixture.register("mgj://")
    try fixture.register("mgj://:a/bar/other")
    for url in ["mgj://foo", "mgj://foo/bar", "mgj://foo/bar/none"] {
      #expect(fixture.ran(url) == "mgj://", "\(url)")
    }
    #expect(fixture.calls.last?.path == [:])
    // The literal branch leads nowhere, the parameter's does. Nothing of the first one is left.
    #expect(fixture.ran("mgj://foo/bar/other") == "mgj://:a/bar/other")
    #expect(fixture.calls.last?.path == ["a": "foo"])
  }

  @Test("D26: a text comes before a parameter, and that before a wildcard, in whatever order they are registered")
  func order() throws {
    let patterns = ["mgj://p/~", "mgj://p/:id", "mgj://p/new", "mgj://p/:id.html", "mgj://p/zoo"]
    for rotation in patterns.indices {
      let fixture = try Fixture()
      for pattern in patterns[rotation...] + patterns[..<rotation] { try fixture.register(pattern) }
      #expect(fixture.ran("mgj://p/new") == "mgj://p/new")
      #expect(fixture.ran("mgj://p/zoo") == "mgj://p/zoo")
      #expect(fixture.ran("mgj://p/7") == "mgj://p/:id")
      #expect(fixture.ran("mgj://p/7.html") == "mgj://p/:id.html")
      #expect(fixture.ran("mgj://p/7/8") == "mgj://p/~")
      #expect(fixture.ran("mgj://p") == nil)
    }
  }

  @Test("D27: a Chinese pattern catches nothing but its own URLs, and a Chinese URL can be opened only if it has one")
  func chinese() throws {
    let fixture = try Fixture("mgj://category/家居", "mgj://category/家居/:数")
    for url in ["mgj://", "mgj://x", "mgj://category/x", "mgj://其他", "mgj://category/家具"] {
      #expect(!fixture.router.canOpenURL(url) && fixture.ran(url) == nil, "\(url)")
    }
    #expect(fixture.ran("mgj://category/家居/七") == "mgj://category/家居/:数")
    #expect(fixture.calls.last?.path == ["数": "七"])
  }

  @Test("D28: a URL within a query opens nothing")
  func innerURL() throws {
    let fixture = try Fixture("mgj://web", "mgj://admin/delete", "y://admin/delete")
    let parameters = try fixture.parameters("mgj://web?u=y://admin/delete")
    #expect(fixture.calls.names == ["mgj://web"] && parameters["u"] as? String == "y://admin/delete")
    #expect(fixture.ran("mgj://web#y://admin/delete") == "mgj://web")
    #expect(fixture.ran("mgj://other?u=mgj://admin/delete") == nil)
  }

  @Test("D29: a query takes the place of nothing: not of the path, the URL, the values, the completion, the handler")
  func namespaces() throws {
    let fixture = try Fixture("mgj://u/:id", "mgj://a/_", "mgj://a/block")
    let forged = "block=x&_=y&MGJRouterParameterURL=evil&MGJRouterParameterUserInfo=e&MGJRouterParameterCompletion=e"
    let parameters = try fixture.parameters("mgj://u/path?id=query&\(forged)")
    #expect(parameters["id"] as? String == "path" && parameters.query["id"] == "query")
    #expect(parameters["block"] as? String == "x" && parameters["_"] as? String == "y")
    #expect((parameters[MGJRouterParameterURL] as? String)?.hasPrefix("mgj://u/path?") == true)
    #expect(parameters[MGJRouterParameterUserInfo] == nil && parameters.userInfo == nil)
    #expect(parameters[MGJRouterParameterCompletion] == nil && parameters.completion == nil)
    #expect(parameters.dictionary.keys.sorted() == ["MGJRouterParameterURL", "_", "block", "id"])
    #expect((parameters.dictionary[MGJRouterParameterURL] as? String) == parameters.url)
    // Nor does a parameter of the path with such a name.
    try fixture.register("mgj://forged/:MGJRouterParameterURL/:MGJRouterParameterUserInfo")
    let path = try fixture.parameters("mgj://forged/a/b")
    #expect(path.url == "mgj://forged/a/b" && path[MGJRouterParameterURL] as? String == path.url)
    #expect(path[MGJRouterParameterUserInfo] == nil && path.path.count == 2)
    // Values from code stay apart from those of the URL.
    fixture.router.openURL("mgj://u/path?k=query", withUserInfo: ["id": "code", "k": "code"])
    #expect(fixture.calls.last?["id"] as? String == "path" && fixture.calls.last?["k"] as? String == "query")
    #expect(fixture.calls.last?.userInfo?["id"] as? String == "code")
    // A part with the name of the original's slot is a part.
    #expect(fixture.ran("mgj://a/_") == "mgj://a/_" && fixture.ran("mgj://a/block") == "mgj://a/block")
    #expect(fixture.ran("mgj://u/_") == "mgj://u/:id" && fixture.ran("mgj://a") == nil)
  }

  @Test("D30: matchExactly is heeded, and is not true below a handler")
  func exactly() throws {
    let router = try Fixture("mgj://foo/bar", "mgj://s/:id", "mgj://").router
    for (url, exactly) in [
      ("mgj://foo/bar", true), ("mgj://foo/bar/x", false), ("mgj://foo", false), ("mgj://s/1", true),
      ("mgj://s/1/2", false), ("mgj://", true), ("mgj://other", false),
    ] {
      #expect(router.canOpenURL(url, matchExactly: true) == exactly, "\(url)")
      #expect(router.canOpenURL(url, matchExactly: false), "\(url)")
    }
    #expect(!router.canOpenURL("other://x", matchExactly: false))
  }

  @Test("D31: an invalid percent sequence stays as it is written; objects get the same values as handlers")
  func percent() throws {
    let fixture = try Fixture("mgj://p/:rate")
    try fixture.router.registerURLPattern(
      "mgj://o/:rate", toObjectHandler: { [$0["rate"] as? String, $0["q"] as? String] })
    for (written, value) in [
      ("100%", "100%"), ("%zz", "%zz"), ("%FF", "%FF"), ("%25", "%"), ("%2525", "%25"), ("%E5%AE%B6", "家"),
      ("a%2Fb", "a/b"),
    ] {
      let parameters = try fixture.parameters("mgj://p/\(written)?q=\(written)")
      #expect(parameters["rate"] as? String == value && parameters["q"] as? String == value, "\(written)")
      let object = fixture.router.object(forURL: "mgj://o/\(written)?q=\(written)") as? [String?]
      #expect(object == [value, value], "\(written)")
    }
  }

  @Test("D32: deregistering copes with every part, and leaves longer patterns alone")
  func deregistering() throws {
    let patterns = [
      "mgj://a.b", "mgj://a.b/c", "mgj://@", "mgj://@count/@sum", "mgj://a", "mgj://a/b", "mgj://_", "mgj://self/x",
      "mgj://v1.0/:id.html",
    ]
    let fixture = try Fixture()
    for pattern in patterns { try fixture.register(pattern) }
    for (index, pattern) in patterns.enumerated() {
      #expect(fixture.router.deregisterURLPattern(pattern), "\(pattern)")
      let left = fixture.switchboard.table.map(\.pattern)
      #expect(left.count == patterns.count - index - 1, "\(left)")
    }
    #expect(!fixture.router.deregisterURLPattern("mgj://a.b"))
    // A pattern with a parent that stays.
    try fixture.register("mgj://x")
    try fixture.register("mgj://x/y")
    #expect(fixture.router.deregisterURLPattern("mgj://x"))
    #expect(fixture.ran("mgj://x") == nil && fixture.ran("mgj://x/y") == "mgj://x/y")
  }

  @Test("D33: each parameter is replaced once, wherever it is, by any value that has a text, encoded")
  func generating() throws {
    func url(_ pattern: String, _ values: [any LosslessStringConvertible]) throws -> String {
      try MGJRouter.generateURL(withPattern: pattern, parameters: values)
    }
    #expect(try url("b/:id/:idx", [1, 2]) == "b/1/2")
    #expect(try url("b/:idx/:id", [1, 2]) == "b/1/2")
    #expect(try url(":id/x", [1]) == "1/x")
    #expect(try url(":id", ["x"]) == "x")
    #expect(try url("mgj://:id/x", [1]) == "mgj://1/x")
    #expect(try url("mgj://b/:a/:b/:c/:d", [1, 2.5, true, "t"]) == "mgj://b/1/2.5/true/t")
    #expect(try url("mgj://b/:a", [":a"]) == "mgj://b/%3Aa")
    #expect(try url("mgj://b/:a/:b", [":b", "x"]) == "mgj://b/%3Ab/x")
    expectPluginError(.patternValues) { try url("mgj://b/:id", []) }
    expectPluginError(.patternValues) { try url("mgj://b", [1]) }
    expectPluginError(.patternDuplicateName) { try url("mgj://b/:id/:id", [1, 2]) }
    expectPluginError(.patternDuplicateName) { try url("mgj://b/:user-id/:user-id", [1, 2]) }
    expectPluginError(.patternValues) { try url("mgj://b/~", []) }
  }
}
