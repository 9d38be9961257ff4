public import ModuleStore
public import Signet
internal import SignetAddresses
public import SignetBase
internal import SignetSystem

extension PluginHost {
  /// Begins to fetch a release of a module, and to verify and install it, without waiting for any of that.
  ///
  /// The statuses and the progress are told as events, and so is a refusal. `download(_:)` of the same item joins the
  /// transfer, and keeps it going on its own.
  ///
  /// - Returns: false if a transfer of the module is under way already. Then nothing changes.
  /// - Throws: `fetch.unavailable` if the host has no fetcher; `module.crashed` if that release was set aside.
  @discardableResult public func startDownload(_ item: DownloadItem) throws(SignetError) -> Bool {
    if let sequence = item.sequence { try context.store.checkSetAside(item.identifier, sequence) }
    return downloads.begin(item, try work(for: item)) { [context] outcome in
      // Other failures were told where they happened: as a notice, or as a refusal.
      if case .failure(let error) = outcome, error.code == .fetchUnavailable { context.records.tell(.notice(error)) }
    }
  }

  /// Fetches a release of a module as `download(_:)` does, and tells how that goes.
  ///
  /// - Parameters:
  ///   - item: the release.
  ///   - progress: receives the number of bytes that are there, and of how many if that is known, on the thread of the
  ///     transfer. The number falls if the transfer begins again.
  /// - Returns: the module's identifier and its sequence.
  /// - Throws: as `download(_:)`.
  @discardableResult public func download(
    _ item: DownloadItem, progress: @escaping @Sendable (_ received: Int, _ whole: Int?) -> Void
  ) async throws(SignetError) -> (module: ModuleIdentifier, sequence: Int) {
    let work = try work(for: item)
    return try await context.records.hearing(of: item.identifier, progress) { await downloads.run(item, work) }.get()
  }

  /// Removes what is there of a module's archive that was not completely fetched, or not installed.
  ///
  /// The next transfer begins anew.
  ///
  /// - Throws: `fetch.busy` while it is being fetched; `store.write-failed`, `file.…`.
  public func discardDownload(of module: ModuleIdentifier) throws(SignetError) {
    guard let downloads = try context.store.downloads(makes: false) else { return }
    try DownloadFolder(of: module, in: downloads).remove()
  }

  /// Removes the releases of all modules that do not ship with the host, and what is there of archives, as an
  /// application does whose new version brings its own modules.
  ///
  /// Floors stay: nothing older than what was loaded once is loaded. A release that is in use stays so until the
  /// program ends.
  ///
  /// - Returns: the modules of which a release was removed, sorted.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func removeFetched() throws(SignetError) -> [ModuleIdentifier] {
    context.embedded.know()
    if let downloads = try context.store.downloads(makes: false), let names = try? downloads.entryNames() {
      // What is being fetched now is its caller's.
      for name in names {
        guard let module = ModuleIdentifier(name) else { continue }
        try? DownloadFolder(of: module, in: downloads, patience: 0).remove()
      }
    }
    let removed = try context.store.removeAll(except: context.records.embedded)
    for module in removed where context.store.lastAccepted(module) == nil {
      context.records.note(module, .none, from: [.installed, .refused, .loadFailed])
    }
    return removed
  }

  /// The same for tasks, which keep no thread while they wait.
  @discardableResult public func removeFetched() async throws(SignetError) -> [ModuleIdentifier] {
    try await context.loading.run { () throws(SignetError) in try self.removeFetched() }
  }

  func work(for item: DownloadItem) throws(SignetError) -> Downloads.Work {
    guard let fetcher = context.configuration.fetcher else {
      throw SignetError(
        .fetchUnavailable, item.source.shown, "cannot be downloaded: the host has no fetcher",
        expected: "Configuration.fetcher", hint: "import ModuleFetch and give the host ArchiveFetcher.http()")
    }
    return FetchedModules(context).work(for: item, by: fetcher)
  }

  /// Whether the installed release of a module is the one that ships with the host.
  ///
  /// What ships with the host is known once the host has taken stock, or has loaded a module.
  public func isEmbedded(_ module: ModuleIdentifier) -> Bool {
    guard let embedded = context.records.embedded(module) else { return false }
    return context.store.lastAccepted(module)?.sequence == embedded.sequence
  }
}
