import PTLaunchFace
import PluginHost
import Signet

@main struct Host {
  /// Each argument is an archive to install, or a URL to open.
  static func main() async throws {
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules")
    host.onEvent { event in
      if case .refused(let module) = event { print("refused: \(module.source): \(module.reason)") }
    }
    let router = PTRouter(host.switchboard)

    await host.start()
    for argument in CommandLine.arguments.dropFirst() {
      do {
        if argument.contains("://") {
          print(await router.openURL(argument) ? "opened" : "not opened")
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
