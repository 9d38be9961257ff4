import PluginHost
import PluginKit
import Signet
import SmallRuntimeFace

@main struct Host {
  /// Sets Small up, and opens each argument.
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    var configuration = PluginHost.Configuration()
    configuration.identifier = ModuleIdentifier("com.example.host")
    configuration.embedded = "app"
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
    host.switchboard.externalOpening = ExternalOpening()

    let small = Small(host, Small.Configuration(main: "app", documents: "documents", version: "1.0"))
    small.setBaseUri("http://m.example.com/demo/")
    try small.registerAction("share") { sender, parameters in
      print("\(sender.owner) shares \(parameters?["text"] ?? "nothing")")
    }
    for bundle in try await small.setUp() { print("\(bundle.uri) \(bundle.versionName ?? "")") }

    for uri in CommandLine.arguments.dropFirst() {
      do {
        switch try await small.openUri(uri) {
        case .page(let page, _): print("shows \(page.title)")
        case .web(let url, _): print("shows the web page \(url)")
        case .action, .value, .external: break
        }
      } catch { print("\(error.code)") }
    }
    await host.markHealthy()
  }
}
