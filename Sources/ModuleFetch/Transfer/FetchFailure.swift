internal import SignetBase

/// Why one request brought nothing, and whether another may.
struct FetchFailure: Error {
  /// What is said of it in the end.
  let error: SignetError
  /// Whether it may be otherwise in a moment.
  let isTransient: Bool
  /// Seconds that the server wants to be left alone.
  var retryAfter: Int?

  /// Whether the bytes that are there are none the worse for it: nothing was said of them, or nobody waits for more.
  var keepsBytes: Bool { isTransient || Self.harmless.contains(error.code) }
  private static let harmless: [SignetError.Code] = [
    .fetchCancelled, .fetchTimeout, .fetchTLS, .fetchUnavailable, .fetchStatus, .fetchRedirect,
  ]

  /// What will not be otherwise.
  static func final(_ error: SignetError) -> FetchFailure { FetchFailure(error: error, isTransient: false) }
  /// What may be otherwise in a moment.
  static func transient(_ error: SignetError) -> FetchFailure { FetchFailure(error: error, isTransient: true) }
}
