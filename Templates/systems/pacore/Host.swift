import ModuleFetch
import PARuntimeFace
import PluginHost
import Signet

@main struct Host {
  /// Gets what the store's list offers, and shows the first page of each item.
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    var configuration = PluginHost.Configuration()
    configuration.fetcher = .http()
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
    host.onEvent { event in
      if let sentence = event.sentence { print(sentence) }
    }
    let manager = PABundleManager(host)
    PABusAccessor.default.use(manager)
    await host.start()

    for item in try manager.storeList("site/store.json").items {
      if !manager.isInstalled(item.identifier, minimumVersion: item.version) {
        print("installed \(try await manager.downloadItem(item).identifier)")
      }
      await manager.load(item.identifier)
      print(await PABusAccessor.default.resource(item.uri) ?? "no page")
    }
    await host.markHealthy()
  }
}
