public import PluginKit
public import Signet
public import SignetBase

/// What a host does, for tasks: none of these keeps a thread of the task's while it waits. A task that is cancelled waits until the
/// end all the same: what is installed or loaded by half helps nobody.
extension PluginHost {
  /// Archives that are verified and installed at once: each uses all cores when it is large.
  static let installWidth = 2

  /// Opens a URL, as ``Router`` does.
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
  /// - Returns: which module it is, and its sequence.
  /// - Throws: as ``install(_:signature:module:)`` for threads.
  @discardableResult public func install(
    _ path: String, signature: String? = nil, module: ModuleIdentifier? = nil
  ) async throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try await installing.run { () throws(SignetError) in
      try self.install(path, signature: signature, module: module)
    }
  }

  /// Loads a module, after those that it requires, and lets it register.
  ///
  /// - Throws: as ``load(_:)`` for threads.
  @discardableResult public func load(_ module: ModuleIdentifier) async throws(SignetError) -> LoadedModule {
    try await loading.run { () throws(SignetError) in try self.load(module) }
  }

  /// Takes stock and loads every module that is installed.
  ///
  /// - Returns: the modules that are loaded, sorted by identifier.
  @discardableResult public func start(without leftOut: Set<ModuleIdentifier> = []) async -> [LoadedModule] {
    await loading.run { self.start(without: leftOut) }
  }

  /// The first part of starting: what is here, without loading any of it.
  public func takeStock() async { await loading.run { self.takeStock() } }

  /// Reads the host's manifest.
  ///
  /// - Throws: as ``manifest(user:embedded:)`` for threads.
  public func manifest(user: String?, embedded: String) async throws(SignetError) -> HostManifest {
    try await installing.run { () throws(SignetError) in try self.manifest(user: user, embedded: embedded) }
  }

  /// Takes stock, and loads what a manifest names, in its order.
  ///
  /// - Returns: the entries whose modules are loaded, and those of the host itself, in the order of the manifest.
  @discardableResult public func start(
    _ manifest: HostManifest, base: String = "ui://", without leftOut: Set<ModuleIdentifier> = []
  ) async -> [ResolvedEntry] {
    await loading.run { self.start(manifest, base: base, without: leftOut) }
  }

  /// Reads the manifest and loads what it names.
  ///
  /// - Throws: what ``manifest(user:embedded:)`` throws.
  @discardableResult public func start(
    user: String?, embedded: String, base: String = "ui://", without leftOut: Set<ModuleIdentifier> = []
  ) async throws(SignetError) -> [ResolvedEntry] {
    try await loading.run { () throws(SignetError) in
      self.start(try self.manifest(user: user, embedded: embedded), base: base, without: leftOut)
    }
  }

  /// The host is well with what it has loaded: a crash from then on is not attributed to that. The call waits for no installation and no load.
  public func markHealthy() async { await marking.run { self.markHealthy() } }

  /// Forgets the crashes of releases that were set aside or are held back.
  ///
  /// - Returns: the sequences of those that it has changed.
  /// - Throws: as ``retry(_:)`` for threads.
  @discardableResult public func retry(_ module: ModuleIdentifier) async throws(SignetError) -> [Int] {
    try await deciding.run { () throws(SignetError) in try self.retry(module) }
  }

  /// Forgets the latest time that the store has seen, after a clock that was far ahead has been set right.
  ///
  /// - Throws: as ``resetLatestTime()`` for threads.
  public func resetLatestTime() async throws(SignetError) {
    try await deciding.run { () throws(SignetError) in try self.resetLatestTime() }
  }
}
