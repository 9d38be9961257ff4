public import SignetBase

extension SignetError.Code {
  // MARK: Cryptographic library

  /// OpenSSL could not be set up, or an operation failed that should succeed.
  public static let cryptoFailure = Self("crypto.failure", .failure)

  // MARK: Keys

  /// The file does not hold a key that is recognised, or the key is damaged.
  public static let keyMalformed = Self("key.malformed", .failure)
  /// A recognised key of a type that is not supported.
  public static let keyUnsupported = Self("key.unsupported", .failure)
  /// A private key where a public key is expected.
  public static let keyPrivateForPublic = Self("key.private-for-public", .failure)
  /// More than one key in a file, so that the intended one is unknown.
  public static let keyAmbiguous = Self("key.ambiguous", .failure)
  /// A key whose numbers make signatures forgeable, make an attack too cheap, or make verification too expensive.
  public static let keyInsecure = Self("key.insecure", .failure)
  /// An encryption of a private key that is not supported.
  public static let keyEncryptionUnsupported = Self("key.encryption-unsupported", .failure)

  // MARK: Signatures

  /// Data in the place of a signature that is not a valid signature: it is not JSON, a field is missing or malformed,
  /// or a signing block is damaged.
  public static let signatureMalformed = Self("signature.malformed", .refusal)

  /// The artifact's bytes are not the signed bytes.
  public static let digestMismatch = Self("digest.mismatch", .refusal)
}

extension SignetError.Code {
  // MARK: Reading certificates

  /// Bytes that are not a certificate, or a certificate that breaks DER or the form that RFC 5280 gives a field.
  public static let certificateMalformed = Self("certificate.malformed", .failure)
  /// An extension that occurs twice, so that readers could differ about which one counts.
  public static let certificateDuplicateExtension = Self("certificate.duplicate-extension", .failure)
  /// A private key in a file of certificates.
  public static let certificatePrivateKey = Self("certificate.private-key", .failure)

  // MARK: Validating chains

  /// No path from the certificate to an anchor.
  public static let chainUntrusted = Self("chain.untrusted", .refusal)
  /// A chain with too many certificates, or certificates that can be chained in too many ways.
  public static let chainTooComplex = Self("chain.too-complex", .refusal)
  /// A signature that was not made with its issuer's key.
  public static let chainSignature = Self("chain.signature", .refusal)
  /// A certificate that breaks a rule of RFC 5280 for which there is no separate code.
  public static let chainMalformed = Self("chain.malformed", .refusal)
  /// A certificate that is not version 3.
  public static let chainVersion = Self("chain.version", .refusal)
  /// A serial number that is zero, negative or too long.
  public static let chainSerial = Self("chain.serial", .refusal)
  /// A critical extension that is not understood, or one that must not be critical.
  public static let chainCriticalExtension = Self("chain.critical-extension", .refusal)
  /// A public key that is too weak, or of a type that is not supported.
  public static let chainWeakKey = Self("chain.weak-key", .refusal)
  /// A signature over a digest that is too weak, or by an algorithm that is not supported.
  public static let chainWeakDigest = Self("chain.weak-digest", .refusal)
  /// An issuer that may not issue certificates.
  public static let chainNotACA = Self("chain.not-a-ca", .refusal)
  /// More intermediates than a CA allows below itself.
  public static let chainPathLength = Self("chain.path-length", .refusal)
  /// A name that a CA must not give, or constraints that cannot be applied.
  public static let chainNameConstraints = Self("chain.name-constraints", .refusal)
  /// Certificate policies that contradict each other.
  public static let chainPolicy = Self("chain.policy", .refusal)
  /// A leaf that is a CA itself.
  public static let chainLeafIsCA = Self("chain.leaf-is-ca", .refusal)
  /// A key usage that does not allow what the key is used for.
  public static let chainKeyUsage = Self("chain.key-usage", .refusal)
  /// A certificate that is not for code signing.
  public static let chainNotCodeSigning = Self("chain.not-code-signing", .refusal)
  /// A certificate that is not for time stamping alone, or a CA that may not issue such certificates.
  public static let chainNotTimeStamping = Self("chain.not-time-stamping", .refusal)
  /// A certificate that is not valid yet.
  public static let chainNotYetValid = Self("chain.not-yet-valid", .refusal)
  /// A certificate that is no longer valid.
  public static let chainExpired = Self("chain.expired", .refusal)
  /// A certificate that its issuer has revoked.
  public static let chainRevoked = Self("chain.revoked", .refusal)

  // MARK: Revocation lists

  /// Bytes that are not a revocation list, or a list that breaks DER or the form that RFC 5280 gives a field.
  public static let revocationListMalformed = Self("crl.malformed", .failure)
  /// A revocation list that cannot be applied as written: it has unknown critical parts, or breaks RFC 5280.
  public static let revocationListUnsupported = Self("crl.unsupported", .failure)
  /// Revocation lists that leave open whether a certificate is revoked.
  public static let revocationListIncomplete = Self("crl.incomplete", .refusal)
  /// A revocation list that is out of date.
  public static let revocationListExpired = Self("crl.expired", .refusal)
  /// A revocation list that was not signed with its issuer's key.
  public static let revocationListSignature = Self("crl.signature", .refusal)
  /// A revocation list whose issuer cannot be found below an anchor, or must not sign lists.
  public static let revocationListIssuer = Self("crl.issuer", .refusal)
  /// A revocation list signed over a digest that is too weak, or by an algorithm that is not supported.
  public static let revocationListWeakDigest = Self("crl.weak-digest", .refusal)
}

extension Set<SignetError.Code> {
  /// All codes for faults of a revocation list: `crl.…`.
  package static let aboutRevocationLists: Self = [
    .revocationListMalformed, .revocationListUnsupported, .revocationListIncomplete, .revocationListExpired,
    .revocationListSignature, .revocationListIssuer, .revocationListWeakDigest,
  ]
}
