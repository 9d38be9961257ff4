internal import ModuleStore
public import PACoreFace
public import PluginHost
internal import PluginKit
internal import Signet
public import SignetBase

/// The modules of a host, with the names of PARuntime.
///
/// ```swift
/// let manager = PABundleManager(try PluginHost(policy: policy, store: "modules", configuration: configuration))
/// PABusAccessor.default.use(manager)
/// await manager.host.start()
/// let page = await PABusAccessor.default.resource("ui://wechat/pay?id=7")
/// ```
///
/// It keeps nothing of its own: each answer is the host's answer at that time, and modules come in only through the
/// host.
public struct PABundleManager: PABundleProvider {
  /// The host that verifies, installs and loads the modules.
  public let host: PluginHost

  /// Makes a manager of a host's modules.
  public init(_ host: PluginHost) { self.host = host }

  // MARK: Finding modules

  /// A module of which the host knows something; nil for any other.
  public func bundle(_ identifier: String) -> PABundle? {
    guard let module = ModuleIdentifier(identifier), host.modules[module] != nil else { return nil }
    return PABundle(module, of: host)
  }

  /// The loaded module that serves an address, as the host's router finds it.
  ///
  /// - Returns: nil if no module serves the address, or its module is refused.
  public func bundle(for uri: PAURI) -> PABundle? {
    guard let identifier = (try? host.switchboard.router.match(uri).owner)?.identifier,
      let module = ModuleIdentifier(identifier)
    else { return nil }
    return PABundle(module, of: host)
  }

  /// The same as ``bundle(for:)``, for a bus.
  public func bundleDelegate(for uri: PAURI) -> (any PABundleDelegate)? { bundle(for: uri) }

  /// The resource at an address, from the loaded module that serves it.
  ///
  /// - Returns: nil if the module has no such resource.
  /// - Throws: `route.not-found`, also if the host serves the address; `route.module-refused`, and what the module's
  ///   handler fails with.
  @available(*, noasync, message: "use the async form")
  public func resource(_ uri: PAURI) throws -> (any Sendable)? {
    try host.switchboard.router.open(uri, onlyBy: .firstModule)
  }

  /// The same for tasks, which keep no thread while they wait.
  public func resource(_ uri: PAURI) async throws -> (any Sendable)? {
    try await host.switchboard.router.open(uri, onlyBy: .firstModule)
  }

  /// The modules that are loaded, sorted by identifier.
  public var loaded: [PABundle] { bundles { $0.status == .loaded } }

  /// The modules of which a release is installed and not refused, sorted by identifier. The host has to have taken
  /// stock.
  public var installed: [PABundle] { bundles { host.isInstalled($0.module) } }

  /// The modules whose archives are completely downloaded, and not verified yet.
  public var downloaded: [PABundle] { bundles { $0.status == .downloaded } }

  private func bundles(where isWanted: (PABundle) -> Bool) -> [PABundle] {
    host.modules.keys.sorted { "\($0)" < "\($1)" }.map { PABundle($0, of: host) }.filter(isWanted)
  }

  /// Whether a release of a module is installed and not refused.
  ///
  /// - Parameters:
  ///   - identifier: the module.
  ///   - minimumVersion: the lowest version that counts, such as `1.2` or `1.2.0`; nil for any. No release counts if it
  ///     is not a version.
  public func isInstalled(_ identifier: String, minimumVersion: String? = nil) -> Bool {
    guard let module = ModuleIdentifier(identifier) else { return false }
    guard let minimumVersion else { return host.isInstalled(module) }
    return SemanticVersion(written: minimumVersion).map { host.isInstalled(module, minimumVersion: $0) } ?? false
  }

  // MARK: Getting modules

  /// Begins to download an item, and to verify and install it. Events tell how that goes.
  ///
  /// - Returns: false if a transfer of the module is under way, or its release or a later one is installed.
  /// - Throws: `fetch.item` or `fetch.url` if the item cannot be downloaded; `fetch.unavailable`, `module.crashed`.
  @discardableResult public func start(_ item: PADownloadItem) throws(SignetError) -> Bool {
    let offer = try item.offer()
    switch host.availability(of: offer) {
    case .installed, .setAside: return false
    case .notInstalled, .updateAvailable: return try host.startDownload(offer)
    }
  }

  /// Downloads an item, verifies it and installs it. Callers that ask for the same item share one transfer.
  ///
  /// - Throws: what `PluginHost.download(_:)` throws; `fetch.item` or `fetch.url` if the item cannot be downloaded.
  @discardableResult public func downloadItem(_ item: PADownloadItem) async throws(SignetError) -> PABundle {
    PABundle(try await host.download(item.offer()).module, of: host)
  }

  /// Verifies the archive of an item in a folder, and installs it. The installed release stays until the new one is
  /// verified.
  ///
  /// - Returns: false without an item or its `zipName`, or if the archive is missing or refused. The host remembers
  ///   the reason (`PluginHost.refusals`).
  @available(*, noasync, message: "use the async form")
  @discardableResult public func unzip(_ item: PADownloadItem?, from folder: String) -> Bool {
    guard let (path, module) = item?.archive(in: folder) else { return false }
    return (try? host.install(path, module: module)) != nil
  }

  /// The same for tasks, which keep no thread while they wait.
  @discardableResult public func unzip(_ item: PADownloadItem?, from folder: String) async -> Bool {
    guard let (path, module) = item?.archive(in: folder) else { return false }
    return (try? await host.install(path, module: module)) != nil
  }

  /// Loads a module after the modules that it requires.
  ///
  /// - Returns: false in the same cases as `PABundle.load()`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func load(_ identifier: String) -> Bool {
    ModuleIdentifier(identifier).map { PABundle($0, of: host).load() } ?? false
  }

  /// The same for tasks, which keep no thread while they wait.
  @discardableResult public func load(_ identifier: String) async -> Bool {
    guard let module = ModuleIdentifier(identifier) else { return false }
    return await PABundle(module, of: host).load()
  }

  // MARK: The store's list

  /// Reads the store's list: the fetched one, or else the one that ships with the host.
  ///
  /// Each has to be signed, with its statement beside it (`NAME.sigstore.json`). A list that is not signed by a signer
  /// whom the host's policy trusts for it is ignored, and the refusal is told as an event.
  ///
  /// - Parameters:
  ///   - fetched: the path of the fetched list, or nil.
  ///   - embedded: the path of the list that ships with the host.
  ///   - kind: how both have to be signed. A manifest keeps older lists out.
  /// - Throws: if both are refused, why the second one is: `file.…`, `signature.…`, `signer.…`, `policy.…`,
  ///   `digest.…`, and `fetch.item` if it is not a list.
  public func storeList(
    fetched: String?, embedded: String, as kind: SignedFileKind = .file
  ) throws(SignetError) -> PAStoreList {
    try host.signedFile(user: fetched, embedded: embedded, as: kind, limit: PAStoreList.sizeLimit) {
      (bytes) throws(SignetError) in try PAStoreList(verified: bytes)
    }
  }

  /// Reads a store's list that a signer has signed whom the host's policy trusts for it.
  ///
  /// - Throws: `file.…`, `signature.…`, `signer.…`, `policy.…`, `digest.…`, and `fetch.item` if it is not a list.
  public func storeList(_ path: String, as kind: SignedFileKind = .file) throws(SignetError) -> PAStoreList {
    try host.signedFile(path, as: kind, limit: PAStoreList.sizeLimit) { (bytes) throws(SignetError) in
      try PAStoreList(verified: bytes)
    }
  }
}
