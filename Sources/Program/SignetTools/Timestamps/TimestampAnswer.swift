internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetHTTP
internal import SignetProcesses

/// What this program does for `signet` while that signs: it sends a request to an authority of timestamps, and hands on the
/// answer, which it does not look into (RFC 3161, section 3.4).
struct TimestampAnswer {
  private let question: TimestampQuestion

  /// How often an authority is asked that is busy or does not answer.
  private static let tries = 3
  private static let fields = ["Content-Type: application/timestamp-query", "Accept: application/timestamp-reply"]

  init(to question: TimestampQuestion) { self.question = question }

  /// Prints the answer in base64, or why there is none.
  ///
  /// - Returns: 0 if there is an answer, and 2 if not.
  func print() -> Int32 {
    ProcessEnvironment.prepare()
    do throws(SignetError) {
      try Console.output(Base64.encode(get()) + "\n")
      return ExitStatus.done.rawValue
    } catch {
      Console.message("\(error.message)\(error.found.map { ", \($0)" } ?? "") [\(error.code)]")
      return ExitStatus.failed.rawValue
    }
  }

  private func get() throws(SignetError) -> [UInt8] {
    let url = try FetchURL(question.address, isPathKept: true)
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
    let response = try session.send(
      .post, url, fields: Self.fields, upload: BytesUpload(question.request), limit: TimestampQuestion.answerLimit)
    guard response.status == 200 else {
      let error = SignetError(
        .fetchStatus, url.shown, "was answered with an error", expected: "the status 200", found: "\(response.status)"
      )
      throw response.status >= 500 || response.status == 429 ? .transient(error) : .final(error)
    }
    return response.body
  }
}
