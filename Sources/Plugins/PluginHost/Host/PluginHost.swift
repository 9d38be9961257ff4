public import ModuleStore
public import PluginKit
public import Signet
internal import SignetArchive
public import SignetBase
internal import SignetSystem

/// A program that verifies, installs and loads modules, and refuses all others.
///
/// It calls what modules offer through one switchboard.
///
/// ```swift
/// let host = try PluginHost(policy: policy, store: "modules")
/// await host.start()
/// try await host.install("player.zip")
/// try await host.load("com.example.player")
/// let page = try await host.open("ui://player/7")
/// ```
///
/// Nothing that the store says is trusted: at each start, what is installed is verified under the current policy. A
/// host is in one process; several hosts may share a store. A host can be used from any thread.
public final class PluginHost: Sendable {
  /// The options of a host.
  public struct Configuration: Sendable {
    /// The identifier of this host. Only its own manifest is accepted.
    public var identifier: ModuleIdentifier?
    /// The version that modules may require; nil refuses modules that require any.
    public var version: SemanticVersion?
    /// A directory with archives that ship with the host, each with its signature in it or beside it.
    public var embedded: String?
    /// Libraries that modules may need and that the host opens for them: the DT_SONAME and the absolute path of each.
    public var hostLibraries: [String: String] = [:]
    /// The limits on what an archive may hold.
    public var limits = ArchiveLimits()
    /// The fetcher of archives; nil for a host that does not fetch. `ModuleFetch` has one: `.http()`.
    public var fetcher: ArchiveFetcher?
    /// The registry that says which releases there are; nil for a host that has none. `ModuleCatalog` is one.
    public var registry: (any ReleaseSource)?
    /// The source of the time.
    public var clock = VerificationClock.system
    /// How long after the last load a crash of the process is attributed to what was loaded, unless
    /// `markHealthy()` ends that earlier.
    public var trial = Duration.seconds(5)
    /// How long a module may take to be loaded before the host is told.
    public var loadingPatience = Duration.seconds(10)
    /// The clock by which a transfer is too slow for its place.
    package var turnClock: @Sendable () -> ContinuousClock.Instant = { .now }

    /// Makes a configuration with the defaults.
    public init() {}
  }

  /// The trust policy of the host.
  public let policy: TrustPolicy
  /// The connection between the host and its modules.
  public let switchboard: Switchboard

  let store: ModuleStore
  let configuration: Configuration
  let records = HostRecords()
  let trial: HostTrial
  /// Modules that wait until no code is on trial.
  let heldBack = Monitor(HeldBackModules())
  let refused: RefusedModules
  /// The releases that ship with the host.
  let embedded: EmbeddedModules
  let installation: ModuleInstallation
  let downloads: Downloads
  let fetched: FetchedModules
  let loader: ModuleLoader
  /// One module is loaded at a time.
  let turn = LoadingTurn()
  let watch: LoadingWatch
  private let hold: StoreHold
  /// For tasks: one module is loaded at a time, and an installation meanwhile does not wait for that.
  let loading = BlockingWork(width: 1)
  let installing = BlockingWork(width: PluginHost.installWidth)
  /// Decisions made by hand do not wait for an installation, which may take minutes.
  let deciding = BlockingWork(width: 1)
  /// The registry is asked one question at a time, because all of them use the same trusted metadata.
  let asking = BlockingWork(width: 1)
  /// A healthy host is noted at once. A crash meanwhile would be attributed to what it has loaded.
  let marking = BlockingWork(width: 1)

  /// Makes a host. Nothing is loaded yet.
  ///
  /// Make it before loading anything that the program was not linked with. Modules may need only what was there by
  /// then.
  ///
  /// - Parameters:
  ///   - policy: the trust policy of the host.
  ///   - store: the directory of installed modules, which is made if it is missing.
  ///   - switchboard: where modules register.
  ///   - configuration: what the host offers modules, and its limits.
  /// - Throws: `store.…`, `file.others-may-write`, `file.not-directory`; `host.pluginkit-not-shared` if this program
  ///   has two copies of PluginKit.
  public init(
    policy: TrustPolicy, store: String, switchboard: Switchboard = Switchboard(),
    configuration: Configuration = Configuration()
  ) throws(SignetError) {
    try SharedPluginKit.check()
    self.policy = policy
    self.switchboard = switchboard
    self.configuration = configuration
    downloads = Downloads(
      perOrigin: (configuration.fetcher?.limits ?? .init()).perOrigin, turnClock: configuration.turnClock)
    loader = ModuleLoader(hostLibraries: configuration.hostLibraries)
    watch = LoadingWatch(configuration.loadingPatience)
    var opened = try ModuleStore(
      creating: store, policy: policy, clock: configuration.clock, limits: configuration.limits)
    opened.patience = Self.patience
    self.store = opened
    opened.clearRemoved()
    hold = try opened.hold()
    refused = RefusedModules(store: opened, records: records, switchboard: switchboard, clock: configuration.clock)
    embedded = EmbeddedModules(
      policy: policy, store: opened, configuration: configuration, records: records, refused: refused)
    installation = ModuleInstallation(
      policy: policy, store: opened, limits: configuration.limits, records: records, embedded: embedded,
      refused: refused)
    fetched = FetchedModules(
      store: opened, configuration: configuration, records: records, installation: installation)
    trial = HostTrial(opened, records)
    trial.whenClosed { [weak self] in self?.loadHeldBackSoon() }
  }

  /// How many milliseconds a host waits for another process that changes the store. Its own changes can be written
  /// later.
  private static let patience = 2_000

  /// Verifies an archive and installs it.
  ///
  /// If a release of the module is loaded, code takes effect at the next start. A module without code takes effect at
  /// the next `load(_:)`.
  ///
  /// - Parameters:
  ///   - path: the archive, with its signature in it or beside it.
  ///   - signature: a file with bundles, if they are elsewhere.
  ///   - module: the module it must be; nil for any module that its signers are trusted for.
  /// - Returns: the module's identifier and its sequence.
  /// - Throws: the reasons of the `Refusal` if the archive is refused: `signature.…`, `signer.…`,
  ///   `policy.…`, `digest.…`, `archive.…`, `module.…` and so on; `store.…`, `extraction.failed`, `crypto.failure`,
  ///   `file.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func install(
    _ path: String, signature: String? = nil, module: ModuleIdentifier? = nil
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try installation.install(
      .file(RegularFile(opening: path)), signature.map { .file($0) } ?? .beside(path), module, named: path)
  }

  /// Takes stock and loads every module that is installed.
  ///
  /// This counts the crashes of earlier starts, installs newer releases that ship with the host, and loads each module
  /// that is accepted. Refusals are reported, the URLs of refused modules are refused, and everything else goes on.
  ///
  /// A module's code runs in this process. If it crashes, the host crashes. The start does not end while loading a
  /// module does not return (``HostEvent/stalled(_:sequence:after:)``). A release that has crashed twice in a row is
  /// set aside.
  ///
  /// - Parameter leftOut: modules that are not loaded [`host.left-out`], for a start in which something is to be
  ///   repaired. Their URLs are refused, and so are modules that require them. After `takeStock()`, ``modules`` lists
  ///   the modules.
  /// - Returns: the modules that are loaded, sorted by identifier. Modules that are held back [`host.held-back`] are
  ///   loaded later.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func start(without leftOut: Set<ModuleIdentifier> = []) -> [LoadedModule] {
    HostStart(of: self).run(without: leftOut)
  }

  /// Takes stock, the first part of `start(without:)`, without loading any module.
  ///
  /// This counts the crashes of earlier starts, and installs newer releases that ship with the host. What was
  /// completely fetched, and not installed before the process ended, is verified and installed.
  @available(*, noasync, message: "use the async form")
  public func takeStock() { HostStart(of: self).takeStock() }

  /// Loads a module after the modules that it requires, and lets it register.
  ///
  /// A module that is loaded is returned as it is. Of a module without code, this is the release that is installed now.
  ///
  /// - Throws: `store.not-installed`; why the module is refused, or could not be loaded: `policy.…`, `signature.…`,
  ///   `store.damaged`, `module.crashed`, `elf.…`, `loader.…`, `host.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func load(_ module: ModuleIdentifier) throws(SignetError) -> LoadedModule {
    heldBack.withLock { $0.ask(for: module) }
    var round = LoadingRound(in: self)
    defer { round.end() }
    return try round.load(module)
  }

  /// Loads modules that were held back, on another thread.
  func loadHeldBackSoon() {
    guard heldBack.withLock(\.isWaiting) else { return }
    loading.begin { [weak self] in self?.loadHeldBack() }
  }

  /// Loads modules that were held back, as long as no code is on trial: one module, which is on trial then, and so on.
  func loadHeldBack() {
    while trial.current == .closed, let (modules, areTogether) = heldBack.withLock({ $0.next() }) {
      var round = LoadingRound(
        in: self, leftOut: heldBack.withLock(\.leftOut), suspectOrder: areTogether ? .together : .alone)
      // Failures are reported, as always.
      for module in modules { _ = try? round.load(module) }
      round.end()
    }
  }

  /// Takes stock, and loads the modules that a manifest names, in its order.
  ///
  /// An entry whose module is missing is reported and left out. The URIs of a refused module are given to no other
  /// module. A second call loads only what is not loaded yet.
  ///
  /// - Parameters:
  ///   - manifest: the host's manifest.
  ///   - base: what the manifest's URIs are relative to.
  ///   - leftOut: modules that are not loaded, as in `start(without:)`.
  /// - Returns: the entries whose modules are loaded, and those of the host itself, in the order of the manifest.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func start(
    _ manifest: HostManifest, base: String = "ui://", without leftOut: Set<ModuleIdentifier> = []
  ) -> [ResolvedEntry] {
    HostStart(of: self).run(manifest, base: base, without: leftOut)
  }

  /// Reads the host's manifest: the fetched one, or else the one that ships with the host.
  ///
  /// The latter is read if the fetched one is missing, or refused for any reason. Both are signed, and the statement is
  /// beside each (`bundle.json.sigstore.json`). A fetched manifest is never older than the last one that was used, nor
  /// than the one that ships with the host. After an update of the host, its own is the newer one. A refusal is
  /// reported as an event, and so is a missing fetched manifest if one was used before.
  ///
  /// - Parameters:
  ///   - user: the path of the fetched manifest.
  ///   - embedded: the path of the manifest that ships with the host.
  /// - Throws: `host.identifier` if the host has no identifier; if both manifests are refused, why the second one is:
  ///   `file.missing`, `manifest.…`, `signature.…`, `signer.…`, `policy.…` and so on.
  @available(*, noasync, message: "use the async form")
  public func manifest(user: String?, embedded: String) throws(SignetError) -> HostManifest {
    try ManifestReading(
      policy: policy, store: store, configuration: configuration, trial: trial, refused: refused
    ).read(user: user, embedded: embedded)
  }

  /// Fetches a release of a module, verifies it and installs it, as `install(_:signature:module:)` does.
  ///
  /// Callers that ask for an item that is being fetched share its transfer. A cancelled task stops waiting. When no
  /// caller waits any longer, the transfer ends. The next one continues with what is there of the archive.
  ///
  /// - Returns: the module's identifier and its sequence.
  /// - Throws: `fetch.…`; `digest.mismatch` if it is not what the item says; `module.crashed` if that release was set
  ///   aside; and what `install(_:signature:module:)` throws.
  @discardableResult
  public func download(
    _ item: DownloadItem
  ) async throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try await downloads.run(item, work(for: item)).get()
  }

  /// Marks the host as healthy: later crashes are not attributed to what it has loaded.
  ///
  /// Without this call, that happens a few seconds after the last load (``Configuration/trial``). A release that is
  /// loaded alone, because it may have crashed the process before, stays on trial for that time. Modules that are held
  /// back wait for it.
  @available(*, noasync, message: "use the async form")
  public func markHealthy() { trial.pass() }

  /// Says that this process is about to end in order, no matter which code calls exit(3).
  ///
  /// While modules are on trial, the end of the process counts as a crash, unless the program itself calls `exit` or
  /// returns from `main`. Call this before a library ends the process for the program, or a signal whose handler is
  /// `exit`, or a thread whose function is. It may be called at any time and on any thread, but not in a signal's
  /// handler. What is being loaded at that time has still crashed the process if it does not return.
  public static func willExit() { ProcessEnd.announce() }

  /// Forgets the crashes of releases that were set aside or are held back. Code is loaded at the next `load(_:)` or
  /// start.
  ///
  /// - Returns: the sequences of the releases that were changed.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func retry(_ module: ModuleIdentifier) throws(SignetError) -> [Int] {
    try store.retry(module)
  }

  /// Forgets the latest time that the store has seen, after a clock that was far ahead has been corrected.
  ///
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @available(*, noasync, message: "use the async form")
  public func resetLatestTime() throws(SignetError) { try store.resetLatestTime() }

  /// The events from now on, as a stream of its own for each caller.
  public var events: AsyncStream<HostEvent> { records.events() }

  /// Calls a handler for each event, on the thread of the event, which waits for the handler. So a log misses
  /// nothing.
  ///
  /// The handler may only ask the host for what it knows, such as ``status(of:)`` and ``reason(of:)``. There is one
  /// handler; nil removes it.
  public func onEvent(_ handler: (@Sendable (HostEvent) -> Void)?) { records.onEvent(handler) }

  /// The status of a module.
  public func status(of module: ModuleIdentifier) -> ModuleStatus { records.status(of: module) }

  /// How far the download of a module is: the number of bytes that are there, and of how many if that is known.
  ///
  /// - Returns: nil if nothing of the module is being downloaded.
  public func progress(of module: ModuleIdentifier) -> (received: Int, whole: Int?)? { records.progress(of: module) }

  /// Why a module is refused or could not be loaded; nil for any other module.
  public func reason(of module: ModuleIdentifier) -> SignetError? { records.reason(of: module) }

  /// All modules of which something is known, with their statuses.
  public var modules: [ModuleIdentifier: ModuleStatus] { records.modules }

  /// The refusals and failures, the oldest first. The host keeps the latest 1,000, and the beginning of very long
  /// texts.
  public var refusals: [RefusedModule] { records.history }

  /// The module in use with this identifier; nil if it is not loaded.
  public func loaded(_ module: ModuleIdentifier) -> LoadedModule? { records.loaded(module) }

  /// The libraries of modules in this process, for crash reporters.
  public var images: [LoadedImage] { loader.images }

  /// Opens a URL, as `Router` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.router.open(url, userInfo: userInfo, limit: limit)
  }

  /// Removes all registrations of a module, so that nothing can call it. The code of the module stays in the process
  /// until the process ends, and is not entered again.
  ///
  /// - Returns: false if it was not loaded.
  @discardableResult public func unregister(_ module: ModuleIdentifier) -> Bool {
    guard records.end(module) else { return false }
    records.note(module, .installed)
    switchboard.removeAll(ownedBy: .module("\(module)"))
    return true
  }
}
