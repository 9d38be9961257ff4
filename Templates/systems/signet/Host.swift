import PluginHost
import PluginKit
import Signet

@main struct Host {
  /// Each argument is an archive to install, a page to open (ui://…) or an action to perform (app://…).
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    var configuration = PluginHost.Configuration()
    configuration.version = SemanticVersion("1.0.0")
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
    host.onEvent { event in
      if let sentence = event.sentence { print(sentence) }
    }
    _ = try host.switchboard.notifications.observe("greeted", owner: .host) { notification in
      print("a module says: \(notification.userInfo["text"] ?? "nothing")")
    }

    for loaded in await host.start() { print("loaded \(loaded.module.identifier)") }
    for argument in CommandLine.arguments.dropFirst() {
      if argument.hasPrefix("ui://") {
        print(try await host.open(argument) ?? "no page")
      } else if argument.hasPrefix("app://") {
        print(try await host.switchboard.targets.perform(argument) ?? "done")
      } else {
        let installed = try await host.install(argument)
        try await host.load(installed.module)
        print("installed \(installed.module)")
      }
    }
    await host.markHealthy()
  }
}
