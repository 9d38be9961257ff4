internal import ModuleStore
internal import SignetAddresses
internal import SignetBase
internal import SignetHTTP
internal import SignetNames

/// The transfer of one file from a server: it follows redirects, and retries if that may help.
struct Transfer {
  private let limits: ArchiveFetcher.Limits
  private let connections: HTTPConnections
  private let signal: FetchSignal
  private let end: ContinuousClock.Instant

  init(
    limits: ArchiveFetcher.Limits, connections: HTTPConnections, signal: FetchSignal,
    end: ContinuousClock.Instant
  ) {
    self.limits = limits
    self.connections = connections
    self.signal = signal
    self.end = end
  }

  /// Fetches a file, as far as it comes in this turn. A transfer that must wait before its next attempt gives up its
  /// place meanwhile.
  ///
  /// - Throws: `fetch.…`, `store.write-failed`.
  func run(_ file: FetchSignal.File, _ url: FetchURL, into body: StagedBody) throws(SignetError) -> TransferEnd {
    do throws(FetchFailure) {
      if body.isWhole {
        try body.finish()
      } else {
        let chain = RequestChain(redirects: limits.redirects, totalSeconds: limits.totalSeconds, end: end)
        try chain.run(url, over: connections, into: body)
      }
      return .whole
    } catch {
      body.leave(after: error)
      if error.error.code == .fetchCancelled, signal.hasYielded, !signal.isCancelled {
        return .later(milliseconds: 0)
      }
      var number = SystemRandomNumberGenerator()
      let attempt = signal.attempts(file)
      guard error.isTransient, attempt < limits.retries,
        let delay = limits.delay(after: attempt, asked: error.retryAfter, using: &number),
        .milliseconds(delay) < end - .now
      else { throw error.error }
      _ = signal.countAttempt(file)
      return .later(milliseconds: delay)
    }
  }
}

extension ArchiveFetcher.Limits {
  /// The number of milliseconds to wait before the next attempt; nil after the last attempt.
  ///
  /// - Parameters:
  ///   - attempt: how many attempts failed before the last one.
  ///   - asked: the number of seconds that the server asks for.
  func delay(after attempt: Int, asked: Int?, using generator: inout some RandomNumberGenerator) -> Int? {
    let (wish, isTooMuch) = (asked ?? 0).multipliedReportingOverflow(by: 1000)
    guard asked ?? 0 <= retryAfterSeconds, !isTooMuch else { return nil }
    let longest = max(1, longestDelay)
    var doubled = min(max(1, firstDelay), longest)
    // After 64 doublings, nothing is left to double.
    for _ in 0..<min(attempt, 64) { doubled = doubled > longest / 2 ? longest : doubled * 2 }
    return max(doubled / 2 + Int.random(in: 0...(doubled - doubled / 2), using: &generator), wish)
  }
}
