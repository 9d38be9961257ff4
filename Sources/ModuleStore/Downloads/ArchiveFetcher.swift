package import SignetBase

/// How a host fetches archives: bounded, into files of which nothing is believed until they were verified.
///
/// `ModuleFetch` makes one that fetches over http and https: `ArchiveFetcher.http()`.
public struct ArchiveFetcher: Sendable {
  /// How much is fetched, and how long that may take.
  public var limits = Limits()
  /// A file with the certificates of the authorities that servers are known by, in PEM; nil for those of the system. Only
  /// this user and root may be able to write it.
  public var authorities: String?
  /// A proxy's URL. What the environment says of proxies does not count.
  public var proxy: String?

  /// Fetches what is not there of an item, as far as it comes in this turn. It throws `fetch.…`, `store.write-failed` and
  /// `file.…`.
  package typealias Turn =
    @Sendable (
      ArchiveFetcher, DownloadNote, DownloadFolder, FetchSignal, FetchProgress
    ) throws(SignetError) -> TransferEnd
  private let turn: Turn

  /// A fetcher with the limits that hold unless others are asked for, the system's authorities and no proxy.
  package init(_ turn: @escaping Turn) { self.turn = turn }

  /// Fetches what is not there of an item, as far as it comes in this turn.
  ///
  /// - Throws: `fetch.…`, `store.write-failed`, `file.…`.
  package func fetch(
    _ note: DownloadNote, in folder: DownloadFolder, _ signal: FetchSignal, progress: FetchProgress
  ) throws(SignetError) -> TransferEnd {
    try turn(self, note, folder, signal, progress)
  }

  /// How much is fetched, and how long that may take.
  public struct Limits: Hashable, Sendable {
    /// Bytes of an archive at most: 1 GiB, the largest file that Signet's own budgets are made for. A module is code and its
    /// resources, not a data set.
    public var bytes = 1 << 30
    /// Bytes of a file of bundles at most: one of the greatest size (12 MiB), or sixteen of a large module.
    public var signatureBytes = 16 << 20
    /// Bytes of an answer's header at most. Apache's own bound is 100 fields of 8 KiB; servers of files send less than one.
    public var headerBytes = 64 << 10
    /// Other places that one request may be sent to, one after the other: as many as RFC 2068, section 10.3 recommends.
    public var redirects = 5
    /// Seconds until there is a connection, TLS included: time for the first five tries of TCP, at 0, 1, 3, 7 and 15 seconds
    /// (RFC 6298, section 5). With 0 it is what libcurl has, 300.
    public var connectSeconds = 30
    /// Seconds that a transfer may be slower than ``leastSpeed``: as long as it may take to connect, so that a network that is
    /// away for a moment is waited for. With 0 it may be that for as long as everything may take.
    public var stalledSeconds = 30
    /// Bytes a second: half of what the slowest link of a phone (GPRS, 16 kbit/s and more) brings.
    public var leastSpeed = 1000
    /// Seconds for everything together, waiting and trying again included: an hour, in which the largest archive comes at
    /// 300 KB a second.
    public var totalSeconds = 3600
    /// How often a transfer is tried again. With the waiting times below that is half a minute, in which servers start again.
    public var retries = 5
    /// Milliseconds before the first of them; each time twice as many, of which a random half is left out, so that many hosts do not
    /// come back at once (RFC 2988, section 5.5 doubles; AWS's "equal jitter").
    public var firstDelay = 1000
    /// Milliseconds between two tries at most, where the server asks for nothing.
    public var longestDelay = 30_000
    /// Seconds at most that a server may ask to be waited for (Retry-After). Whoever asks for more is not asked again.
    public var retryAfterSeconds = 60

    /// Seconds after which a transfer that is slower than ``fairSpeed`` gives its place to another that waits: as long as one may
    /// be stalled. It goes on later, behind those that wait; one that has to begin anew each time gets twice as long the next
    /// time, up to sixteen times.
    public var turnSeconds = 30
    /// Bytes a second: a fifth of what the largest archive needs to come within ``totalSeconds``. Six transfers that are slower bring less
    /// than one server of files alone.
    public var fairSpeed = 64 << 10
    /// Transfers from one server (scheme, host and port) at once at most: two of the six places are for others.
    public var perOrigin = 4
    /// Modules of which something is kept in a store's folder for downloads, those that are being fetched just now aside: more than an
    /// interface has waiting. The oldest go first.
    public var keptDownloads = 32
    /// Bytes that are kept in that folder, those that are being fetched just now aside: four archives of the greatest size.
    public var keptBytes = 4 << 30

    /// The limits that hold unless others are asked for.
    public init() {}
  }
}

/// How a transfer's turn ends, if it does not fail.
package enum TransferEnd: Sendable {
  /// All bytes are there.
  case whole
  /// It goes on later: so many milliseconds from now at the earliest.
  case later(milliseconds: Int)
}
