import PluginKit
import Testing

@Suite("What else a route asks for") struct RouteTermTests {
  private final class Target: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }

  @Test("MG9: an object route is not opened, and an ordinary one gives no object; both can be for one URL")
  func uses() throws {
    let router = Router(defaultScheme: "mgj")
    var options = RouteOptions()
    options.uses = .object
    try router.register(RoutePattern("mgj://search_top_bar"), owner: .host, options: options) { _ in "object" }
    options.uses = .open
    try router.register(RoutePattern("mgj://search"), owner: .host, options: options) { _ in "ordinary" }
    #expect(router.ran("mgj://search_top_bar") == "object" && router.ran("mgj://search") == nil)
    #expect(router.ran("search_top_bar") == "object" && router.ran("mgj://none") == nil)
    expectPluginError(.routeNotFound) { try router.open("mgj://search_top_bar") }
    #expect(try router.open("mgj://search") as? String == "ordinary")
    #expect(!router.canOpen("mgj://search_top_bar") && router.canOpen("mgj://search_top_bar", for: .object))
    #expect(router.canOpen("mgj://search") && !router.canOpen("mgj://search", for: .object))
    // A route for everything else below serves what the other kind does not.
    try router.register(RoutePattern("mgj://"), owner: .host, allowsFallback: true) { _ in "global" }
    #expect(try router.open("mgj://search_top_bar") as? String == "global" && router.ran("mgj://search") == "global")
    options.equals = .inOrder
    try router.register(RoutePattern("mgj://search_top_bar"), owner: .host, options: options) { _ in "both" }
    #expect(try router.open("mgj://search_top_bar") as? String == "both")
    #expect(router.ran("mgj://search_top_bar") == "object")
  }

  @Test("the other forms look for uses, too")
  func usesOfForms() async throws {
    let router = Router()
    var options = RouteOptions()
    options.uses = .object
    try router.register(RoutePattern("a://x"), owner: .host, options: options, task: { _ in 1 })
    #expect(await router.object(for: "a://x", limit: .seconds(3600)) as? Int == 1)
    let answer = await withCheckedContinuation { continuation in
      router.open("a://x") { continuation.resume(returning: $0) }
    }
    expectPluginError(.routeNotFound) { try answer.get() }
    let isFound = try? await router.open("a://x")
    #expect(isFound == nil)
    #expect(try await Self.onMain(router, .object) == 1)
    await #expect(throws: PluginError.self) { try await Self.onMain(router, .open) }
  }

  @MainActor private static func onMain(_ router: Router, _ use: RouteUses) async throws -> Int? {
    try await router.openOnMain("a://x", for: use, limit: .seconds(3600)) as? Int
  }

  @Test("a route with a target does not keep it, and does not match once it is gone: the next one is asked")
  func weakTargets() throws {
    let router = Router()
    var target: Target? = Target("first")
    weak let seen = target
    if let target {
      try router.register(RoutePattern("a://x"), owner: .host, target: target) { target, request in
        target.name + (request.query["q"] ?? "")
      }
      var options = RouteOptions(equals: .inOrder)
      options.bind(to: target)
      try router.register(RoutePattern("a://y"), owner: .host, options: options, onMain: { _ in "bound" })
    }
    try router.register(RoutePattern("a://*"), owner: .host) { _ in "next" }
    #expect(router.ran("a://x?q=1") == "first1")
    #expect(try router.match("a://x").pattern.text == "a://x" && router.match("a://y").pattern.text == "a://y")
    target = nil
    #expect(seen == nil)
    #expect(router.ran("a://x?q=1") == "next" && router.ran("a://y") == "next")
    #expect(try router.match("a://x").pattern.text == "a://*")
    router.remove(try RoutePattern("a://*"), ownedBy: .host)
    #expect(!router.canOpen("a://x"))
    expectPluginError(.routeNotFound) { try router.open("a://x") }
  }

  @Test("a target that goes while the URL is on its way is passed over")
  func targetGoes() throws {
    let router = Router()
    let holder = Holder()
    holder.target = Target("x")
    try router.register(RoutePattern("a://x"), owner: .host) { _ in
      holder.target = nil
      throw RouteDeclined()
    }
    try router.register(RoutePattern("a://:a"), owner: .host, target: try #require(holder.target)) { _, _ in "gone" }
    try router.register(RoutePattern("a://*"), owner: .host) { _ in "next" }
    #expect(router.ran("a://x") == "next")
  }

  private final class Holder: @unchecked Sendable { var target: Target? }

  @Test("a matcher narrows what a pattern matches and finds values, and cannot widen it")
  func matchers() throws {
    let router = Router()
    let heard = Heard()
    var options = RouteOptions()
    options.matcher = { request in
      heard.add(request.url.text)
      guard let id = request.text("id").flatMap(Int.init) else { return nil }
      return ["number": id, "id": "computed", "other": 7]
    }
    try router.register(RoutePattern("a://x/:id"), owner: .host, options: options) { request in
      "\(request["number"] ?? "") \(request["id"] ?? "") \(request.parameters["id"] ?? "") \(request["other"] ?? "")"
    }
    try router.register(RoutePattern("a://x/*"), owner: .host) { request in request.computed.isEmpty ? "next" : "?" }
    #expect(router.ran("a://x/7?other=q") == "7 computed 7 7")
    #expect(try router.open("a://x/7", userInfo: ["number": "given"]) as? String == "given computed 7 7")
    #expect(router.ran("a://x/seven") == "next")
    #expect(
      try router.match("a://x/seven").pattern.text == "a://x/*" && router.match("a://x/8").pattern.text == "a://x/:id"
    )
    // It is not asked for what the pattern does not match.
    let count = heard.all.count
    #expect(router.ran("a://x/7/8") == "next" && !router.canOpen("a://y/7") && heard.all.count == count)
  }

  @Test("a matcher may use the router; one that never ends is a call that is too deep")
  func matcherCalls() throws {
    let router = Router()
    var options = RouteOptions()
    options.matcher = { request in router.canOpen("a://y") ? [:] : nil }
    try router.register(RoutePattern("a://x"), owner: .host, options: options) { _ in 1 }
    #expect(!router.canOpen("a://x"))
    try router.register(RoutePattern("a://y"), owner: .host) { _ in 1 }
    #expect(router.canOpen("a://x"))
    options.matcher = { request in
      do throws(PluginError) { _ = try router.match(request.url) } catch {
        return error.code == .routeTooDeep ? [:] : nil
      }
      return [:]
    }
    try router.register(RoutePattern("a://z"), owner: .host, options: options) { _ in "end" }
    #expect(router.ran("a://z") == "end")
  }

  private func mismatch(_ body: () throws -> Any?) throws -> RouteParameterMismatch {
    do { _ = try body() } catch let error as PluginError {
      #expect(error.code == .routeParameters)
      return try #require(error.cause as? RouteParameterMismatch)
    }
    throw PluginError(.routeFailed, "", "was opened")
  }

  @Test("PT7: a route takes exactly the parameters that it names; an error tells which are missing or too many")
  func parameters() throws {
    let router = Router()
    var options = RouteOptions()
    options.parameters = RouteParameters(["heroID"])
    try router.register(RoutePattern("InnerJump://strategy/hero"), owner: .host, options: options) {
      $0.text("heroID")
    }
    options.parameters = RouteParameters([], defaults: ["paramA": "", "paramB": ""])
    try router.register(RoutePattern("InnerJump://account/login"), owner: .host, options: options) { request in
      [request.text("paramA"), request.text("paramB")]
    }
    #expect(router.ran("InnerJump://strategy/hero?heroID=9527") == "9527")
    #expect(router.canOpen("InnerJump://strategy/hero?heroID=9527"))
    func missed(_ url: String, _ userInfo: [String: any Sendable] = [:]) throws -> RouteParameterMismatch {
      #expect(!router.canOpen(url, userInfo: userInfo))
      let mismatch = try mismatch { try router.match(url, userInfo: userInfo) }
      #expect(try self.mismatch { try router.open(url, userInfo: userInfo) } == mismatch)
      return mismatch
    }
    let hero = "InnerJump://strategy/hero"
    #expect(try missed(hero) == RouteParameterMismatch(missing: ["heroID"], extra: []))
    #expect(try missed("\(hero)?heroID") == RouteParameterMismatch(missing: ["heroID"], extra: []))
    #expect(try missed("\(hero)?heroID=1&x=1") == RouteParameterMismatch(missing: [], extra: ["x"]))
    #expect(try missed("\(hero)?y=1&x") == RouteParameterMismatch(missing: ["heroID"], extra: ["y", "x"]))
    #expect(try missed(hero, ["x": 1]) == RouteParameterMismatch(missing: ["heroID"], extra: ["x"]))
    // D20: a name that is there twice is not another name.
    #expect(try missed("\(hero)?heroID=1&heroID=2") == RouteParameterMismatch(missing: [], extra: ["heroID"]))
    #expect(try router.open("\(hero)?heroID=1", userInfo: ["heroID": "2"]) as? String == "2")
    let login = "InnerJump://account/login"
    #expect(try router.open(login) as? [String?] == ["", ""])
    #expect(try router.open("\(login)?paramB=b&paramA=a") as? [String?] == ["a", "b"])
    #expect(try router.open("\(login)?paramB=b") as? [String?] == ["", "b"])
    #expect(try missed("\(login)?paramC=c") == RouteParameterMismatch(missing: [], extra: ["paramC"]))
    #expect(try "\(missed("\(hero)?y=1"))" == "missing heroID; extra y")
  }
}
