public import SignetBase

extension SignetError.Code {
  /// A signature of another program by an algorithm that is not accepted.
  public static let signatureUnsupported = Self("signature.unsupported", .refusal)
}
