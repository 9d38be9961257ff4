import PluginKit
import Testing

/// URLs that are read by their path, and the order of registration, as faces ask for them.
@Suite("URLs read by their path, and routes in the order of registration") struct PathReadingTests {
  private let one = ModuleOwner.module("com.example.one")
  private let other = ModuleOwner.module("com.example.other")
  private let router = Router()

  private func add(
    _ pattern: String, _ owner: ModuleOwner = .host, _ order: OwnRouteOrder = .byPattern, ownPriority: Int = 0,
    ignoresFragmentPaths: Bool = true
  ) throws {
    var options = RouteOptions(ownPriority: ownPriority, equals: .inOrder)
    options.ownOrder = order
    options.ignoresFragmentPaths = ignoresFragmentPaths
    try router.register(RoutePattern(pattern), owner: owner, options: options) { _ in pattern }
  }

  /// The pattern that serves a URL; the code of the error otherwise.
  private func served(_ url: String, _ reading: PathReading = PathReading()) -> String {
    do throws(PluginError) {
      return try router.open(PluginURL(url, reading: reading)) as? String ?? "no text"
    } catch { return "\(error.code)" }
  }

  @Test("all forms of a URL have the same path, and a host counts if it is a word")
  func forms() throws {
    try add("*://user/:id")
    for url in [
      "ui://user/7", "ui:/user/7", "ui:user/7", "ui:///user/7", "/user/7", "user/7", "//user/7", "ui://user/7/",
      "https://www.example.com/user/7", "http://localhost/user/7", "http://localhost:80/user/7?q#f",
    ] {
      #expect(served(url) == "*://user/:id", "\(url)")
    }
    for url in ["https://www.example.com/user/7", "http://localhost/user/7"] {
      #expect(served(url, PathReading(countsDomains: true)) == "route.not-found", "\(url)")
    }
    #expect(served("ui://word/user/7") == "route.not-found")
    #expect(served("ui://user//7") == "url.empty-segment")
    #expect(served("ui:/user/../7") == "url.dot-segment")
  }

  @Test("whoever names a URL as it is written has it")
  func asWritten() throws {
    try add("*://user/:id")
    try add("https://www.example.com/user/*")
    try add("tel::number")
    #expect(served("https://www.example.com/user/7") == "https://www.example.com/user/*")
    #expect(served("tel:7") == "tel::number")
    #expect(served("http://www.example.com/user/7") == "*://user/:id")
    router.refuse([], declared: [try RoutePattern("http://www.example.com/user/*")], of: other, because: "x")
    #expect(served("http://www.example.com/user/7") == "route.module-refused")
    #expect(served("http://www.example.org/user/7") == "route.not-found")
    #expect(served("ui://user/7") == "*://user/:id")
  }

  @Test("another scheme's routes can be looked up, but a URL that is refused in its own scheme stays refused")
  func otherScheme() throws {
    try add("ui://user/:id")
    try add("*://user/:any")
    #expect(served("web://user/7", PathReading(scheme: "ui")) == "ui://user/:id")
    #expect(served("web://user/7", PathReading(scheme: "UI")) == "ui://user/:id")
    #expect(served("ui://user/7", PathReading(scheme: "")) == "*://user/:any")
    #expect(served("ui://user/7", PathReading(scheme: "web")) == "*://user/:any")
    router.refuse([], declared: [try RoutePattern("web://user/7")], of: other, because: "x")
    for scheme in [nil, "", "ui", "web"] {
      #expect(served("web://user/7", PathReading(scheme: scheme)) == "route.module-refused", "\(scheme ?? "none")")
    }
    #expect(served("web://user/8", PathReading(scheme: "ui")) == "ui://user/:id")
  }

  @Test("an owner's routes are asked in the order of registration, and no module comes before another one by that")
  func order() throws {
    try add("a://*", one, .byRegistration)
    try add("a://x/:id", one, .byRegistration)
    try add("a://x/y", other)
    try add("a://:z/y")
    // The turns are those of the patterns: other, one, host, one.
    let order = try router.matches("a://x/y").map(\.pattern.text)
    #expect(order == ["a://x/y", "a://*", "a://:z/y", "a://x/:id"])
    router.removeAll(ownedBy: other)
    #expect(router.ran("a://x/y") == "a://*")
    // A higher own priority comes first, and what the patterns order comes last.
    try add("b://x")
    try add("b://*", .host, .byRegistration)
    try add("b://:a", .host, .byRegistration, ownPriority: 1)
    try add("b://:b", .host, .byRegistration)
    #expect(try router.matches("b://x").map(\.pattern.text) == ["b://:a", "b://*", "b://:b", "b://x"])
  }

  @Test("a route without a fragment ignores a path there, unless it is not to")
  func fragmentPaths() throws {
    try add("a://user")
    try add("b://user", ignoresFragmentPaths: false)
    try add("b://user#/view/:id", ignoresFragmentPaths: false)
    for url in ["a://user", "a://user#/view/7", "a://user#", "a://user#x"] {
      #expect(router.ran(url) == "a://user", "\(url)")
    }
    #expect(router.ran("b://user") == "b://user")
    #expect(router.ran("b://user#x=y") == "b://user")
    #expect(router.ran("b://user#/view/7") == "b://user#/view/:id")
    for url in ["b://user#/view", "b://user#"] {
      expectPluginError(.routeNotFound) { try router.open(url) }
      #expect(!router.canOpen(url), "\(url)")
    }
  }

  @Test("a module lets the schemes of its routes fall back, as long as it is there")
  func fallback() throws {
    let switchboard = Switchboard()
    let context = switchboard.context(
      for: try ModuleDeclaration(identifier: "com.example.one", routes: ["thing://foo", "*://bar"]))
    try context.register(route: "thing://foo") { _ in "foo" }
    try switchboard.router.register(RoutePattern("*://page"), owner: .host) { _ in "page" }
    #expect(!switchboard.router.canOpen("thing://page"))
    for scheme in ["stuff", "*", ""] {
      expectPluginError(.routeUndeclared) { try context.setFallsBack(true, scheme: scheme) }
    }
    try context.setFallsBack(true, scheme: "THING")
    #expect(context.fallsBack(scheme: "thing"))
    #expect(switchboard.router.canOpen("thing://page"))
    // The host does not end it, nor what a module ends is the host's.
    switchboard.router.setFallsBack(false, scheme: "thing")
    #expect(context.fallsBack(scheme: "thing"))
    switchboard.router.setFallsBack(true, scheme: "thing")
    try context.setFallsBack(false, scheme: "thing")
    #expect(context.fallsBack(scheme: "thing"))
    switchboard.router.setFallsBack(false, scheme: "thing")
    #expect(!context.fallsBack(scheme: "thing"))
    try context.setFallsBack(true, scheme: "thing")
    switchboard.removeAll(ownedBy: one)
    #expect(!switchboard.router.fallsBack(scheme: "thing"))
    expectPluginError(.moduleRemoved) { try context.setFallsBack(true, scheme: "thing") }
  }
}
