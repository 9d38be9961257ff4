public import SignetBase

extension SignetError.Code {
  /// A proof of a log that is none, or that leads elsewhere.
  public static let logProof = Self("log.proof", .refusal)
  /// Bytes that are not a signed note, or no checkpoint of a log.
  public static let logNote = Self("log.note", .refusal)
  /// A key that cannot be that of a log or witness.
  public static let logKey = Self("log.key", .refusal)
  /// A log's promise to include something that it has not made, or that cannot be read.
  public static let logPromise = Self("log.promise", .refusal)
  /// A checkpoint that a log has not signed.
  public static let logUnsigned = Self("log.unsigned", .refusal)
  /// A signature that says that it is by a log, and is not.
  public static let logSignature = Self("log.signature", .refusal)
}
