internal import SignetAddresses
internal import SignetBase
internal import SignetCrypto
internal import SignetHTTP
internal import SignetProcesses

/// A request that an authority answers over HTTP, and whose answer is signed: nothing depends on the way there
/// (RFC 3161, section 3.4; RFC 6960, appendix A.1).
struct PostedRequest {
  private let body: [UInt8]
  private let fields: [String]
  private let limit: Int

  /// How often an authority is asked that is busy or does not answer.
  private static let tries = 3

  /// - Parameters:
  ///   - body: the request.
  ///   - type: its media type.
  ///   - answer: the media type of the answer.
  ///   - limit: the maximum length of the answer in bytes.
  init(_ body: [UInt8], of type: String, for answer: String, limit: Int) {
    (self.body, self.limit) = (body, limit)
    fields = ["Content-Type: \(type)", "Accept: \(answer)"]
  }

  /// Sends the request.
  ///
  /// - Returns: what the authority answers. Nobody has looked into it.
  /// - Throws: `fetch.…`.
  func answer(at address: String) throws(SignetError) -> [UInt8] {
    let url = try FetchURL(address, isPathKept: true)
    var limits = HTTPSession.Limits()
    (limits.stalledSeconds, limits.totalSeconds) = (15, 30)
    let session = HTTPSession(with: url, limits: limits)
    for remaining in (0..<Self.tries).reversed() {
      do throws(FetchFailure) { return try ask(url, session) } catch {
        guard error.isTransient, remaining > 0 else { throw error.error }
        // A server that is busy says for how long; more than some seconds are for the user to wait.
        CurrentProcess.sleep(milliseconds: min(max(error.retryAfter ?? 1, 1), 5) * 1000)
      }
    }
    throw SignetError(.fetchResponse, url.shown, "was not answered")
  }

  private func ask(_ url: FetchURL, _ session: HTTPSession) throws(FetchFailure) -> [UInt8] {
    let response = try session.send(.post, url, fields: fields, upload: BytesUpload(body), limit: limit)
    guard response.status == 200 else {
      let error = SignetError(
        .fetchStatus, url.shown, "was answered with an error", expected: "the status 200", found: "\(response.status)"
      )
      throw response.status >= 500 || response.status == 429 ? .transient(error) : .final(error)
    }
    return response.body
  }
}
