/// The calls of Small.
struct SmallStyle: ProjectStyle {
  let pluginImports = ["SmallFace"]

  func declarations(of name: String) -> String {
    "\"pages\": [\"\"], \"acceptedParameters\": { \"\": [\"from\"] }"
  }

  func offer(of name: String) -> String { "the page that its URI in a host's `bundle.json` opens" }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// The page that the module opens with.
    final class \(capitalized)Controller: SMController {
      private let from: String
      init(parameters: [String: String]) { from = parameters["from"] ?? "nowhere" }
      var title: String { "\(name), from \\(from)" }
    }
    """
  }

  func principal(_ capitalized: String) -> String { "SMAppPlugin(principal: \(capitalized)Controller.self)" }

  let hostProducts = ["SmallFace"]

  /// The manifest of Small's template: one entry, the module that the application begins with.
  func hostFiles(_ host: HostScaffold) -> [ScaffoldFile] {
    [
      ScaffoldFile(
        "app/bundle.json",
        """
        {
          "version": "1.0.0",
          "bundles": [
            { "uri": "main", "pkg": "\(host.identifier).app.main" }
          ]
        }

        """)
    ]
  }

  func hostCommands(_ host: HostScaffold) -> [String] {
    [
      "signet sign app/bundle.json --host-manifest \(host.identifier) --sequence 1 --key publisher",
      "signet new module main --like small --identifier \(host.identifier).app.main",
      "make -C main && signet pack main/module --out app/main.zip && signet sign app/main.zip --key publisher --attach",
      "\(host.program) 'main?from=readme'",
    ]
  }

  let hostLeaves = ["/documents/", "/main/"]

  let trial = "`signet new module` and the command after it make the module that `app/bundle.json` names."

  func hostProgram(_ host: HostScaffold) -> String {
    #"""
    import PluginHost
    import PluginKit
    import Signet
    import SmallRuntimeFace

    @main struct Host {
      /// Each argument is a URI to open.
      static func main() async throws {
        var configuration = PluginHost.Configuration()
        configuration.identifier = ModuleIdentifier("\#(host.identifier)")
        configuration.embedded = "app"
        let policy = try TrustPolicy(trustedFile: "trust.json")
        let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
        host.onEvent { event in
          if case .refused(let module) = event { print("refused: \(module.source): \(module.reason)") }
        }

        let small = Small(host, Small.Configuration(main: "app", documents: "documents", version: "1.0"))
        small.setBaseUri("http://m.example.com/\#(host.name)/")
        for bundle in try await small.setUp() { print("loaded \(bundle.uri)") }

        for uri in CommandLine.arguments.dropFirst() {
          do {
            switch try await small.openUri(uri) {
            case .page(let page, _): print("shows \(page.title)")
            case .web(let url, _): print("shows the web page \(url)")
            case .action, .value, .external: break
            }
          } catch {
            print("\(error)")
          }
        }
        await host.markHealthy()
      }
    }

    """#
  }
}
