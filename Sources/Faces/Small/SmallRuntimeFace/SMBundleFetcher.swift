internal import ModuleStore
public import PluginHost
internal import Signet
public import SignetBase

/// The fetcher of bundles.
///
/// What was fetched is verified and installed. Code takes effect at the next start, and resources when the bundle is
/// upgraded or loaded the next time.
public struct SMBundleFetcher: Sendable {
  private let host: PluginHost

  /// Makes a fetcher for a host. The host's configuration needs a fetcher of archives.
  public init(_ host: PluginHost) { self.host = host }

  /// Fetches the archive of a bundle, whose bundles of signatures are in it.
  ///
  /// - Parameters:
  ///   - name: the name of the package, which is the module's identifier.
  ///   - url: where the archive is.
  ///   - received: receives the number of bytes that are there, and of how many if that is known.
  /// - Returns: the sequence of the release.
  /// - Throws: `fetch.…`, and why the archive is refused. Nothing of it is left then.
  @discardableResult public func fetchBundle(
    ofName name: String, withURL url: String,
    received: @escaping @Sendable (_ receivedBytes: Int, _ totalBytes: Int?) -> Void = { _, _ in }
  ) async throws(SignetError) -> Int {
    guard let module = ModuleIdentifier(name) else {
      throw SignetError(
        .fetchItem, name, "is not a valid module identifier",
        expected: "an identifier such as com.example.app.main", hint: "correct the URLs of upgrades")
    }
    let item = try DownloadItem(anyReleaseOf: module, url: url)
    do throws(SignetError) { return try await host.download(item, progress: received).sequence } catch {
      // Another transfer of the module keeps what it has.
      if error.code != .fetchBusy { try? host.discardDownload(of: module) }
      throw error
    }
  }
}

/// The outcome of a background fetch.
public enum SMFetchResult: Sendable {
  /// At least one bundle was fetched.
  case newData
  /// There was nothing to fetch.
  case noData
  /// A bundle could not be fetched: its name, and why. Its URL and those behind it stay.
  case failed(String, SignetError)
}

/// When bundles are upgraded.
public struct SMBundleUpgradeMode: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// When the host is set up.
  public static let setup = SMBundleUpgradeMode(rawValue: 1)
  /// In a background fetch.
  public static let background = SMBundleUpgradeMode(rawValue: 2)
}

extension Small {
  /// When bundles are upgraded. At first: always.
  public var bundleUpgradeMode: SMBundleUpgradeMode {
    get { state.withLock { $0.mode } }
    set { state.withLock { $0.mode = newValue } }
  }

  /// The URLs of upgrades by the names of their packages.
  ///
  /// - Returns: nil if there are no URLs, bundles are not upgraded in this mode, or the URLs cannot be read, which the
  ///   host is told.
  public func bundleUpgradeUrls(for mode: SMBundleUpgradeMode) -> [String: String]? {
    guard !mode.isDisjoint(with: bundleUpgradeMode) else { return nil }
    do throws(SignetError) { return try defaults.upgradeUrls } catch {
      host.tell(error)
      return nil
    }
  }

  /// Keeps the URLs of upgrades, also for later starts; nil removes them.
  ///
  /// - Throws: `json.bounds` for more than 4,000 URLs, or more than 10 MiB of them; `file.…`, `output.failed`,
  ///   `output.not-synced`. Then those that were kept stay.
  public func setBundleUpgradeUrls(_ urls: [String: String]?) throws(SignetError) {
    try defaults.setUpgradeUrls(urls)
  }

  /// Fetches the bundles whose URLs are kept, one after the other, in the order of their names. A URL that is done is
  /// removed.
  public func performFetch() async -> SMFetchResult {
    let fetcher = SMBundleFetcher(host)
    let urls = (bundleUpgradeUrls(for: .background) ?? [:]).sorted { $0.key < $1.key }
    for (name, url) in urls {
      do throws(SignetError) {
        try await fetcher.fetchBundle(ofName: name, withURL: url)
        try defaults.removeUpgradeUrl(url, of: name)
      } catch { return .failed(name, error) }
    }
    return urls.isEmpty ? .noData : .newData
  }

  /// The same with a completion, which is called once, on the main actor.
  public func performFetch(completionHandler: @escaping @MainActor @Sendable (SMFetchResult) -> Void) {
    Task { await completionHandler(await self.performFetch()) }
  }
}
