import HSLinkHostFace
import PluginHost
import PluginKit
import Signet

/// What both sides of the video component agree on.
protocol HSVideoLink {
  func getVideoController() async -> Page?
}

/// The host's side: it asks.
struct HSVideoAsk: HSVideoLink {
  func getVideoController() async -> Page? {
    await HSLinkClass.shareObject().callObject(class: "HSVideoSupply", method: "getVideoController").value as? Page
  }
}

@main struct Host {
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules")
    HSLinkClass.use(host.switchboard)
    await host.start()

    if let page = await HSVideoAsk().getVideoController() {
      host.switchboard.presenter.push(page)
      print(host.switchboard.presenter.state.top ?? "nothing")
      let values: [String: any Sendable] = ["title": "Heidi", "second": 90, "loops": true]
      let answer = await HSLinkClass.shareObject().callObject(class: "HSVideoSupply", method: "play:", param: values)
      print(answer.value ?? "nothing")
      print(await HSLinkClass.shareObject().callClass(class: "HSVideoSupply", method: "version").value ?? "nothing")
    } else {
      print("视频分类模块未加载")
    }
    await host.markHealthy()
  }
}
