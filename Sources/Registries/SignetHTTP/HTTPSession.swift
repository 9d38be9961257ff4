internal import SignetAddresses
package import SignetBase
internal import SignetNames
internal import SignetProcesses
internal import SignetSystem

/// What a server answered.
package struct HTTPResponse {
  /// The status and the fields.
  package let head: ResponseHead
  /// The address that was asked.
  package let url: FetchURL
  /// The bytes of the body, unless they were handed on.
  package let body: [UInt8]

  /// The status, three digits.
  package var status: Int { head.status }

  /// The value of a field that may occur once; nil if it does not occur.
  ///
  /// - Throws: `fetch.response` if it occurs several times, with different values.
  package func field(_ name: String) throws(SignetError) -> String? { try head.field(name) }
}

/// Requests of any method to servers that speak a protocol over HTTP, one after the other.
///
/// Unlike ``HTTPClient`` it gives the answer of any status, and follows no redirect: the protocol decides what a status
/// means, and what may be sent to where a server points. Threads that share a session wait for each other.
package final class HTTPSession: Sendable {
  /// Takes bytes of an answer, with its head. An error ends the transfer.
  package typealias Sink = (_ head: ResponseHead, _ bytes: [UInt8]) throws(SignetError) -> Void

  /// How much a session takes, and for how long.
  package struct Limits: Sendable {
    /// The maximum size of an answer's header in bytes.
    package var headerBytes = 64 << 10
    /// The maximum time until there is a connection, in seconds.
    package var connectSeconds = 15
    /// The maximum time without progress, in seconds. A server may have to hash a file of many gigabytes before it
    /// answers.
    package var stalledSeconds = 120
    /// The speed, in bytes per second, below which a transfer counts as one without progress.
    package var leastSpeed = 1000
    /// The maximum time for a request in seconds, if neither it nor its answer has many bytes.
    package var totalSeconds = 300
    /// The maximum time for a request in seconds that sends bytes, or whose answer is handed on.
    package var transferSeconds = 3600
    /// The maximum size of a body that is not handed on, in bytes.
    package var bodyBytes = 64 << 10

    package init() {}
  }

  private let base: FetchURL
  private let limits: Limits
  private let connections: Monitor<HTTPConnections>

  /// Makes a session, which requests nothing yet.
  ///
  /// - Parameters:
  ///   - base: an address of the server that the user has named. What it leads to is asked as ``HTTPConnections`` says.
  ///   - authorities: a PEM file with the certificates of the authorities that identify servers; nil for the system's
  ///     authorities. Only this user and root may be able to write it.
  ///   - proxy: the URL of a proxy; nil for none. The proxy then decides what is connected to.
  ///   - names: where names have led. Sessions that work for the same purpose share it.
  package init(
    with base: FetchURL, limits: Limits = Limits(), authorities: String? = nil, proxy: String? = nil,
    names: ServerNames = ServerNames()
  ) {
    self.base = base
    self.limits = limits
    connections = Monitor(
      HTTPConnections(
        HTTPSettings(
          headerBytes: limits.headerBytes, connectSeconds: limits.connectSeconds,
          stalledSeconds: limits.stalledSeconds, leastSpeed: limits.leastSpeed, authorities: authorities,
          proxy: proxy,
          reusesConnections: true, bufferBytes: 512 << 10), names))
  }

  /// Sends a request, and keeps the answer's body.
  ///
  /// - Parameters:
  ///   - fields: more fields of the head, each as its line.
  ///   - upload: the body to send.
  ///   - limit: the maximum size of the answer's body; nil for the session's limit. What is longer is an error if the
  ///     status is 200. Otherwise the transfer ends there, and what has come is kept.
  /// - Throws: `fetch.…`; `file.…` if the file of authorities cannot be read; what the upload throws.
  package func send(
    _ method: HTTPRequest.Method, _ url: FetchURL, fields: [String] = [], upload: (any HTTPUpload)? = nil,
    limit: Int? = nil
  ) throws(FetchFailure) -> HTTPResponse {
    var request = HTTPRequest(url: url, rest: nil, milliseconds: milliseconds(isLong: (upload?.size ?? 0) > 1 << 16))
    request.method = method
    request.fields = fields
    request.upload = upload
    return try perform(request, SessionAnswer(limit: limit ?? limits.bodyBytes, isHandedOn: false)) { _, _ in }
  }

  /// Sends a request, and hands on the bytes of an answer with the status 200 or 206. Those of others are kept, up to
  /// the session's limit, at which the transfer ends.
  ///
  /// - Parameters:
  ///   - fields: more fields of the head, each as its line.
  ///   - take: takes the bytes piece by piece, each with the answer's head. An error that it throws ends the transfer.
  /// - Throws: `fetch.…`; `file.…` if the file of authorities cannot be read; what `take` throws.
  package func send(
    _ method: HTTPRequest.Method, _ url: FetchURL, fields: [String], handingOn take: Sink
  ) throws(FetchFailure) -> HTTPResponse {
    var request = HTTPRequest(url: url, rest: nil, milliseconds: milliseconds(isLong: true))
    request.method = method
    request.fields = fields
    return try perform(request, SessionAnswer(limit: limits.bodyBytes, isHandedOn: true), take)
  }

  private func milliseconds(isLong: Bool) -> Int {
    (isLong ? limits.transferSeconds : limits.totalSeconds) * 1000
  }

  private func perform(
    _ request: HTTPRequest, _ answer: SessionAnswer, _ take: Sink
  ) throws(FetchFailure) -> HTTPResponse {
    try connections.withLock { (connections) throws(FetchFailure) in
      let used: HTTPConnection
      do throws(SignetError) { used = try connections.connection(for: request.url, from: base) } catch {
        throw .final(error)
      }
      try ThreadSignals.withoutPipe { () throws(FetchFailure) in
        try used.perform(request, answer) { () throws(FetchFailure) in
          try answer.handOn(take)
        }
      }
    }
    guard let head = answer.head else {
      throw .final(SignetError(.fetchResponse, request.url.shown, "was not answered"))
    }
    return HTTPResponse(head: head, url: request.url, body: answer.bytes)
  }
}

/// The bytes of one answer.
private final class SessionAnswer: HTTPReceiver {
  private(set) var head: ResponseHead?
  /// What has arrived and was not handed on.
  private(set) var bytes: [UInt8] = []
  let isWanted = true

  let isHandedOn: Bool
  private let limit: Int
  private var isBody = false
  /// Where the bytes come from, for messages.
  private var object = ""

  init(limit: Int, isHandedOn: Bool) {
    self.limit = limit
    self.isHandedOn = isHandedOn
  }

  func begin(_ head: ResponseHead, of request: HTTPRequest) throws(FetchFailure) -> Bool {
    self.head = head
    object = request.url.shown
    isBody = isHandedOn && (head.status == 200 || head.status == 206)
    do throws(SignetError) {
      if (200..<300).contains(head.status) { try head.checkEncoding(of: request.url.shown) }
    } catch {
      throw .final(error)
    }
    return true
  }

  func take(_ bytes: [UInt8]) throws(FetchFailure) -> Bool {
    let left = isBody ? .max : max(0, limit - self.bytes.count)
    // A page about an error ends where it is long enough; a document that is too long says so.
    guard bytes.count <= left || head?.status != 200 else {
      throw .final(
        SignetError(
          .fetchTooLarge, object, "is larger than it may be", expected: "at most \(limit) bytes", found: "more"))
    }
    self.bytes += bytes.prefix(left)
    return bytes.count <= left
  }

  /// Hands on what was received since the last time.
  func handOn(_ take: HTTPSession.Sink) throws(FetchFailure) {
    guard isBody, let head, !bytes.isEmpty else { return }
    let piece = bytes
    bytes = []
    do throws(SignetError) { try take(head, piece) } catch { throw .final(error) }
  }
}
