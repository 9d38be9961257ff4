public import PluginKit
public import Signet
public import SignetBase

/// The async calls of a host. None of them keeps a thread of the task while it waits.
///
/// A cancelled task still waits until the end, because half an installation or load is of no use.
extension PluginHost {
  /// How many archives are verified and installed at once. A large one uses all cores.
  static let installWidth = 2

  /// Opens a URL, as `Router` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @discardableResult public func open(
    _ url: some RoutableURL & Sendable, userInfo: [String: any Sendable] = [:],
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await switchboard.router.open(url, userInfo: userInfo, limit: limit)
  }

  /// Verifies an archive and installs it.
  ///
  /// - Returns: the module's identifier and its sequence.
  /// - Throws: the reasons of the `Refusal` if the archive is refused: `signature.…`, `signer.…`,
  ///   `policy.…`, `digest.…`, `archive.…`, `module.…` and so on; `store.…`, `extraction.failed`, `crypto.failure`,
  ///   `file.…`.
  @discardableResult public func install(
    _ path: String, signature: String? = nil, module: ModuleIdentifier? = nil,
    except exceptions: ContinuityExceptions = ContinuityExceptions()
  ) async throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try await installing.run { () throws(SignetError) in
      try self.install(path, signature: signature, module: module, except: exceptions)
    }
  }

  /// Loads a module after the modules that it requires, and lets it register.
  ///
  /// - Throws: `store.not-installed`; why the module is refused, or could not be loaded: `policy.…`, `signature.…`,
  ///   `store.damaged`, `module.crashed`, `elf.…`, `loader.…`, `host.…`.
  @discardableResult public func load(_ module: ModuleIdentifier) async throws(SignetError) -> LoadedModule {
    try await context.loading.run { () throws(SignetError) in try self.load(module) }
  }

  /// Takes stock and loads every module that is installed.
  ///
  /// - Returns: the modules that are loaded, sorted by identifier.
  @discardableResult public func start(without leftOut: Set<ModuleIdentifier> = []) async -> [LoadedModule] {
    await context.loading.run { self.start(without: leftOut) }
  }

  /// Takes stock, the first part of `start(without:)`, without loading any module.
  public func takeStock() async { await context.loading.run { self.takeStock() } }

  /// Reads the host's manifest: the fetched one, or else the one that ships with the host.
  ///
  /// - Throws: `host.identifier` if the host has no identifier; if both manifests are refused, why the second one is:
  ///   `file.missing`, `manifest.…`, `signature.…`, `signer.…`, `policy.…` and so on.
  public func manifest(user: String?, embedded: String) async throws(SignetError) -> HostManifest {
    try await installing.run { () throws(SignetError) in try self.manifest(user: user, embedded: embedded) }
  }

  /// Takes stock, and loads the modules that a manifest names, in its order.
  ///
  /// - Returns: the entries whose modules are loaded, and those of the host itself, in the order of the manifest.
  @discardableResult public func start(
    _ manifest: HostManifest, base: String = "ui://", without leftOut: Set<ModuleIdentifier> = []
  ) async -> [ResolvedEntry] {
    await context.loading.run { self.start(manifest, base: base, without: leftOut) }
  }

  /// Reads the host's manifest, takes stock, and loads the modules that the manifest names.
  ///
  /// - Returns: the entries whose modules are loaded, and those of the host itself, in the order of the manifest.
  /// - Throws: what `manifest(user:embedded:)` throws.
  @discardableResult public func start(
    user: String?, embedded: String, base: String = "ui://", without leftOut: Set<ModuleIdentifier> = []
  ) async throws(SignetError) -> [ResolvedEntry] {
    try await context.loading.run { () throws(SignetError) in
      self.start(try self.manifest(user: user, embedded: embedded), base: base, without: leftOut)
    }
  }

  /// Marks the host as healthy: later crashes are not attributed to what it has loaded.
  ///
  /// This does not wait for an installation or a load.
  public func markHealthy() async { await marking.run { self.markHealthy() } }

  /// Forgets the crashes of releases that were set aside or are held back.
  ///
  /// - Returns: the sequences of the releases that were changed.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @discardableResult public func retry(_ module: ModuleIdentifier) async throws(SignetError) -> [Int] {
    try await deciding.run { () throws(SignetError) in try self.retry(module) }
  }

  /// Forgets the latest time that the store has seen, after a clock that was far ahead has been corrected.
  ///
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  public func resetLatestTime() async throws(SignetError) {
    try await deciding.run { () throws(SignetError) in try self.resetLatestTime() }
  }
}
