public import ModuleStore
public import PluginKit
public import Signet
public import SignetArchive
public import SignetBase
internal import SignetSystem

/// A program that takes modules in: it verifies, installs and loads them, refuses every other, and reaches what they offer by one
/// switchboard.
///
/// ```swift
/// let host = try PluginHost(policy: policy, store: "modules")
/// await host.start()
/// try await host.install("player.zip")
/// try await host.load("com.example.player")
/// let page = try await host.open("ui://player/7")
/// ```
///
/// Nothing that the store says is believed: at each start what is installed is verified under the policy as of then. A host has one
/// process; several may share a store. Safe from any thread.
public final class PluginHost: Sendable {
  /// What can be chosen.
  public struct Configuration: Sendable {
    /// Which host this is: whose manifest is taken.
    public var identifier: ModuleIdentifier?
    /// The version that modules may ask for; nil refuses modules that ask for any.
    public var version: SemanticVersion?
    /// A directory with archives that ship with the host, each with its signature in it or beside it.
    public var embedded: String?
    /// Libraries that modules may need and that the host opens for them: DT_SONAME and absolute path of each.
    public var hostLibraries: [String: String] = [:]
    /// How much an archive may hold.
    public var limits = ArchiveLimits()
    /// How archives are fetched; nil for a host that does not fetch. `ModuleFetch` has one: `.http()`.
    public var fetcher: ArchiveFetcher?
    /// Where the time comes from.
    public var clock = VerificationClock.system
    /// For how long after the last load a crash of the process is attributed to what was loaded, unless ``PluginHost/markHealthy()`` ends that
    /// before.
    public var trial = Duration.seconds(5)
    /// After how long the host is told of a module that does not come back from being loaded.
    public var loadingPatience = Duration.seconds(10)
    /// By which clock a transfer is too slow for its place.
    package var turnClock: @Sendable () -> ContinuousClock.Instant = { .now }

    /// A configuration with nothing but the defaults.
    public init() {}
  }

  /// Whom the host trusts.
  public let policy: TrustPolicy
  /// How host and modules reach each other.
  public let switchboard: Switchboard

  let store: ModuleStore
  let configuration: Configuration
  let records = HostRecords()
  let trial: HostTrial
  /// What waits until no code is on trial.
  let heldBack = Monitor(HeldBackModules())
  let refused: RefusedModules
  /// What ships with the host.
  let embedded: EmbeddedModules
  let installation: ModuleInstallation
  let downloads: Downloads
  let fetched: FetchedModules
  let loader: ModuleLoader
  /// One module is loaded at a time.
  let turn = LoadingTurn()
  let watch: LoadingWatch
  private let hold: StoreHold
  /// For tasks: one module is loaded at a time, and what is installed meanwhile does not wait for that.
  let loading = BlockingWork(width: 1)
  let installing = BlockingWork(width: PluginHost.installWidth)
  /// What is decided by hand waits for no installation, which may take minutes.
  let deciding = BlockingWork(width: 1)
  /// That the host is well is noted at once: a crash meanwhile would be attributed to what it has loaded.
  let marking = BlockingWork(width: 1)

  /// Makes a host. Nothing is loaded yet.
  ///
  /// Make it before anything is loaded that the program was not linked with: modules may need only what was there by then.
  ///
  /// - Parameters:
  ///   - policy: whom it trusts.
  ///   - store: the directory of installed modules, made where there is none.
  ///   - switchboard: where modules register.
  /// - Throws: `store.…`, `file.others-may-write`, `file.not-directory`; `host.pluginkit-not-shared` when this program has two copies
  ///   of PluginKit.
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
    var opened = try ModuleStore(creating: store, policy: policy, clock: configuration.clock)
    opened.patience = Self.patience
    self.store = opened
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

  /// Milliseconds for which a host waits for others who change the store: what it has to write can be written later.
  private static let patience = 2_000

  /// Verifies an archive and installs it. Code takes effect at the next start, where a release of the module is loaded; a module without code
  /// at the next ``load(_:)``.
  ///
  /// - Parameters:
  ///   - path: the archive, with its signature in it or beside it.
  ///   - signature: a file with bundles, where they stand elsewhere.
  ///   - module: the module it must be; nil for any that its signers may speak for.
  /// - Returns: which module it is, and its sequence.
  /// - Throws: why it is refused: `signature.…`, `policy.…`, `digest.…`, `archive.…`, `module.…`, `store.…`; what reading throws.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func install(
    _ path: String, signature: String? = nil, module: ModuleIdentifier? = nil
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try installation.install(
      .file(RegularFile(opening: path)), signature.map { .file($0) } ?? .beside(path), module, named: path)
  }

  /// Takes stock and loads every module that is installed: counts the crashes of the starts before, installs what ships with the host and is newer,
  /// and loads each module that is accepted. What is refused is told, its URLs are refused, and everything else goes on.
  ///
  /// A module's code runs in this process: when it crashes the host does, and while it does not return from being loaded the start
  /// does not end (``HostEvent/stalled(_:sequence:after:)``). What has crashed twice in a row is set aside.
  ///
  /// - Parameter leftOut: modules that are not loaded, for a start in which something is to be mended: their URLs are refused, and modules that
  ///   require them are, too [`host.left-out`]. ``takeStock()`` says which there are (``modules``).
  /// - Returns: the modules that are loaded, sorted by identifier. Modules that are held back [`host.held-back`] are loaded later.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func start(without leftOut: Set<ModuleIdentifier> = []) -> [LoadedModule] {
    HostStart(of: self).run(without: leftOut)
  }

  /// The first part of ``start()``: what is here, without loading any of it. What was fetched whole, and not installed before the
  /// process ended, is verified and installed.
  @available(*, noasync, message: "use the form that is awaited")
  public func takeStock() { HostStart(of: self).takeStock() }

  /// Loads a module, after those that it requires, and lets it register. One that is loaded is given as it is; of a module without
  /// code it is the release that is installed now.
  ///
  /// - Throws: `store.not-installed`; why it is refused, or could not be loaded: `policy.…`, `signature.…`, `store.damaged`, `elf.…`,
  ///   `loader.…`, `host.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func load(_ module: ModuleIdentifier) throws(SignetError) -> LoadedModule {
    heldBack.withLock { $0.ask(for: module) }
    var round = LoadingRound(in: self)
    defer { round.end() }
    return try round.load(module)
  }

  /// Loads what was held back, on another thread.
  func loadHeldBackSoon() {
    guard heldBack.withLock(\.isWaiting) else { return }
    loading.begin { [weak self] in self?.loadHeldBack() }
  }

  /// Loads what was held back, as long as no code is on trial: one module, which is then, and so on.
  func loadHeldBack() {
    while trial.current == .closed, let (modules, areTogether) = heldBack.withLock({ $0.next() }) {
      var round = LoadingRound(
        in: self, leftOut: heldBack.withLock(\.leftOut), suspectOrder: areTogether ? .together : .alone)
      // What fails is told, as always.
      for module in modules { _ = try? round.load(module) }
      round.end()
    }
  }

  /// Takes stock, and loads what a manifest names, in its order. An entry whose module is nowhere is told and left out; the URIs of one that is
  /// refused are nobody else's. A second time it loads only what is not loaded yet.
  ///
  /// - Parameters:
  ///   - manifest: the host's manifest.
  ///   - base: what the manifest's URIs are relative to.
  ///   - leftOut: modules that are not loaded, as in ``start(without:)``.
  /// - Returns: the entries whose modules are loaded, and those of the host itself, in the order of the manifest.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func start(
    _ manifest: HostManifest, base: String = "ui://", without leftOut: Set<ModuleIdentifier> = []
  ) -> [ResolvedEntry] {
    HostStart(of: self).run(manifest, base: base, without: leftOut)
  }

  /// Reads the host's manifest: the one that was fetched, and where that is not there, or refused for whatever reason, the one that ships with the
  /// host.
  ///
  /// Both are signed; the statement stands beside each (`bundle.json.sigstore.json`). A fetched one is never older than the last that was used, nor than
  /// the one that ships with the host: after an update of the host its own is the newer one. What is refused is told as an event.
  ///
  /// - Parameters:
  ///   - user: the path of the one that was fetched.
  ///   - embedded: the path of the one that ships with the host.
  /// - Throws: why the second is refused, too: `file.missing`, `manifest.malformed`, `manifest.version`, `signature.…`, `policy.…`, `host.identifier`.
  @available(*, noasync, message: "use the form that is awaited")
  public func manifest(user: String?, embedded: String) throws(SignetError) -> HostManifest {
    try ManifestReading(
      policy: policy, store: store, configuration: configuration, trial: trial, refused: refused
    ).read(user: user, embedded: embedded)
  }

  /// Fetches a release of a module, verifies it and installs it, as ``install(_:signature:module:)`` does.
  ///
  /// Whoever asks for what is being fetched waits for the same transfer. A task that is cancelled waits no longer; when nobody waits
  /// any more the transfer ends, and the next one goes on with what is there of the archive.
  ///
  /// - Returns: which module it is, and its sequence.
  /// - Throws: `fetch.…`; `digest.mismatch` when it is not what the item says; why it is refused; `store.…`, `file.…`.
  @discardableResult
  public func download(
    _ item: DownloadItem
  ) async throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    guard let fetcher = configuration.fetcher else {
      throw SignetError(
        .fetchUnavailable, item.source.shown, "cannot be downloaded: the host has no fetcher",
        expected: "Configuration.fetcher", hint: "import ModuleFetch and give the host ArchiveFetcher.http()")
    }
    return try await downloads.run(item, fetched.work(for: item, by: fetcher)).get()
  }

  /// The host is well with what it has loaded: a crash from now on is not attributed to that. Without this call it is so a few seconds after the last
  /// load (``Configuration/trial``). A release that is loaded alone, because it may have crashed the process before, stays on trial for that
  /// time, and what is held back waits for it.
  @available(*, noasync, message: "use the form that is awaited")
  public func markHealthy() { trial.pass() }

  /// Forgets the crashes of releases that were set aside or are held back; code is loaded with the next ``load(_:)`` or start.
  ///
  /// - Returns: the sequences of those that it has changed.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, and what reading the store's state throws.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func retry(_ module: ModuleIdentifier) throws(SignetError) -> [Int] {
    try store.retry(module)
  }

  /// Forgets the latest time that the store has seen, after a clock that was far ahead has been set right.
  ///
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, and what reading the store's state throws.
  @available(*, noasync, message: "use the form that is awaited")
  public func resetLatestTime() throws(SignetError) { try store.resetLatestTime() }

  /// What happens from now on, for whoever asks: each gets all of it.
  public var events: AsyncStream<HostEvent> { records.events() }

  /// Calls this for what happens, on the thread where it does and before that goes on: a log misses nothing. It must not call the host
  /// for anything but what it knows. There is one; nil takes it away.
  public func onEvent(_ handler: (@Sendable (HostEvent) -> Void)?) { records.onEvent(handler) }

  /// How far a module is.
  public func status(of module: ModuleIdentifier) -> ModuleStatus { records.status(of: module) }

  /// Why a module is refused, or could not be loaded; nil for any other.
  public func reason(of module: ModuleIdentifier) -> SignetError? { records.reason(of: module) }

  /// All modules that something is known of.
  public var modules: [ModuleIdentifier: ModuleStatus] { records.modules }

  /// What was refused, the oldest first; of very many the latest. Of very long texts there is the beginning.
  public var refusals: [RefusedModule] { records.history }

  /// A module that is loaded; nil for any other.
  public func loaded(_ module: ModuleIdentifier) -> LoadedModule? { records.loaded(module) }

  /// The libraries of modules in this process, for crash reporters.
  public var images: [LoadedImage] { loader.images }

  /// Opens a URL, as ``Router`` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.router.open(url, userInfo: userInfo, limit: limit)
  }

  /// Takes away all that a module has registered: nobody reaches it any more. Its code stays in the process until that ends, and
  /// is not entered again.
  ///
  /// - Returns: false when it was not loaded.
  @discardableResult public func unregister(_ module: ModuleIdentifier) -> Bool {
    guard records.end(module) else { return false }
    records.note(module, .installed)
    switchboard.removeAll(ownedBy: .module("\(module)"))
    return true
  }
}
