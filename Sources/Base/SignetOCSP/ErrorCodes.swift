public import SignetBase

extension SignetError.Code {
  // MARK: Statements about the revocation of one certificate

  /// Bytes that are not an OCSP response in DER, or that break its form (RFC 6960, section 4.2.1).
  public static let statusMalformed = Self("ocsp.malformed", .refusal)
  /// A response that cannot be applied as written: another type, a critical extension, a weak digest, no end.
  public static let statusUnsupported = Self("ocsp.unsupported", .refusal)
  /// An answer by which a responder declines.
  public static let statusRejected = Self("ocsp.rejected", .refusal)
  /// A response by a key that may not speak for the issuer of the certificate.
  public static let statusResponder = Self("ocsp.responder", .refusal)
  /// A response that the key of its responder has not signed.
  public static let statusSignature = Self("ocsp.signature", .refusal)
  /// A response whose next update is due.
  public static let statusExpired = Self("ocsp.expired", .refusal)
  /// A response by which the issuer does not know the certificate.
  public static let statusUnknown = Self("ocsp.unknown", .refusal)
  /// No responder has given an answer that holds.
  public static let statusUnavailable = Self("ocsp.unavailable", .failure)
}

extension Set<SignetError.Code> {
  /// All codes for what is wrong with a response: `ocsp.…`.
  package static let aboutStatusResponses: Self = [
    .statusMalformed, .statusUnsupported, .statusRejected, .statusResponder, .statusSignature, .statusExpired,
    .statusUnknown, .statusUnavailable,
  ]
}
