public import ModuleStore
public import Signet
public import SignetBase

extension PluginHost {
  /// Begins to fetch a release of a module, and to verify and install it, without waiting for any of that.
  ///
  /// The statuses and the progress are told as events, and so is a refusal. `download(_:)` of the same item joins the
  /// transfer, and keeps it going on its own.
  ///
  /// - Returns: false if a transfer of the module is under way already. Then nothing changes.
  /// - Throws: `fetch.unavailable` if the host has no fetcher; `module.crashed` if that release was set aside.
  @discardableResult public func startDownload(_ item: DownloadItem) throws(SignetError) -> Bool {
    if let sequence = item.sequence { try store.checkSetAside(item.identifier, sequence) }
    return downloads.begin(item, try work(for: item)) { [records] outcome in
      // Other failures were told where they happened: as a notice, or as a refusal.
      if case .failure(let error) = outcome, error.code == .fetchUnavailable { records.tell(.notice(error)) }
    }
  }

  func work(for item: DownloadItem) throws(SignetError) -> Downloads.Work {
    guard let fetcher = configuration.fetcher else {
      throw SignetError(
        .fetchUnavailable, item.source.shown, "cannot be downloaded: the host has no fetcher",
        expected: "Configuration.fetcher", hint: "import ModuleFetch and give the host ArchiveFetcher.http()")
    }
    return fetched.work(for: item, by: fetcher, holding: self)
  }

  /// Whether the installed release of a module is the one that ships with the host.
  ///
  /// What ships with the host is known once the host has taken stock, or has loaded a module.
  public func isEmbedded(_ module: ModuleIdentifier) -> Bool {
    guard let embedded = records.embedded(module) else { return false }
    return store.lastAccepted(module)?.sequence == embedded.sequence
  }
}
