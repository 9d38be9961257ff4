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
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    var configuration = PluginHost.Configuration()
    configuration.identifier = ModuleIdentifier("com.example.host")
    configuration.embedded = "app"
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)

    let small = Small(host, Small.Configuration(main: "app", documents: "documents", version: "1.0"))
    small.setBaseUri("http://m.example.com/demo/")
    small.registerLauncher(SMWebBundleLauncher(.init { controller in TextView(controller) }))
    try small.registerJSMethod("greet") { parameters, callback in
      callback(["greeting": .text("Hello, \(parameters["name"]?.text ?? "world")")])
    }
    try await small.setUp()

    let page = try await small.openUri("about?x=1").page
    if let page, let controller = page.object as? SMWebController {
      // What the page's script posts.
      let origin = "https://com.example.about.invalid"
      controller.receive(
        #"{"type":"ready","title":"About us","metas":{"right-bar-item":"type=share,onclick=rightBar()"}}"#,
        from: origin, isMainFrame: true)
      print("\(controller.title) has \(controller.barItems.map { $0.kind ?? "no kind" })")
      for item in controller.barItems { host.switchboard.presenter.tap(item, on: page.id) }
      let answer = await withCheckedContinuation { continuation in
        controller.bridge.invoke("greet", ["name": "Ada"]) { continuation.resume(returning: $0) }
      }
      print(try answer.get().json)
    }
    await host.markHealthy()
  }
}
