public import ModuleStore
public import PluginKit
public import Signet
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
  public typealias Configuration = HostConfiguration

  /// The trust policy of the host.
  public var policy: TrustPolicy { context.policy }
  /// The connection between the host and its modules.
  public var switchboard: Switchboard { context.switchboard }

  let context: HostContext
  let downloads: Downloads
  /// For tasks: an installation does not wait for a module that is loaded meanwhile.
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
    context = try HostContext(policy, store: store, switchboard, configuration)
    downloads = Downloads(
      perOrigin: (configuration.fetcher?.limits ?? .init()).perOrigin, turnClock: configuration.turnClock)
    context.trial.whenClosed { [weak context] in context?.loadHeldBackSoon() }
  }

  /// Verifies an archive and installs it.
  ///
  /// If a release of the module is loaded, code takes effect at the next start. A module without code takes effect at
  /// the next `load(_:)`.
  ///
  /// - Parameters:
  ///   - path: the archive, with its signature in it or beside it.
  ///   - signature: a file with bundles, if they are elsewhere.
  ///   - module: the module it must be; nil for any module that its signers are trusted for.
  ///   - exceptions: what lets the release be signed with less than the one before it. That it was let through is told as a
  ///     notice.
  /// - Returns: the module's identifier and its sequence.
  /// - Throws: the reasons of the `Refusal` if the archive is refused: `signature.…`, `signer.…`,
  ///   `policy.…`, `digest.…`, `archive.…`, `module.…` and so on; `store.…`, `extraction.failed`, `crypto.failure`,
  ///   `file.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func install(
    _ path: String, signature: String? = nil, module: ModuleIdentifier? = nil,
    except exceptions: ContinuityExceptions = ContinuityExceptions()
  ) throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    try ModuleInstallation(context, except: exceptions).install(
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
    HostStart(of: context).run(without: leftOut)
  }

  /// Takes stock, the first part of `start(without:)`, without loading any module.
  ///
  /// This counts the crashes of earlier starts, and installs newer releases that ship with the host. What was
  /// completely fetched, and not installed before the process ended, is verified and installed.
  @available(*, noasync, message: "use the async form")
  public func takeStock() { HostStart(of: context).takeStock() }

  /// Loads a module after the modules that it requires, and lets it register.
  ///
  /// A module that is loaded is returned as it is. Of a module without code, this is the release that is installed now.
  ///
  /// - Throws: `store.not-installed`; why the module is refused, or could not be loaded: `policy.…`, `signature.…`,
  ///   `store.damaged`, `module.crashed`, `elf.…`, `loader.…`, `host.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func load(_ module: ModuleIdentifier) throws(SignetError) -> LoadedModule {
    context.heldBack.withLock { $0.ask(for: module) }
    var round = LoadingRound(in: context)
    defer { round.end() }
    return try round.load(module)
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
    HostStart(of: context).run(manifest, base: base, without: leftOut)
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
    try ManifestReading(context).read(user: user, embedded: embedded)
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
  /// Without this call, that happens a few seconds after the last load (``HostConfiguration/trial``). A release that is
  /// loaded alone, because it may have crashed the process before, stays on trial for that time. Modules that are held
  /// back wait for it.
  @available(*, noasync, message: "use the async form")
  public func markHealthy() { context.trial.pass() }

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
    try context.store.retry(module)
  }

  /// Forgets the latest time that the store has seen, after a clock that was far ahead has been corrected.
  ///
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @available(*, noasync, message: "use the async form")
  public func resetLatestTime() throws(SignetError) { try context.store.resetLatestTime() }

  /// The events from now on, as a stream of its own for each caller.
  public var events: AsyncStream<HostEvent> { context.records.events() }

  /// Calls a handler for each event, on the thread of the event, which waits for the handler. So a log misses
  /// nothing.
  ///
  /// The handler may only ask the host for what it knows, such as ``status(of:)`` and ``reason(of:)``. There is one
  /// handler; nil removes it.
  public func onEvent(_ handler: (@Sendable (HostEvent) -> Void)?) { context.records.onEvent(handler) }

  /// The status of a module.
  public func status(of module: ModuleIdentifier) -> ModuleStatus { context.records.status(of: module) }

  /// How far the download of a module is: the number of bytes that are there, and of how many if that is known.
  ///
  /// - Returns: nil if nothing of the module is being downloaded.
  public func progress(of module: ModuleIdentifier) -> (received: Int, whole: Int?)? {
    context.records.progress(of: module)
  }

  /// Why a module is refused or could not be loaded; nil for any other module.
  public func reason(of module: ModuleIdentifier) -> SignetError? { context.records.reason(of: module) }

  /// All modules of which something is known, with their statuses.
  public var modules: [ModuleIdentifier: ModuleStatus] { context.records.modules }

  /// The refusals and failures, the oldest first. The host keeps the latest 1,000, and the beginning of very long
  /// texts.
  public var refusals: [RefusedModule] { context.records.history }

  /// The module in use with this identifier; nil if it is not loaded.
  public func loaded(_ module: ModuleIdentifier) -> LoadedModule? { context.records.loaded(module) }

  /// The libraries of modules in this process, for crash reporters.
  public var images: [LoadedImage] { context.loader.images }

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
    guard context.records.end(module) else { return false }
    context.records.note(module, .installed)
    switchboard.removeAll(ownedBy: .module("\(module)"))
    return true
  }
}

extension PluginHost {
  /// Tells of a problem that stops nothing.
  package func tell(_ notice: SignetError) { context.records.tell(.notice(notice)) }

  /// Whether the host was started with a manifest, and not with another one since then.
  ///
  /// - Parameters: as those of `start(_:base:without:)`.
  package func isInUse(_ manifest: HostManifest, base: String) -> Bool {
    context.records.named.isOf(manifest, base: base)
  }

  /// Whether the last accepted release of a module declares a route for exactly these URLs.
  package func declares(_ pattern: RoutePattern, _ module: ModuleIdentifier) -> Bool {
    context.store.lastAccepted(module)?.routes.contains { (try? switchboard.router.pattern($0)) == pattern } ?? false
  }
}
