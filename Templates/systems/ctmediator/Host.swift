import CTMediatorHostFace
import PluginHost
import Signet

@main struct Host {
  /// Each argument is an archive to install, or a URL to open.
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules")
    host.onEvent { event in
      if let sentence = event.sentence { print(sentence) }
    }
    CTMediator.use(host.switchboard)

    await host.start()
    for argument in CommandLine.arguments.dropFirst() {
      if argument.contains("://") {
        print(await CT().performAction(withUrl: argument) ?? "no answer")
      } else {
        let installed = try await host.install(argument)
        try await host.load(installed.module)
        print("installed \(installed.module)")
      }
    }
    await host.markHealthy()
  }
}
