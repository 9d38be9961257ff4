import PluginKit
import Testing

private struct Scanner: Sendable {
  func scan(_ done: @Sendable (String) -> Void) { done("4006381333931") }
}

@Suite("The article on routing") struct RoutingArticleTests {
  private func shop() throws -> Router {
    let router = Router()
    try router.register(RoutePattern("ui://shop"), owner: .host, allowsFallback: true) { _ in "the shop" }
    try router.register(RoutePattern("ui://shop/new"), owner: .host) { _ in "what is new" }
    try router.register(RoutePattern("ui://shop/:id"), owner: .host) { "article \($0.text("id") ?? "")" }
    try router.register(RoutePattern("ui://shop/:id.html"), owner: .host) { "page of \($0.text("id") ?? "")" }
    try router.register(RoutePattern("ui://docs/*path"), owner: .host) { "document \($0.text("path") ?? "")" }
    try router.register(RoutePattern("ui://search(/:page)"), owner: .host) { "results \($0.text("page") ?? "1")" }
    return router
  }

  @Test("the patterns match what the article says")
  func patterns() throws {
    let router = try shop()
    let answers = [
      "ui://shop": "the shop", "ui://shop/new": "what is new", "ui://shop/7": "article 7",
      "ui://shop/7.html": "page of 7", "ui://shop/7/reviews": "the shop", "ui://docs/a/b": "document a/b",
      "ui://search": "results 1", "ui://search/2": "results 2",
    ]
    for (url, answer) in answers { #expect(router.object(for: url) as? String == answer) }
  }

  @Test("all forms of opening give the answer")
  func opening() async throws {
    let router = try shop()
    let scanner = Scanner()
    #expect(try waiting(router) as? String == "article 7")
    #expect(try await forTasks(router) as? String == "article 7")
    try router.register(RoutePattern("ui://scan"), owner: .host) { request, reply in
      scanner.scan { code in reply.answer(code) }
    }
    #expect(await router.object(for: "ui://scan") as? String == "4006381333931")
    let url = try RoutePattern("ui://shop/:id").url(["a/b"])
    #expect(url.text == "ui://shop/a%2Fb")
    #expect(await router.object(for: url) as? String == "article a/b")
  }

  @Test("a handler declines, and one on the main actor gives what is not Sendable")
  func declining() async throws {
    let router = try shop()
    try router.register(RoutePattern("ui://shop/sale"), owner: .host) { request in
      guard request.query["code"] != nil else { throw RouteDeclined() }
      return "the sale"
    }
    #expect(await router.object(for: "ui://shop/sale?code=7") as? String == "the sale")
    #expect(await router.object(for: "ui://shop/sale") as? String == "article sale")
    #expect(try await MainActor.run { try Self.hasBasket(router) })
  }

  private final class BasketView {}

  @MainActor private static func hasBasket(_ router: Router) throws -> Bool {
    try router.register(RoutePattern("ui://basket"), owner: .host, onMain: { _ in BasketView() })
    let view = try router.openOnMain("ui://basket") as? BasketView
    return view != nil
  }

  private func waiting(_ router: Router) throws -> (any Sendable)? {
    let answer = try router.open("ui://shop/7", userInfo: ["from": "home"])
    router.open("ui://shop/7") { answer in print(answer) }
    return answer
  }

  private func forTasks(_ router: Router) async throws -> (any Sendable)? {
    let answer = try await router.open("ui://shop/7", limit: .seconds(60))
    return answer
  }
}
