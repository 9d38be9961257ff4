internal import SignetBase

/// What all parts of signed data share: their errors, and the type of content that has none (RFC 5652).
enum CMSForm {
  /// 1.2.840.113549.1.7.1: bytes without a meaning of their own (section 4).
  static let plainContent = OID.pkcs(7, 1)

  /// The error about signed data as a whole.
  static func malformed(_ what: String, _ section: String) -> SignetError {
    SignetError(.cmsMalformed, "signed data", what, expected: "RFC 5652, section \(section), in DER")
  }

  /// The error about one signer.
  static func malformedSigner(_ what: String) -> SignetError {
    SignetError(.cmsMalformed, "signer", what, expected: "RFC 5652, section 5.3, in DER")
  }
}
