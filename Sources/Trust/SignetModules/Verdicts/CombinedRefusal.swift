package import SignetBase
package import SignetVerify

extension Refusal {
  /// The reasons as one error, for callers that can report only one.
  ///
  /// It is the most telling reason, and stays a refusal where its code alone would be a failure: a signature that cannot
  /// be read refuses what it is about. Each other reason is the cause of the one before it, if that one has no other.
  package var combined: SignetError {
    var error = reasons.dropLast().reversed().reduce(reasons[reasons.count - 1]) { $1.followed(by: $0) }
    error.isVerdict = true
    return error
  }
}

extension SignetError {
  /// The same error with another one at the end of its causes, so that none of them is lost.
  fileprivate func followed(by other: SignetError) -> SignetError {
    var error = self
    switch cause {
    case nil: error.cause = other
    case let cause as SignetError: error.cause = cause.followed(by: other)
    // A failure of the system or of OpenSSL has no cause of its own, so it comes last.
    case let cause?: error.cause = other.ended(by: cause)
    }
    return error
  }

  /// The same error with a failure at the end of its causes; one that has such an end already keeps it.
  private func ended(by failure: any Error) -> SignetError {
    var error = self
    switch cause {
    case nil: error.cause = failure
    case let cause as SignetError: error.cause = cause.ended(by: failure)
    default: break
    }
    return error
  }
}
