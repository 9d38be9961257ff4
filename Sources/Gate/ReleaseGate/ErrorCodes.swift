public import SignetBase

extension SignetError.Code {
  /// A file that cannot be read as a report of the gate.
  public static let gateReportMalformed = Self("gate.report-malformed", .failure)
  /// A file's name that a format of reports cannot hold.
  public static let gateReportName = Self("gate.report-name", .failure)
  /// A report that would be too large to be read again.
  public static let gateReportSize = Self("gate.report-size", .failure)
  /// A release policy with points that a person has still to look at.
  public static let gateReview = Self("gate.review", .failure)
  /// A policy that is a file of the release that it judges.
  public static let gatePolicyPlace = Self("gate.policy-place", .failure)
  /// A folder to compare a release with that is the release's own.
  public static let gateSameFolder = Self("gate.same-folder", .failure)
  /// A release that is not what a report says of it.
  public static let gateChanged = Self("gate.changed", .refusal)
  /// A report that says that its release was refused.
  public static let gateRefused = Self("gate.refused", .refusal)
  /// A release that is outside of the workspace from which its paths are to be named.
  public static let gateWorkspace = Self("gate.workspace", .failure)
  /// A file with more places that look like the beginning of a secret than are looked at.
  public static let gateCrowded = Self("gate.crowded", .refusal)
  /// Options of a verification summary that SLSA does not allow.
  public static let gateSummary = Self("gate.summary", .failure)
}
