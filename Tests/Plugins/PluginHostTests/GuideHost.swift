import PluginHost
import PluginKit
import Signet

/// A host that loads what its policy accepts, and shows pages.
struct PageHost {
  let host: PluginHost

  /// Reads the policy, and opens the store or creates it.
  init(policy path: String, store: String) throws {
    var configuration = PluginHost.Configuration()
    configuration.version = SemanticVersion("1.0.0")
    let policy = try TrustPolicy(trustedFile: path)
    host = try PluginHost(policy: policy, store: store, configuration: configuration)
    host.onEvent { event in
      if case .refused(let module) = event { print("refused: \(module.source): \(module.reason)") }
    }
  }

  /// Loads what is installed. Call it once, when the program starts.
  func start() async {
    await host.start()
    await host.markHealthy()
  }

  /// Installs an archive and loads it, and returns the module's identifier.
  func add(_ archive: String) async throws -> ModuleIdentifier {
    let module = try await host.install(archive).module
    try await host.load(module)
    return module
  }

  /// Opens a URL that a module serves.
  func page(_ url: String) async throws -> String {
    try await host.open(url) as? String ?? "no page"
  }

  /// Calls a handler whenever a module posts a notification of this name.
  func observe(
    _ name: String, _ handler: @escaping @Sendable (PluginNotification) -> Void
  ) throws -> ObservationToken {
    try host.switchboard.notifications.observe(name, owner: .host, handler: handler)
  }
}
