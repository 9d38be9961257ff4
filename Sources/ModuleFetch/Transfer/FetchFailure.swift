internal import SignetBase

/// Why one request failed, and whether another may succeed.
struct FetchFailure: Error {
  /// The error to report in the end.
  let error: SignetError
  /// Whether a retry may succeed.
  let isTransient: Bool
  /// The number of seconds that the server asks to wait.
  var retryAfter: Int?

  /// Whether the bytes that are there remain valid: the failure is not about them, or nothing waits for more.
  var keepsBytes: Bool { isTransient || Self.harmless.contains(error.code) }
  private static let harmless: [SignetError.Code] = [
    .fetchCancelled, .fetchTimeout, .fetchTLS, .fetchUnavailable, .fetchStatus, .fetchRedirect,
  ]

  /// A failure that a retry cannot change.
  static func final(_ error: SignetError) -> FetchFailure { FetchFailure(error: error, isTransient: false) }
  /// A transient failure, which is retried.
  static func transient(_ error: SignetError) -> FetchFailure { FetchFailure(error: error, isTransient: true) }
}
