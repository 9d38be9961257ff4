public import SignetBase

extension SignetError.Code {
  /// A file that is no trusted root of Sigstore, or one that cannot be trusted as it is.
  public static let keylessRoot = Self("keyless.root", .failure)
  /// Bytes that are no bundle of Sigstore, or a bundle with parts that do not go together.
  public static let keylessBundle = Self("keyless.bundle", .refusal)
  /// A bundle by a key where a certificate is expected, or the other way round.
  public static let keylessSigner = Self("keyless.signer", .refusal)
  /// A certificate without a promise of a log that is trusted, where one is demanded.
  public static let keylessPromise = Self("keyless.promise", .refusal)
  /// A bundle without an entry of a log that is trusted, where one is demanded.
  public static let keylessEntry = Self("keyless.entry", .refusal)
  /// An entry of a log about another signature, another key or another artifact.
  public static let keylessOtherEntry = Self("keyless.other-entry", .refusal)
  /// A bundle that proves no time at which it was signed.
  public static let keylessTime = Self("keyless.time", .refusal)
  /// A signature that the key of the signer has not made.
  public static let keylessSignature = Self("keyless.signature", .refusal)
  /// A signer with another identity, or one whose identity another issuer has established.
  public static let keylessIdentity = Self("keyless.identity", .refusal)
  /// A statement or a digest about another artifact.
  public static let keylessSubject = Self("keyless.subject", .refusal)
}
