import PTLaunchFace
import PluginHost
import PluginKit
import Signet

@main struct Host {
  /// Installs each argument that is an archive, starts by the launch files, and opens each argument that is a URL.
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules")
    host.onEvent { event in
      if let sentence = event.sentence { print(sentence) }
    }
    let arguments = CommandLine.arguments.dropFirst()
    for archive in arguments where !archive.contains("://") { try await host.install(archive) }
    await host.start()

    let helper = PTAppLaunchHelper(host.switchboard, .signed(in: "launch", by: host))
    let reports = [
      try helper.autoRegistDataModules(), try await helper.autoInitModule(), try helper.autoRegistURL(),
    ]
    for failure in reports.flatMap(\.failures) { print("\(failure.name): \(failure.error, default: "")") }
    try PTAppEventBus(host.switchboard).start()
    try await host.switchboard.notifications.post("didFinishLaunch")
    let user = PTModuleContainer("UserModuleContainer", String.self, host.switchboard)
    print("user: \(await user.module() ?? "nobody")")

    let router = PTRouter(host.switchboard)
    host.switchboard.presenter.present("home")
    for url in arguments where url.contains("://") {
      do { print("\(url): \(try await router.open(url))") } catch { print("\(url): \(error.code)") }
    }
    print("shown: \(host.switchboard.presenter.state.pages.map(\.title))")
    await host.markHealthy()
  }
}
