/// The calls of PluginKit and PluginHost.
struct SignetStyle: ProjectStyle {
  let pluginImports: [String] = []

  func declarations(of name: String) -> String { "\"routes\": [\"ui://\(name)\", \"ui://\(name)/:item\"]" }

  func offer(of name: String) -> String { "the pages `ui://\(name)` and `ui://\(name)/:item`" }

  func plugin(_ name: String, _ capitalized: String) -> String {
    """
    /// What module.json declares is registered here.
    final class \(capitalized)Plugin: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try context.register(route: "ui://\(name)") { _ in "\(name) is here" }
        try context.register(route: "ui://\(name)/:item") { request in "\(name) shows \\(request.text("item") ?? "")" }
      }
    }
    """
  }

  func principal(_ capitalized: String) -> String { "\(capitalized)Plugin()" }

  let hostProducts: [String] = []

  func hostCommands(_ host: HostScaffold) -> [String] {
    ["\(host.program) radio.zip ui://radio/7          # installs a plugin, and opens its page"]
  }

  func hostProgram(_ host: HostScaffold) -> String { Self.program }

  private static let program = #"""
    import PluginHost
    import PluginKit
    import Signet

    @main struct Host {
      /// Each argument is an archive to install, a page to open (ui://…) or an action to perform (app://…).
      static func main() async throws {
        var configuration = PluginHost.Configuration()
        configuration.version = SemanticVersion("1.0.0")
        let policy = try TrustPolicy(trustedFile: "trust.json")
        let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
        host.onEvent { event in
          if case .refused(let module) = event { print("refused: \(module.source): \(module.reason)") }
        }
        _ = try host.switchboard.notifications.observe("greeted", owner: .host) { notification in
          print("a module says: \(notification.userInfo["text"] ?? "nothing")")
        }

        for loaded in await host.start() { print("loaded \(loaded.module.identifier)") }
        for argument in CommandLine.arguments.dropFirst() {
          do {
            if argument.hasPrefix("ui://") {
              print(try await host.open(argument) ?? "no page")
            } else if argument.hasPrefix("app://") {
              print(try await host.switchboard.targets.perform(argument) ?? "done")
            } else {
              let installed = try await host.install(argument)
              try await host.load(installed.module)
              print("installed \(installed.module)")
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
