public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// The key is weaker than those whose signatures are accepted.
  public static let signingWeakKey = Self("signing.weak-key")
  /// The signature just made does not verify: a fault of the machine, or a key whose halves differ.
  public static let signingSelfCheck = Self("signing.self-check")
  /// The artifact cannot be called that.
  public static let signingName = Self("signing.name")
  /// The statement would end before it begins.
  public static let signingNotAfter = Self("signing.not-after")
  /// A bundle that does not name its key as attached ones must.
  public static let signingAttachedName = Self("signing.attached-name")
  /// A list of signers that is empty, too long, or without the key that signs.
  public static let signingSigners = Self("signing.signers")
  /// A sequence outside 1 to 2^53-1, or a minimum above the module's own.
  public static let signingSequence = Self("signing.sequence")
  /// The statement to be signed by one more key is not one of ours, or not about this artifact.
  public static let signingOtherStatement = Self("signing.other-statement")
  /// No certificate that was given is the key's.
  public static let signingCertificateMismatch = Self("signing.certificate-mismatch")
  /// The certificates that were given are not one chain.
  public static let signingCertificateChain = Self("signing.certificate-chain")
  /// The key has signed this statement already.
  public static let signingTwice = Self("signing.twice")
}
