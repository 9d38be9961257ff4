package import SignetBase

/// How a run ends. Only ``done`` is success.
package enum ExitStatus: Int32 {
  /// Verified, or done.
  case done = 0
  /// Refused.
  case refused = 1
  /// The command could not be done.
  case failed = 2
  /// The command line is wrong (EX_USAGE of sysexits.h).
  case usage = 64

  /// How a run ends that ends with an error.
  package init(_ error: SignetError) {
    self =
      switch error.nature {
      case .refusal: .refused
      case .failure: .failed
      case .usage: .usage
      }
  }

  /// The status of several inputs: a refusal outweighs a failure, and a failure outweighs a success.
  func combined(with other: ExitStatus) -> ExitStatus {
    if self == .refused || other == .refused { return .refused }
    return self == .done ? other : self
  }
}
