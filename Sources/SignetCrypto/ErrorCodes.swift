public import SignetBase

extension SignetError.Code {
  // MARK: Cryptographic library

  /// OpenSSL could not be set up, or refused an operation that ought to work.
  public static let cryptoFailure = Self("crypto.failure")

  // MARK: Keys

  /// The file holds no key this program can recognise, or one that is damaged.
  public static let keyMalformed = Self("key.malformed")
  /// A recognised key of a kind that is not supported.
  public static let keyUnsupported = Self("key.unsupported")
  /// A private key where a public key is meant.
  public static let keyPrivateForPublic = Self("key.private-for-public")
  /// A public key where a private key is meant.
  public static let keyPublicForPrivate = Self("key.public-for-private")
  /// More than one key in one file: which one is meant cannot be told.
  public static let keyAmbiguous = Self("key.ambiguous")
  /// A key whose numbers make signatures forgeable, or cost an attacker too little or us too much.
  public static let keyInsecure = Self("key.insecure")
  /// An encryption of a private key that is not supported.
  public static let keyEncryptionUnsupported = Self("key.encryption-unsupported")
  /// A key derivation that asks for more work or memory than any honest one.
  public static let keyDerivationBounds = Self("key.derivation-bounds")
  /// The private key is encrypted and no passphrase was given.
  public static let keyPassphraseRequired = Self("key.passphrase-required")
  /// The passphrase does not open the private key.
  public static let keyPassphraseWrong = Self("key.passphrase-wrong")

  // MARK: Signatures

  /// What stands where a signature belongs is none: not JSON, a field is missing or of another form; a signing block that
  /// is damaged.
  public static let signatureMalformed = Self("signature.malformed")

  /// The artifact's bytes are not the signed ones.
  public static let digestMismatch = Self("digest.mismatch")
}

extension SignetError.Code {
  // MARK: Reading certificates

  /// Bytes that are no certificate, or one whose encoding breaks DER or the form RFC 5280 gives a field.
  public static let certificateMalformed = Self("certificate.malformed")
  /// An extension stands twice, so that readers could differ about which counts.
  public static let certificateDuplicateExtension = Self("certificate.duplicate-extension")
  /// A private key in a file of certificates.
  public static let certificatePrivateKey = Self("certificate.private-key")

  // MARK: Validating chains

  /// No path from the certificate to an anchor.
  public static let chainUntrusted = Self("chain.untrusted")
  /// Too many certificates in a row, or too many ways to put them into a row.
  public static let chainTooComplex = Self("chain.too-complex")
  /// A signature that its issuer's key has not made.
  public static let chainSignature = Self("chain.signature")
  /// A certificate that breaks a rule of RFC 5280 which has no code of its own.
  public static let chainMalformed = Self("chain.malformed")
  /// A certificate that is not version 3.
  public static let chainVersion = Self("chain.version")
  /// A serial number that is zero, negative or too long.
  public static let chainSerial = Self("chain.serial")
  /// A critical extension that is not understood, or one that must not be critical.
  public static let chainCriticalExtension = Self("chain.critical-extension")
  /// A public key that is too weak, or of a kind that is not supported.
  public static let chainWeakKey = Self("chain.weak-key")
  /// A signature over a digest that is too weak, or by an algorithm that is not supported.
  public static let chainWeakDigest = Self("chain.weak-digest")
  /// An issuer that may not issue certificates.
  public static let chainNotACA = Self("chain.not-a-ca")
  /// More intermediates than a CA allows below itself.
  public static let chainPathLength = Self("chain.path-length")
  /// A name that a CA may not speak for, or constraints that cannot be honoured.
  public static let chainNameConstraints = Self("chain.name-constraints")
  /// Certificate policies that contradict each other.
  public static let chainPolicy = Self("chain.policy")
  /// A leaf that is a CA itself.
  public static let chainLeafIsCA = Self("chain.leaf-is-ca")
  /// A key usage that does not allow what the key is used for.
  public static let chainKeyUsage = Self("chain.key-usage")
  /// A certificate that is not for code signing.
  public static let chainNotCodeSigning = Self("chain.not-code-signing")
  /// A certificate that is not valid yet.
  public static let chainNotYetValid = Self("chain.not-yet-valid")
  /// A certificate that is not valid any more.
  public static let chainExpired = Self("chain.expired")
  /// A certificate that its issuer has revoked.
  public static let chainRevoked = Self("chain.revoked")

  // MARK: Revocation lists

  /// Bytes that are no revocation list, or one whose encoding breaks DER or the form RFC 5280 gives a field.
  public static let revocationListMalformed = Self("crl.malformed")
  /// A revocation list that cannot be honoured as it is written: with unknown critical parts, or against RFC 5280.
  public static let revocationListUnsupported = Self("crl.unsupported")
  /// Revocation lists that leave open whether a certificate is revoked.
  public static let revocationListIncomplete = Self("crl.incomplete")
  /// A revocation list after its time.
  public static let revocationListExpired = Self("crl.expired")
  /// A revocation list that its issuer's key has not signed.
  public static let revocationListSignature = Self("crl.signature")
  /// A revocation list whose issuer cannot be found below an anchor, or may not sign lists.
  public static let revocationListIssuer = Self("crl.issuer")
  /// A revocation list signed over a digest that is too weak, or by an algorithm that is not supported.
  public static let revocationListWeakDigest = Self("crl.weak-digest")
}

extension Set<SignetError.Code> {
  /// Everything that can be wrong with a key itself: `key.…`.
  package static let aboutKeys: Self = [
    .keyMalformed, .keyUnsupported, .keyPrivateForPublic, .keyPublicForPrivate, .keyAmbiguous, .keyInsecure,
    .keyEncryptionUnsupported, .keyDerivationBounds, .keyPassphraseRequired, .keyPassphraseWrong,
  ]

  /// Everything that can be wrong with a certificate itself: `certificate.…`.
  package static let aboutCertificates: Self = [
    .certificateMalformed, .certificateDuplicateExtension, .certificatePrivateKey,
  ]

  /// Everything that can be wrong with a revocation list: `crl.…`.
  package static let aboutRevocationLists: Self = [
    .revocationListMalformed, .revocationListUnsupported, .revocationListIncomplete, .revocationListExpired,
    .revocationListSignature, .revocationListIssuer, .revocationListWeakDigest,
  ]
}
