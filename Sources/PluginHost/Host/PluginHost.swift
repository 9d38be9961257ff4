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
  let downloads: Downloads
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
    trial = HostTrial(opened, records)
    trial.whenClosed { [weak self] in self?.loadHeldBackSoon() }
  }

  /// Milliseconds for which a host waits for others who change the store: what it has to write can be written later.
  private static let patience = 2_000

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
