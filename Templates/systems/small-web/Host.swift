import PluginHost
import PluginKit
import Signet
import SmallWebFace

/// A view without a screen. It gets the document, and shows which scripts the page would run.
final class TextView: SMWebView {
  // The controller keeps its view.
  weak let controller: SMWebController?

  init(_ controller: SMWebController) { self.controller = controller }

  func load(_ url: String) {
    controller?.didStartLoad()
    switch controller?.answer(to: url) {
    case .resource(let file):
      print("\(url) is \(file.path), \(file.contentType)")
      controller?.didFinishLoad()
    case .refused(let error):
      print("\(url): \(error.code)")
      controller?.didFailLoad(error)
    case .web, nil: break
    }
  }

  func evaluate(_ script: String, completion: @escaping @Sendable (String?) -> Void) {
    print("the page runs \(script)")
    completion(nil)
  }
}

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
    small.registerLauncher(SMWebBundleLauncher(.init { controller in TextView(controller) }))
    for bundle in try await small.setUp() { print("loaded \(bundle.uri)") }

    for uri in CommandLine.arguments.dropFirst() {
      switch try await small.openUri(uri) {
      case .page: print("shows \(uri)")
      case .web(let url, _): print("shows the web page \(url)")
      case .action, .value, .external: break
      }
    }
    await host.markHealthy()
  }
}
