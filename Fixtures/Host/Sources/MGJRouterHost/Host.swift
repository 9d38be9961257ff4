import MGJRouterFace
import PluginHost
import PluginKit
import Signet

let switchboard = Switchboard(defaultScheme: "mgj")
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The host's router, by the name of the original.
let MGJRouter = MGJRouterFace.MGJRouter(switchboard)

@main struct Host {
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    try MGJRouter.registerURLPattern("mgj://") { routerParameters in
      print("nobody serves \(routerParameters[MGJRouterParameterURL] ?? "it")")
    }
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules", switchboard: switchboard)
    await host.start()

    let url = try MGJRouter.generateURL(withPattern: "mgj://beauty/:id", parameters: [13])
    let error = await MGJRouter.openURL(url, withUserInfo: ["user_id": 1900]) { result in
      print(result ?? "no result")
    }
    if let error { print(error) }
    print(await MGJRouter.object(forURL: "search_top_bar") ?? "no object")
    await MGJRouter.openURL("mgj://search/travel/china?has_travelled=0")
    await host.markHealthy()
  }
}
