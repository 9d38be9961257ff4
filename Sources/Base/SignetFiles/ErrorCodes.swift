public import SignetBase

extension SignetError.Code {
  /// A file of that name already exists, and replacing it was not requested.
  public static let outputExists = Self("output.exists", .failure)
  /// The output would overwrite an input.
  public static let outputIsInput = Self("output.is-input", .failure)
  /// The output has replaced the existing file, but the folder could not be synced.
  public static let outputNotSynced = Self("output.not-synced", .failure)
  /// The output could not be written; no part of it is left.
  public static let outputFailed = Self("output.failed", .failure)
}

extension Set<SignetError.Code> {
  /// All codes for faults of an output: `output.…`.
  package static let aboutOutputs: Self = [.outputExists, .outputIsInput, .outputNotSynced, .outputFailed]
}
