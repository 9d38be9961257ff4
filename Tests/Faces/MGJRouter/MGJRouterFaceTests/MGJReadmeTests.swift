import Dispatch
import MGJRouterFace
import PluginKit
import Synchronization
import Testing

/// What MGJRouter's README and its demo show, one after the other, with tests' own words.
@Suite("Examples of MGJRouter's README") struct MGJReadmeTests {
  /// A view that only the main actor may have.
  private final class View {}

  @Test("the simplest use: register, open, and the handler is called")
  func basicUse() throws {
    let router = MGJRouter(Switchboard())
    let seen = Mutex<[String]>([])
    try router.registerURLPattern("mgj://foo/bar") { routerParameters in
      seen.withLock { $0.append("\(routerParameters[MGJRouterParameterUserInfo] ?? "nothing")") }
    }
    router.openURL("mgj://foo/bar")
    #expect(seen.withLock { $0 } == ["nothing"])
  }

  @Test("Chinese in patterns and URLs")
  func chineseCharacters() throws {
    let router = MGJRouter(Switchboard())
    let seen = Mutex<[String]>([])
    try router.registerURLPattern("mgj://category/家居") { routerParameters in
      seen.withLock { $0.append(routerParameters[MGJRouterParameterURL] as? String ?? "") }
    }
    router.openURL("mgj://category/家居")
    router.openURL("mgj://category/其他")
    #expect(seen.withLock { $0 } == ["mgj://category/家居"])
  }

  @Test("values from code")
  func userInfo() throws {
    let router = MGJRouter(Switchboard())
    let seen = Mutex<[Int]>([])
    try router.registerURLPattern("mgj://category/travel") { routerParameters in
      let userInfo = routerParameters[MGJRouterParameterUserInfo] as? [String: any Sendable]
      seen.withLock { $0.append(userInfo?["user_id"] as? Int ?? 0) }
    }
    router.openURL("mgj://category/travel", withUserInfo: ["user_id": 1900], completion: nil)
    #expect(seen.withLock { $0 } == [1900])
  }

  @Test("parameters of the path and of the query")
  func parameters() throws {
    let router = MGJRouter(Switchboard())
    let seen = Mutex<[String]>([])
    try router.registerURLPattern("mgj://search/:query") { routerParameters in
      let values = ["query", "color"].map { routerParameters[$0] as? String ?? "" }
      seen.withLock { $0 += values }
    }
    router.openURL("mgj://search/bicycle?color=red")
    #expect(seen.withLock { $0 } == ["bicycle", "red"])
  }

  @Test("one handler for whatever nobody serves")
  func fallback() throws {
    let router = MGJRouter(Switchboard())
    let seen = Mutex<[String]>([])
    try router.registerURLPattern("mgj://") { routerParameters in
      seen.withLock { $0.append("nobody serves \(routerParameters["has_travelled"] as? String ?? "it")") }
    }
    router.openURL("mgj://search/travel/china?has_travelled=0")
    // The demo: a longer pattern does not stand in the way.
    try router.registerURLPattern("mgj://foo/bar/none/exists") { _ in seen.withLock { $0.append("longer") } }
    router.openURL("mgj://foo/bar")
    #expect(seen.withLock { $0 } == ["nobody serves 0", "nobody serves it"])
  }

  @Test("a completion that the handler calls later, on the main queue")
  func completion() async throws {
    let router = MGJRouter(Switchboard())
    let order = Mutex<[String]>([])
    try router.registerURLPattern("mgj://detail") { routerParameters in
      order.withLock { $0.append("handler") }
      let completion = routerParameters[MGJRouterParameterCompletion] as? MGJRouterCompletion
      DispatchQueue.main.async { completion?(nil) }
    }
    await withCheckedContinuation { done in
      router.openURL("mgj://detail", withUserInfo: nil) { result in
        order.withLock { $0.append("completion \(result == nil)") }
        done.resume()
      }
    }
    #expect(order.withLock { $0 } == ["handler", "completion true"])
  }

  @Test("URLs that are made of the pattern by which they are registered, until that is deregistered")
  func generating() throws {
    let router = MGJRouter(Switchboard())
    let seen = Mutex<[String]>([])
    let template = "mgj://search/:keyword"
    try router.registerURLPattern(template) { routerParameters in
      seen.withLock { $0.append(routerParameters["keyword"] as? String ?? "") }
    }
    let url = try router.generateURL(withPattern: template, parameters: ["Hangzhou"])
    #expect(url == "mgj://search/Hangzhou")
    #expect(router.openURL(url) == nil)
    // The demo: after this the handler is not called.
    router.deregisterURLPattern(template)
    #expect(router.openURL(url)?.code == .routeNotFound)
    #expect(seen.withLock { $0 } == ["Hangzhou"])
  }

  @Test("an object that a URL stands for, also by a name without a scheme")
  func object() async throws {
    let switchboard = Switchboard(defaultScheme: "mgj")
    try await MainActor.run {
      let router = MGJRouter(switchboard)
      try router.registerURLPatternOnMain("mgj://search_top_bar", toObjectHandler: { _ in View() })
      #expect(router.objectOnMain(forURL: "mgj://search_top_bar") is View)
      #expect(router.objectOnMain(forURL: "search_top_bar") is View)
      #expect(router.objectOnMain(forURL: "mgj://other") == nil)
    }
  }

  @Test("whether a URL can be opened, and exactly")
  func canOpen() throws {
    let router = MGJRouter(Switchboard())
    try router.registerURLPattern("mgj://beauty/:id") { _ in }
    #expect(router.canOpenURL("mgj://beauty/3") && router.canOpenURL("mgj://beauty/3", matchExactly: true))
    #expect(router.canOpenURL("mgj://beauty/3/x") && !router.canOpenURL("mgj://beauty/3/x", matchExactly: true))
    #expect(!router.canOpenURL("mgj://beauty"))
  }
}
