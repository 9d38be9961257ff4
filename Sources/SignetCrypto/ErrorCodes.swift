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
