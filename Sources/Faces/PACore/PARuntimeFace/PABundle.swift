public import PACoreFace
public import PluginHost
internal import PluginKit
public import Signet
public import SignetBase

/// The status of a module on its way into the host, under PARuntime's name.
///
/// `none < downloading < downloaded < verifying < installing < installed < loading < loaded`, then the ends `refused`
/// and `loadFailed`. `canBecome(_:)` is the table of transitions.
public typealias PABundleStatus = ModuleStatus

/// A module of a host, with the names of PARuntime.
///
/// It holds only the module's name: each answer is the host's answer at that time.
public struct PABundle: Sendable {
  /// The host that has the module.
  public let host: PluginHost
  /// The module.
  public let module: ModuleIdentifier

  /// Makes a value for a module, whether the host knows it or not.
  public init(_ module: ModuleIdentifier, of host: PluginHost) {
    self.module = module
    self.host = host
  }

  /// The module's identifier as text.
  public var identifier: String { "\(module)" }
  /// The status of the module.
  public var status: PABundleStatus { host.status(of: module) }
  /// Why the module is refused or failed; nil for any other.
  public var reason: SignetError? { host.reason(of: module) }
  /// The version of the release that is loaded, or will be at the next start; nil if none is installed.
  public var version: String? { host.installedVersion(of: module).map { "\($0)" } }
  /// Whether the installed release is the one that ships with the host.
  public var isEmbedded: Bool { host.isEmbedded(module) }

  /// The names that the module serves: the routes of its signed description that have neither parameters nor
  /// wildcards, each without its scheme. The list is empty until the module is loaded.
  public var resources: [String] {
    (host.loaded(module)?.module.routes ?? []).compactMap { route in
      guard let uri = PAURI(route), uri.url.resourcePath?.utf8.contains(where: { ":*(".utf8.contains($0) }) == false
      else { return nil }
      return uri.resourcePath
    }
  }

  /// Loads the module after the modules that it requires. Its `bundleDidLoad` is called once. A module that ships with
  /// the host is installed once the host has taken stock.
  ///
  /// - Returns: false if the module is not installed, is being loaded or is loaded already, or could not be loaded:
  ///   ``reason`` says why. What failed before any of its code was opened can be loaded again.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func load() -> Bool { canLoad && (try? host.load(module)) != nil }

  /// The same for tasks, which keep no thread while they wait.
  @discardableResult public func load() async -> Bool {
    guard canLoad else { return false }
    return (try? await host.load(module)) != nil
  }

  private var canLoad: Bool {
    let status = status
    guard ![.loading, .loaded].contains(status) else { return false }
    return status >= .installed || host.isInstalled(module)
  }
}

extension PABundle: Hashable {
  /// Values are equal if they are for the same module of the same host.
  public static func == (one: PABundle, other: PABundle) -> Bool {
    one.module == other.module && one.host === other.host
  }

  /// Hashes the module.
  public func hash(into hasher: inout Hasher) { hasher.combine(module) }
}

extension PABundle: PABundleDelegate {
  /// The resource at an address, if the module is the one that serves it.
  ///
  /// - Returns: nil if another module serves the address, or the host.
  /// - Throws: `route.not-found`, `route.module-refused`, and what the module's handler fails with.
  @available(*, noasync, message: "use the async form")
  public func resource(_ uri: PAURI) throws -> (any Sendable)? {
    guard try serves(uri) else { return nil }
    return try host.switchboard.router.open(uri, onlyBy: .one(.module(identifier)))
  }

  /// The same for tasks, which keep no thread while they wait.
  public func resource(_ uri: PAURI) async throws -> (any Sendable)? {
    guard try serves(uri) else { return nil }
    return try await host.switchboard.router.open(uri, onlyBy: .one(.module(identifier)))
  }

  private func serves(_ uri: PAURI) throws(PluginError) -> Bool {
    try host.switchboard.router.match(uri).owner == .module(identifier)
  }
}
