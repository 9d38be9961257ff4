package import SignetBase

extension SignetError.Code {
  /// No authority of timestamps has stamped a signature.
  package static let timestampUnavailable = Self("timestamp.unavailable", .failure)
}
