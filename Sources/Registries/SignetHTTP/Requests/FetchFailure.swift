package import SignetBase

/// Why one request failed, and whether another may succeed.
package struct FetchFailure: Error {
  /// The error to report in the end.
  package let error: SignetError
  /// Whether a retry may succeed.
  package let isTransient: Bool
  /// The number of seconds that the server asks to wait.
  package var retryAfter: Int?

  package init(error: SignetError, isTransient: Bool) {
    self.error = error
    self.isTransient = isTransient
  }

  /// A failure that a retry cannot change.
  package static func final(_ error: SignetError) -> FetchFailure { FetchFailure(error: error, isTransient: false) }
  /// A transient failure, which is retried.
  package static func transient(_ error: SignetError) -> FetchFailure {
    FetchFailure(error: error, isTransient: true)
  }
}
