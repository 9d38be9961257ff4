public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// The signature is not the named key's over this payload: either of them was changed.
  public static let signatureInvalid = Self("signature.invalid")
  /// Nobody the policy trusts has signed.
  public static let signerUntrusted = Self("signer.untrusted")
  /// The signature comes with a certificate, and the policy trusts bare keys only.
  public static let signerCertificate = Self("signer.certificate")
  /// The statement is about an artifact of another name.
  public static let subjectName = Self("subject.name-mismatch")
  /// The signer's certificate is good, and names nobody the policy names.
  public static let signerIdentity = Self("signer.identity")
  /// The signer is trusted, but not for this module or URI.
  public static let signerOutOfScope = Self("signer.out-of-scope")
  /// The signer is trusted, but not now.
  public static let signerOutsideWindow = Self("signer.outside-window")
  /// The policy revokes the signer's key or certificate.
  public static let signerRevoked = Self("signer.revoked")
}
