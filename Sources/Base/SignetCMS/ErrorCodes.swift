public import SignetBase

extension SignetError.Code {
  // MARK: Cryptographic Message Syntax

  /// Bytes that are not signed data of CMS in DER, or that break its form.
  public static let cmsMalformed = Self("cms.malformed", .refusal)
  /// A type of CMS, or an algorithm in it, that is not accepted.
  public static let cmsUnsupported = Self("cms.unsupported", .refusal)
  /// Signed data that names another certificate as its signer's.
  public static let cmsOtherSigner = Self("cms.other-signer", .refusal)
  /// Content that is not what was signed.
  public static let cmsOtherContent = Self("cms.other-content", .refusal)
  /// A signature that the key of the certificate has not made.
  public static let cmsSignature = Self("cms.signature", .refusal)
}

extension SignetError.Code {
  // MARK: Timestamps

  /// Bytes that are not a token of a time-stamping authority, or that break its form (RFC 3161).
  public static let timestampMalformed = Self("timestamp.malformed", .refusal)
  /// A digest or a critical extension in a token that is not accepted.
  public static let timestampUnsupported = Self("timestamp.unsupported", .refusal)
  /// An answer by which a time-stamping authority declines to state a time.
  public static let timestampRejected = Self("timestamp.rejected", .refusal)
  /// A token about other bytes.
  public static let timestampImprint = Self("timestamp.imprint", .refusal)
  /// A token by an authority that is not trusted.
  public static let timestampAuthority = Self("timestamp.authority", .refusal)
  /// A token that names another certificate than that of the authority.
  public static let timestampCertificate = Self("timestamp.certificate", .refusal)
  /// An answer to another request.
  public static let timestampNonce = Self("timestamp.nonce", .refusal)
  /// A token under another policy of the authority than the one that was asked for.
  public static let timestampPolicy = Self("timestamp.policy", .refusal)
  /// A token of a time at which the authority is not trusted.
  public static let timestampOutsideWindow = Self("timestamp.outside-window", .refusal)
}
