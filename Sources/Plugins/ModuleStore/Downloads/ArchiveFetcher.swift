package import SignetBase

/// A fetcher of archives for a host.
///
/// It is bounded, and writes files of which nothing is trusted until they were verified. `ModuleFetch` makes one that
/// fetches over http and https: `ArchiveFetcher.http()`.
public struct ArchiveFetcher: Sendable {
  /// The limits on how much is fetched, and on how long that may take.
  public var limits = Limits()
  /// A PEM file with the certificates of the authorities that identify servers; nil for the system's authorities. Only
  /// this user and root may be able to write it.
  public var authorities: String?
  /// The URL of a proxy; nil for none. Proxies that the environment names do not count.
  public var proxy: String?

  /// Fetches the missing part of an item, as far as it arrives in this turn. It throws `fetch.…`, `store.write-failed`
  /// and `file.…`.
  package typealias Turn =
    @Sendable (
      ArchiveFetcher, DownloadNote, DownloadFolder, FetchSignal, FetchProgress
    ) throws(SignetError) -> TransferEnd
  private let turn: Turn

  /// Makes a fetcher with the default limits, the system's authorities and no proxy.
  package init(_ turn: @escaping Turn) { self.turn = turn }

  /// Fetches the missing part of an item, as far as it arrives in this turn.
  ///
  /// - Throws: `fetch.…`, `store.write-failed`, `file.…`.
  package func fetch(
    _ note: DownloadNote, in folder: DownloadFolder, _ signal: FetchSignal, progress: FetchProgress
  ) throws(SignetError) -> TransferEnd {
    try turn(self, note, folder, signal, progress)
  }

  /// The limits on how much is fetched, and on how long that may take.
  public struct Limits: Hashable, Sendable {
    /// The maximum size of an archive in bytes: 1 GiB, the largest file that Signet's own limits are made for.
    ///
    /// A module is code and its resources, not a data set.
    public var bytes = 1 << 30
    /// The maximum size of a file of bundles in bytes: one bundle of the maximum size (12 MiB), or sixteen of a large
    /// module.
    public var signatureBytes = 16 << 20
    /// The maximum size of an answer's header in bytes. Apache's own limit is 100 fields of 8 KiB; file servers send
    /// less than one.
    public var headerBytes = 64 << 10
    /// The maximum number of redirects that one request follows: as many as RFC 2068, section 10.3 recommends.
    public var redirects = 5
    /// The maximum time until there is a connection, including TLS, in seconds; with 0 it is libcurl's default, 300.
    ///
    /// This is time for the first five tries of TCP, at 0, 1, 3, 7 and 15 seconds (RFC 6298, section 5).
    public var connectSeconds = 30
    /// The maximum time for which a transfer may be slower than ``leastSpeed``, in seconds; with 0 it is
    /// ``totalSeconds``.
    ///
    /// It is as long as a connection may take, so that a transfer survives a short loss of the network.
    public var stalledSeconds = 30
    /// The speed, in bytes per second, below which a transfer counts as stalled.
    ///
    /// It is half of what the slowest link of a phone transfers (GPRS, 16 kbit/s and more).
    public var leastSpeed = 1000
    /// The maximum time for everything together, including waits and retries, in seconds.
    ///
    /// In this hour the largest archive arrives at 300 KB a second.
    public var totalSeconds = 3600
    /// The maximum number of times that a failed transfer is retried.
    ///
    /// With ``firstDelay`` and ``longestDelay`` that takes half a minute, in which servers restart.
    public var retries = 5
    /// The maximum delay before the first retry, in milliseconds. It doubles with each retry (RFC 2988, section 5.5).
    ///
    /// A random part of each delay, up to half of it, is left out, so that many hosts do not come back at once (AWS's
    /// "equal jitter").
    public var firstDelay = 1000
    /// The maximum delay between two tries in milliseconds, if the server asks for none.
    public var longestDelay = 30_000
    /// The maximum delay in seconds that a server may ask for (Retry-After). A server that asks for more is not asked
    /// again.
    public var retryAfterSeconds = 60

    /// The time, in seconds, after which a transfer that is slower than ``fairSpeed`` gives its place to another that
    /// waits.
    ///
    /// It is as long as a transfer may be stalled. The transfer goes on later, after the others. One that has to
    /// begin again each time gets twice as long the next time, up to sixteen times as long.
    public var turnSeconds = 30
    /// The speed, in bytes per second, below which a transfer gives its place to another that waits.
    ///
    /// It is a fifth of what the largest archive needs to arrive within ``totalSeconds``. Six slower transfers
    /// together are slower than one file server alone.
    public var fairSpeed = 64 << 10
    /// The maximum number of transfers from one server (scheme, host and port) at once.
    ///
    /// A host runs six transfers at once, so two places are left for other servers.
    public var perOrigin = 4
    /// The maximum number of modules whose downloads a store keeps, without those that are being fetched now.
    ///
    /// It is more than an interface has waiting. Partial downloads are removed first, from the oldest on.
    public var keptDownloads = 32
    /// The maximum number of bytes of downloads that a store keeps, without those that are being fetched now: four
    /// archives of the maximum size.
    public var keptBytes = 4 << 30

    /// Creates the default limits.
    public init() {}
  }
}

/// The end of a transfer's turn, if it does not fail.
package enum TransferEnd: Sendable {
  /// All bytes are there.
  case whole
  /// The transfer goes on later, after at least this many milliseconds.
  case later(milliseconds: Int)
}
