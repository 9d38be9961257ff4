import JLRoutesFace
import PluginHost
import Signet

@main struct Host {
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules")
    let jlRoutes = JLRouter(host.switchboard)
    jlRoutes.onFailure = { error in print(error.code) }
    jlRoutes.global().unmatchedURLHandler = { _, url, _ in print("nobody handles \(url)") }
    try jlRoutes.global().addRoute("/about") { _ in
      print("about this app")
      return true
    }
    await host.start()

    let touchBlock: @Sendable (String) -> Void = { text in print("touched: \(text)") }
    await jlRoutes.routeURL("myapp://c2/BJHL?age=5", withParameters: ["touchBlock": touchBlock])
    await jlRoutes.routeURL("myapp://user/view/joel%20levin")
    await jlRoutes.routeURL("https://www.example.com/user/view/joeldev/posts")
    await jlRoutes.routeURL("shop://search/shoes/red")
    await jlRoutes.routeURL("shop://about")
    print(jlRoutes.canRouteURL("myapp://user/view"))
    await host.markHealthy()
  }
}
