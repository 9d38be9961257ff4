import PluginKit
import Testing

@Suite("Routes of one owner") struct RouteOrderTests {
  private let one = ModuleOwner.module("com.example.one")
  private let other = ModuleOwner.module("com.example.other")

  @discardableResult private func add(
    _ router: Router, _ pattern: String, _ owner: ModuleOwner, _ ownPriority: Int = 0,
    equals: EqualRoutes = .refused, name: String? = nil
  ) throws -> Router.Registration {
    try router.register(
      RoutePattern(pattern), owner: owner, options: RouteOptions(ownPriority: ownPriority, equals: equals)
    ) { _ in name ?? pattern }
  }

  @Test("the route with the higher own priority comes first, equal ones in the order of their parts; default is 0")
  func priorities() throws {
    let router = Router()
    try add(router, "tests://test/priority/:level", .host)
    try add(router, "tests://test/priority/high", .host, 20)
    #expect(router.ran("tests://test/priority/high") == "tests://test/priority/high")
    #expect(router.ran("tests://test/priority/low") == "tests://test/priority/:level")
    try add(router, "tests://test/:any/high", .host, 21)
    #expect(router.ran("tests://test/priority/high") == "tests://test/:any/high")
    // 0 comes last among what is not negative.
    try add(router, "tests://*", .host, 1)
    #expect(router.ran("tests://test/priority/low") == "tests://*")
    #expect(try router.matches("tests://test/priority/high").map(\.entry.ownPriority) == [21, 20, 1, 0])
  }

  @Test("any number is allowed, for as many routes as there are")
  func anyNumber() throws {
    let router = Router()
    for owner in [one, .host] {
      for number in 0..<500 {
        try add(
          router, "a\(owner == one ? 1 : 2)://x", owner, number * 977 % 499 - 250, equals: .inOrder, name: "\(number)"
        )
      }
      let all = try router.matches(owner == one ? "a1://x" : "a2://x")
      let order = all.map(\.entry.ownPriority)
      #expect(order == order.sorted(by: >) && all.count == 500)
    }
    try add(router, "b://:x", one, .max)
    try add(router, "b://x", one, .min)
    #expect(router.ran("b://x") == "b://:x")
  }

  @Test("no module comes before another one by an own priority")
  func owners() throws {
    let router = Router()
    try add(router, "a://*", one, .max)
    try add(router, "a://x/:id", one)
    try add(router, "a://x/y", other)
    try add(router, "a://:z/y", .host)
    #expect(router.ran("a://x/y") == "a://x/y")
    // The turns are those of the patterns: other, one, host, one. The module fills its own by its priorities.
    #expect(
      try router.matches("a://x/y").map(\.pattern.text) == ["a://x/y", "a://*", "a://:z/y", "a://x/:id"])
    router.removeAll(ownedBy: other)
    #expect(router.ran("a://x/y") == "a://*")
    router.removeAll(ownedBy: one)
    #expect(router.ran("a://x/y") == "a://:z/y")
  }

  @Test("a refused module's pattern is held against the turn, and not against the route that fills it")
  func refusedTurns() throws {
    let router = Router()
    try add(router, "a://x/y", one)
    try add(router, "a://*", one, 5)
    try router.refuse([], declared: [RoutePattern("a://x/:id")], of: other, because: "x")
    // The module's turn is before the refused pattern, by a://x/y.
    #expect(router.ran("a://x/y") == "a://*")
    expectPluginError(.routeModuleRefused) { try router.open("a://x/z") }
    #expect(try router.matches("a://x/y").map(\.pattern.text) == ["a://*"])
  }

  @Test("equal patterns are a conflict unless the registration asks for them; then they are asked in their order")
  func equalPatterns() throws {
    let router = Router()
    try router.register(RoutePattern("a://x/:id"), owner: one) { request in
      guard request.text("id") == "1" else { throw RouteDeclined() }
      return "first"
    }
    expectPluginError(.routeConflict) { try add(router, "a://x/:name", one) }
    let second = try router.register(
      RoutePattern("a://x/:name"), owner: one, options: RouteOptions(equals: .inOrder)
    ) { $0.parameters["name"] }
    try add(router, "a://x(/:id)", one, equals: .inOrder, name: "third")
    #expect(router.ran("a://x/1") == "first" && router.ran("a://x/2") == "2" && router.ran("a://x") == "third")
    #expect(router.remove(second))
    #expect(router.ran("a://x/2") == "third")
    try add(router, "a://x/:id", one, 1, equals: .inOrder, name: "fourth")
    #expect(router.ran("a://x/1") == "fourth")
    // Another owner's stays a conflict, whatever is asked for.
    for equals in [EqualRoutes.refused, .inOrder, .replaced] {
      expectPluginError(.routeConflict) { try add(router, "a://x/:id", other, equals: equals) }
      expectPluginError(.routeConflict) { try add(router, "a://x/:id", .host, equals: equals) }
    }
    router.removeAll(ownedBy: one)
    #expect(router.routes.isEmpty && !router.canOpen("a://x/1"))
  }

  @Test("the first of equal routes can go, and the others stay in their order")
  func removingFirst() throws {
    let router = Router()
    let registrations = try (0..<4).map { try add(router, "a://x", one, equals: .inOrder, name: "\($0)") }
    #expect(router.remove(registrations[0]) && router.ran("a://x") == "1")
    #expect(router.remove(registrations[2]) && router.ran("a://x") == "1")
    #expect(router.remove(registrations[1]) && router.ran("a://x") == "3")
    #expect(router.remove(registrations[3]) && router.ran("a://x") == nil)
    #expect(router.routes.isEmpty)
  }

  @Test("a registration takes the place of another one in one step")
  func replacing() throws {
    let router = Router()
    let first = try add(router, "a://x/:id", one, name: "first")
    try add(router, "a://x/:id", one, 3, equals: .inOrder, name: "second")
    try add(router, "a://x/:name/", one, equals: .replaced, name: "third")
    #expect(router.ran("a://x/1") == "third" && router.routes.count == 1 && !router.remove(first))
    try add(router, "a://x/:id", one, equals: .replaced, name: "fourth")
    #expect(router.ran("a://x/1") == "fourth" && router.routes.count == 1)
    // A route with further readings is not replaced by half.
    try add(router, "a://y(/:id)", one, name: "both")
    expectPluginError(.routeConflict) { try add(router, "a://y", one, equals: .replaced) }
    expectPluginError(.routeConflict) { try add(router, "a://y(/:id)(/z)", one, equals: .replaced) }
    try add(router, "a://y(/:other)", one, equals: .replaced, name: "new")
    #expect(router.ran("a://y") == "new" && router.ran("a://y/1") == "new" && router.routes.count == 2)
  }

  @Test("while a route is replaced, one of the two serves the URL at any time")
  func replacingAtOnce() async throws {
    let router = Router()
    try add(router, "a://x", one, name: "0")
    let replacing = Task.detached { [one] in
      for number in 0..<3000 {
        try router.register(
          RoutePattern("a://x"), owner: one, options: RouteOptions(equals: .replaced)
        ) { _ in "\(number)" }
      }
    }
    for _ in 0..<3000 { #expect(router.canOpen("a://x")) }
    try await replacing.value
    #expect(router.ran("a://x") == "2999" && router.routes.count == 1)
  }

  @Test("what a replaced handler holds is released, and may use the router meanwhile")
  func releasing() throws {
    final class Holder: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      deinit { body() }
    }
    let switchboard = Switchboard()
    let heard = Heard()
    let module = try switchboard.context(
      for: ModuleDeclaration(identifier: "com.example.one", routes: ["a://x", "a://late"]))
    do {
      let holder = Holder {
        do { try module.register(route: "a://late") { _ in nil } } catch { heard.add("\(error)") }
        heard.add("released")
      }
      try module.register(route: "a://x") { _ in withExtendedLifetime(holder) { nil } }
    }
    try module.register(route: "a://x", options: RouteOptions(equals: .replaced)) { _ in "new" }
    #expect(heard.all == ["released"])
    #expect(module.canOpen("a://late") && module.routes.map(\.pattern.text) == ["a://x", "a://late"])
  }

  @Test("removing by pattern takes all of an owner's routes for it, with all readings, and nothing else")
  func removingByPattern() throws {
    let router = Router()
    let texts = ["a://the(/foo/:a)(/bar/:b)", "a://the/foo/:x", "a://d/:id.html", "a://foo", "a://foo/bar"]
    for text in texts { try add(router, text, one, equals: .inOrder) }
    try router.register(RoutePattern("a://the"), owner: one, options: RouteOptions(priority: 3)) { _ in "high" }
    try add(router, "a://other", other)
    func count(_ text: String, _ owner: ModuleOwner) throws -> Int {
      try router.remove(RoutePattern(text), ownedBy: owner)
    }
    // A reading alone does not take the whole.
    #expect(try count("a://the/bar/:b", one) == 0)
    #expect(try count("a://other", one) == 0 && count("a://the(/foo/:a)(/bar/:b)", other) == 0)
    #expect(try count("a://the(/foo/:1a)".replacing("1a", with: "q") + "(/bar/:r)", one) == 3)
    for url in ["a://the", "a://the/foo/1", "a://the/bar/1", "a://the/foo/1/bar/2"] { #expect(!router.canOpen(url)) }
    #expect(try count("a://d/:number.html", one) == 1 && count("a://d/:number.html", one) == 0)
    #expect(try count("a://foo", one) == 1)
    #expect(router.routes.map(\.pattern.text) == ["a://foo/bar", "a://other"])
  }
}
