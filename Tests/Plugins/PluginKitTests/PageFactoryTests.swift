import PluginKit
import Testing

/// A page with properties that a URL may set, and one that it may not.
private final class DetailPage: Sendable {
  let from: String?
  let isAdmin: String?

  init(_ parameters: [String: String]) {
    from = parameters["from"]
    isAdmin = parameters["isAdmin"]
  }
}

@Suite("Factories of pages") struct PageFactoryTests {
  private let switchboard = Switchboard()

  private func module(_ name: String = "m") throws -> ModuleContext {
    switchboard.context(
      for: try ModuleDeclaration(
        identifier: "com.example.\(name)", pages: ["", "DetailController", "Plain", "PlainController"],
        boards: ["Main": ["MainVC"]], acceptedParameters: ["DetailController": ["from"], "Main/MainVC": ["tab"]]))
  }

  @Test("a page is made by an empty name, by its name with or without Controller, or by board and identifier")
  func names() throws {
    let module = try module()
    let pages = switchboard.pages
    #expect(!pages.hasPage("", of: module.owner))
    expectPluginError(.pageNotFound) { try pages.make("", of: module.owner) }
    for name in ["", "DetailController", "Plain", "PlainController", "Main/MainVC"] {
      try module.register(page: name) { Page($0.name) }
    }
    func title(_ page: String) throws -> String { try pages.make(page, of: module.owner).title }
    #expect(try title("") == "")
    #expect(try title("Detail") == "DetailController" && title("DetailController") == "DetailController")
    #expect(try title("Plain") == "Plain", "the exact name comes first")
    #expect(try title("Main/MainVC") == "Main/MainVC")
    for name in [
      "Nope", "Main", "MainVC", "Main/Nope", "Main/MainVC/x", "/", "Main/", "/MainVC", "detail", "\u{212a}",
    ] {
      expectPluginError(.pageNotFound) { try title(name) }
      #expect(!pages.hasPage(name, of: module.owner))
    }
    #expect(try pages.make("", of: module.owner) != pages.make("", of: module.owner), "each time anew")
    #expect(try pages.make("", of: module.owner).owner == module.owner)
    #expect(module.remove(page: "Plain") && !module.remove(page: "Plain"))
    #expect(try title("Plain") == "PlainController")
  }

  @Test("a module registers only pages that its description declares, each once")
  func declared() throws {
    let module = try module()
    for name in ["Other", "Detail", "Main/Other", "Other/MainVC"] {
      expectPluginError(.pageUndeclared) { try module.register(page: name) { _ in Page("x") } }
    }
    for name in ["a b", "a/b/c", "/", "é"] {
      expectPluginError(.pageName) { try module.register(page: name) { _ in Page("x") } }
    }
    let bare = switchboard.context(for: try ModuleDeclaration(identifier: "com.example.bare"))
    expectPluginError(.pageUndeclared) { try bare.register(page: "") { _ in Page("x") } }
    try module.register(page: "Plain") { _ in Page("x") }
    expectPluginError(.pageConflict) { try module.register(page: "Plain") { _ in Page("y") } }
    // Another module has its own names.
    try self.module("other").register(page: "Plain") { _ in Page("other") }
    #expect(try switchboard.pages.make("Plain", of: .module("com.example.other")).title == "other")
    #expect(
      switchboard.table.map { "\($0.kind) \($0.owner) \($0.pattern)" } == [
        "page com.example.m Plain", "page com.example.other Plain",
      ])
  }

  @Test("SM21, D13: a URL sets the parameters that the description accepts for the page; others are dropped and told")
  func parameters() throws {
    let module = try module()
    let heard = Heard()
    switchboard.pages.onDropped { heard.add("\($0.owner) \($0.page) \($0.names)") }
    try module.register(page: "DetailController") { request in
      heard.add("dropped \(request.dropped)")
      return Page("detail", object: DetailPage(request.parameters))
    }
    func detail(_ url: String) throws -> DetailPage? {
      let query = try PluginURL(url).query.dictionary
      return try switchboard.pages.make("Detail", of: module.owner, parameters: query).object as? DetailPage
    }
    #expect(try detail("ui://detail?from=app.home")?.from == "app.home")
    #expect(heard.all == ["dropped []"])
    let page = try detail("ui://detail?isAdmin=1&from=x")
    #expect(page?.from == "x" && page?.isAdmin == nil)
    #expect(heard.all.suffix(2) == ["com.example.m DetailController [\"isAdmin\"]", "dropped [\"isAdmin\"]"])
    // Names are compared byte by byte, and each page has its own.
    #expect(try detail("ui://detail?tab=1&fro%6D=y&From=z")?.from == "y")
    #expect(heard.all.suffix(2).first == "com.example.m DetailController [\"From\", \"tab\"]")
    // Code is not a URL.
    try module.register(page: "Plain") { Page("\($0.userInfo["isAdmin"] ?? "-") \($0.sender)") }
    #expect(try module.makePage("Plain", userInfo: ["isAdmin": true]).title == "true com.example.m")
    #expect(try switchboard.pages.make("Plain", of: module.owner).title == "- host")
  }

  @Test("another module asks for a page, also as a task, and the page stays that of its maker")
  func given() async throws {
    let (module, other) = (try module(), try module("other"))
    try module.register(page: "", makeOnMain: { Page("\($0.sender)", object: "a view") })
    let page = try await other.makePage("", of: "com.example.m")
    #expect(page.title == "com.example.other" && page.owner == module.owner && page.object as? String == "a view")
    #expect(other.presenter.push(page))
    switchboard.removeAll(ownedBy: module.owner)
    #expect(switchboard.presenter.state.pages.isEmpty)
    do throws(PluginError) {
      _ = try await other.makePage("", of: "com.example.m")
      Issue.record("was made")
    } catch { #expect(error.code == .pageNotFound) }
  }

  @Test("a page that a route's handler makes is asked for by who opened the URL, with that one's values")
  func answering() async throws {
    let (module, other) = (try module(), try module("other"))
    try module.register(page: "") { Page("\($0.sender) \($0.userInfo["k"] ?? "-") \($0.parameters)") }
    let pages = switchboard.pages
    try switchboard.router.register(RoutePattern("ui://page"), owner: .host) { request in
      try pages.make("", of: .module("com.example.m"), parameters: request.query.dictionary, answering: request)
    }
    #expect((try await other.open("ui://page", userInfo: ["k": 1]) as? Page)?.title == "com.example.other 1 [:]")
    #expect((try await switchboard.router.open("ui://page?x=1") as? Page)?.title == "host - [:]")
  }

  @Test("what goes wrong while a page is made is told as it is, and a page of one who is gone is not given out")
  func failures() throws {
    struct Broken: Error {}
    let module = try module()
    try module.register(page: "Plain") { _ in throw Broken() }
    expectPluginError(.pageFailed) { try module.makePage("Plain") }
    try module.register(page: "PlainController") { _ in
      throw PluginError(PluginError.Code("my.code"), "x", "is refused")
    }
    expectPluginError(PluginError.Code("my.code")) { try module.makePage("PlainController") }
    let pages = switchboard.pages
    try module.register(page: "Main/MainVC") { _ in try pages.make("Main/MainVC", of: .module("com.example.m")) }
    expectPluginError(.pageTooDeep) { try module.makePage("Main/MainVC") }
    let switchboard = switchboard
    try module.register(page: "") { _ in
      switchboard.removeAll(ownedBy: .module("com.example.m"))
      return Page("late")
    }
    expectPluginError(.moduleRemoved) { try module.makePage("") }
  }
}
