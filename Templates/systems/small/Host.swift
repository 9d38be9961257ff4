import PluginHost
import PluginKit
import Signet
import SmallRuntimeFace

@main struct Host {
  /// Each argument is a URI to open.
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    var configuration = PluginHost.Configuration()
    configuration.identifier = ModuleIdentifier("{{identifier}}")
    configuration.embedded = "app"
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
    host.onEvent { event in
      if let sentence = event.sentence { print(sentence) }
    }

    let small = Small(host, Small.Configuration(main: "app", documents: "documents", version: "1.0"))
    small.setBaseUri("http://m.example.com/{{name}}/")
    for bundle in try await small.setUp() { print("loaded \(bundle.uri)") }

    for uri in CommandLine.arguments.dropFirst() {
      switch try await small.openUri(uri) {
      case .page(let page, _): print("shows \(page.title)")
      case .web(let url, _): print("shows the web page \(url)")
      case .action, .value, .external: break
      }
    }
    await host.markHealthy()
  }
}
