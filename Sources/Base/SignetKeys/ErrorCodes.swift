public import SignetBase
internal import SignetCrypto

/// Faults of private keys. Those of all keys are SignetCrypto's.
extension SignetError.Code {
  /// A public key where a private key is expected.
  public static let keyPublicForPrivate = Self("key.public-for-private", .failure)
  /// A key derivation that requires more work or memory than any honest one.
  public static let keyDerivationBounds = Self("key.derivation-bounds", .failure)
  /// The private key is encrypted and no passphrase was given.
  public static let keyPassphraseRequired = Self("key.passphrase-required", .failure)
  /// The passphrase does not open the private key.
  public static let keyPassphraseWrong = Self("key.passphrase-wrong", .failure)
}

extension Set<SignetError.Code> {
  /// All codes for faults of a key itself: `key.…`.
  package static let aboutKeys: Self = [
    .keyMalformed, .keyUnsupported, .keyPrivateForPublic, .keyPublicForPrivate, .keyAmbiguous, .keyInsecure,
    .keyEncryptionUnsupported, .keyDerivationBounds, .keyPassphraseRequired, .keyPassphraseWrong,
  ]
}
