/// The calls of PACore and PARuntime.
struct PACoreStyle: ProjectStyle {
  let pluginImports = ["PACoreFace"]

  func declarations(of name: String) -> String { "\"routes\": [\"ui://\(name)\", \"ui://\(name)/*\"]" }

  func offer(of name: String) -> String { "the resource `ui://\(name)`" }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// The module's resources.
    struct \(capitalized): PABundleDelegate {
      func resource(_ uri: PAURI) -> (any Sendable)? {
        "\(name) shows \\(uri.params?["id"] ?? "its first page")"
      }

      func bundleDidLoad() { print("\(name) is loaded") }
    }
    """
  }

  func principal(_ capitalized: String) -> String { "PABundlePlugin(\(capitalized)())" }

  let hostProducts = ["ModuleFetch", "PACoreFace"]

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program)                  # gets what the list site/store.json offers, and shows its pages"]
  }

  let trusted = " --files 'store.*'"

  func hostProgram(_ host: HostScaffold) -> String { Self.program }

  private static let program = #"""
    import ModuleFetch
    import PARuntimeFace
    import PluginHost
    import Signet

    @main struct Host {
      /// Gets what the store's list offers, and shows the first page of each item.
      static func main() async throws {
        var configuration = PluginHost.Configuration()
        configuration.fetcher = .http()
        let policy = try TrustPolicy(trustedFile: "trust.json")
        let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
        host.onEvent { event in
          if case .refused(let module) = event { print("refused: \(module.source): \(module.reason)") }
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

    """#
}
