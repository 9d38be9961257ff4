public import SignetBase
internal import SignetProcesses
internal import SignetSystem

/// What a server has at an address.
public enum HTTPAnswer: Hashable, Sendable {
  /// The bytes of the file.
  case bytes([UInt8])
  /// The server has no such file, or does not give it: status 403, 404 or 410.
  ///
  /// Stores of objects answer 403 for missing objects, if their users may not list them.
  case notFound(status: Int)
}

/// Fetches files over http and https, bounded in bytes and time.
///
/// It uses libcurl, which is loaded by the first fetch. Nothing of what arrives is trusted: the caller verifies it.
/// There are no cookies, no passwords, no proxies from the environment and no other protocols. Threads that share a
/// client wait for each other.
public final class HTTPClient: Sendable {
  /// The limits on how long a file may take, and on what comes beside its bytes.
  public struct Limits: Hashable, Sendable {
    /// The maximum size of an answer's header in bytes. Apache's own limit is 100 fields of 8 KiB; file servers send
    /// less than one.
    public var headerBytes = 64 << 10
    /// The maximum number of redirects that one request follows: as many as RFC 2068, section 10.3 recommends.
    public var redirects = 5
    /// The maximum time until there is a connection, including TLS, in seconds.
    ///
    /// This is time for the first four tries of TCP, at 0, 1, 3 and 7 seconds (RFC 6298, section 5). Another mirror
    /// may be waiting.
    public var connectSeconds = 15
    /// The maximum time for which a transfer may be slower than ``leastSpeed``, in seconds.
    public var stalledSeconds = 15
    /// The speed, in bytes per second, below which a transfer counts as stalled.
    ///
    /// It is half of what the slowest link of a phone transfers (GPRS, 16 kbit/s and more).
    public var leastSpeed = 1000
    /// The maximum time for one file in seconds, with its redirects.
    ///
    /// In these five minutes the largest metadata file of The Update Framework's clients, 5 MB, arrives at 17 KB a
    /// second.
    public var totalSeconds = 300

    /// Creates the default limits.
    public init() {}
  }

  private let limits: Limits
  private let connections: Monitor<HTTPConnections>

  /// Makes a client, which requests nothing yet.
  ///
  /// - Parameters:
  ///   - limits: the limits on how long a file may take.
  ///   - authorities: a PEM file with the certificates of the authorities that identify servers; nil for the system's
  ///     authorities. Only this user and root may be able to write it.
  ///   - proxy: the URL of a proxy; nil for none.
  ///   - names: where names have led. Clients that work for the same purpose share it.
  public init(
    limits: Limits = Limits(), authorities: String? = nil, proxy: String? = nil, names: ServerNames = ServerNames()
  ) {
    self.limits = limits
    connections = Monitor(
      HTTPConnections(
        HTTPSettings(
          headerBytes: limits.headerBytes, connectSeconds: limits.connectSeconds,
          stalledSeconds: limits.stalledSeconds, leastSpeed: limits.leastSpeed, authorities: authorities,
          proxy: proxy,
          // What a server sends after an answer could become the next answer. It could as well send it then.
          reusesConnections: true), names))
  }

  /// Fetches a file into memory.
  ///
  /// - Parameters:
  ///   - url: the address: http or https, a host, no name or password, printable ASCII. Its path is sent as it is.
  ///   - limit: the maximum number of bytes.
  ///   - end: when the time ends, if that is before ``Limits/totalSeconds`` have passed.
  /// - Throws: `fetch.…`; `file.…` if the file of authorities cannot be read.
  public func get(
    _ url: String, limit: Int, before end: ContinuousClock.Instant? = nil
  ) throws(SignetError) -> HTTPAnswer {
    var bytes: [UInt8] = []
    let absence = try get(url, limit: limit, before: end) { (piece) throws(SignetError) in bytes += piece }
    return absence.map { .notFound(status: $0) } ?? .bytes(bytes)
  }

  /// Fetches a file piece by piece.
  ///
  /// - Parameters:
  ///   - url: the address: http or https, a host, no name or password, printable ASCII. Its path is sent as it is.
  ///   - limit: the maximum number of bytes.
  ///   - end: when the time ends, if that is before ``Limits/totalSeconds`` have passed.
  ///   - take: takes the next bytes. An error that it throws ends the transfer.
  /// - Returns: nil if all bytes of the file were taken; 403, 404 or 410 if there is no such file.
  /// - Throws: `fetch.…`; `file.…` if the file of authorities cannot be read; what `take` throws.
  public func get(
    _ url: String, limit: Int, before end: ContinuousClock.Instant? = nil,
    _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) -> Int? {
    let url = try FetchURL(url, isPathKept: true)
    let latest = ContinuousClock.now + .seconds(limits.totalSeconds)
    let chain = RequestChain(
      redirects: limits.redirects, totalSeconds: limits.totalSeconds, end: end.map { min($0, latest) } ?? latest)
    let body = BoundedBody(limit: limit)
    try connections.withLock { (connections) throws(SignetError) in
      try ThreadSignals.withoutPipe { () throws(SignetError) in
        do throws(FetchFailure) {
          try chain.run(url, over: connections, into: body) { () throws(FetchFailure) in try body.handOn(take) }
        } catch {
          throw error.error
        }
      }
    }
    return body.absence
  }
}
