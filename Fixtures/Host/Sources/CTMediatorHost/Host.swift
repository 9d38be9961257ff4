import BusinessCCategory
import CTMediatorHostFace
import PluginHost
import Signet

@main struct Host {
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules")
    CTMediator.use(host.switchboard)
    try CT().onNoTarget { info in
      print("nobody answers \(info["targetString"] ?? "") \(info["selectorString"] ?? "")")
    }
    await host.start()

    let page = await CT().viewControllerC2(name: "BJHL", age: 5) { text in print("touched: \(text)") }
    CT().pushViewController(page)
    print(host.switchboard.presenter.state.top ?? "nothing")
    for item in page.barItems { host.switchboard.presenter.tap(item, on: page.id) }
    print(await CT().performAction(withUrl: "aaa://BusinessC/greet?name=BJHL") ?? "no answer")
    print(await CT().performAction(withUrl: "aaa://BusinessC/nativeReset") ?? "no answer")
    await host.markHealthy()
  }
}
