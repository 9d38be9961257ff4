internal import SignetAddresses
internal import SignetBase
internal import SignetNames

/// What the answer to a request is read into, wherever servers redirect the request.
package protocol HTTPBody: HTTPReceiver {
  /// Where the last answer redirects to; nil if it is not a redirect.
  var redirect: String? { get }
  /// The part that is still wanted: its first byte, and the tag that the file must have; nil for the whole file.
  var rest: (first: Int, tag: String)? { get }
  /// Checks that everything has arrived.
  func finish() throws(FetchFailure)
}

/// A request, and the requests to where servers redirect it.
package struct RequestChain {
  private let redirects: Int
  private let totalSeconds: Int
  private let end: ContinuousClock.Instant

  /// - Parameters:
  ///   - redirects: the maximum number of redirects.
  ///   - totalSeconds: the whole time, for messages.
  ///   - end: when the time ends.
  package init(redirects: Int, totalSeconds: Int, end: ContinuousClock.Instant) {
    self.redirects = redirects
    self.totalSeconds = totalSeconds
    self.end = end
  }

  /// Sends a request once, and follows redirects.
  ///
  /// - Parameter pause: is called again and again, each time after the body has received something.
  /// - Throws: `fetch.…`, and what the body and `pause` throw.
  package func run(
    _ url: FetchURL, over connections: HTTPConnections, into body: some HTTPBody,
    pause: () throws(FetchFailure) -> Void = {}
  ) throws(FetchFailure) {
    let base = url
    var url = url
    for _ in 0...max(0, redirects) {
      guard body.isWanted else { throw .final(.fetchCancelled(url.shown)) }
      let left = end - .now
      guard left > .zero else {
        throw .final(
          SignetError(.fetchTimeout, url.shown, "took too long", expected: "at most \(totalSeconds) seconds in all"))
      }
      // libcurl's milliseconds go up to 24 days.
      let milliseconds = Int(min(left / .milliseconds(1), Double(Int32.max)))
      let request = HTTPRequest(url: url, rest: body.rest, milliseconds: milliseconds)
      let connection: HTTPConnection
      do throws(SignetError) { connection = try connections.connection(for: url, from: base) } catch {
        throw .final(error)
      }
      try connection.perform(request, body, pause: pause)
      guard let place = body.redirect else { return try body.finish() }
      do throws(SignetError) { url = try url.following(place) } catch { throw .final(error) }
    }
    throw .final(
      SignetError(
        .fetchRedirect, url.shown, "redirects too often", expected: "at most \(redirects) times",
        hint: "ask the server's administrator"))
  }
}
