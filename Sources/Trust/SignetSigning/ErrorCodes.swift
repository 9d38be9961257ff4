public import SignetBase

/// Reasons not to sign.
extension SignetError.Code {
  /// The key is weaker than those whose signatures are accepted.
  public static let signingWeakKey = Self("signing.weak-key", .failure)
  /// The new signature does not verify: the machine is faulty, or the halves of the key do not match.
  public static let signingSelfCheck = Self("signing.self-check", .failure)
  /// The artifact cannot have that name in a statement.
  public static let signingName = Self("signing.name", .failure)
  /// The statement would expire before it is made.
  public static let signingNotAfter = Self("signing.not-after", .failure)
  /// A bundle does not name its key as attached bundles must.
  public static let signingAttachedName = Self("signing.attached-name", .failure)
  /// A list of signers is empty, too long, or without the signing key.
  public static let signingSigners = Self("signing.signers", .failure)
  /// A sequence is outside 1 to 2^53-1, or a minimum sequence is above the module's own.
  public static let signingSequence = Self("signing.sequence", .failure)
  /// The statement to be signed by one more key is not one of Signet's, or not about this artifact.
  public static let signingOtherStatement = Self("signing.other-statement", .failure)
  /// None of the given certificates is the key's.
  public static let signingCertificateMismatch = Self("signing.certificate-mismatch", .failure)
  /// The given certificates do not form one chain.
  public static let signingCertificateChain = Self("signing.certificate-chain", .failure)
  /// The key has already signed this statement.
  public static let signingTwice = Self("signing.twice", .failure)
}

/// Faults of bundles to which a signature is to be added.
extension SignetError.Code {
  /// The bundles beside an artifact have different statements.
  public static let bundlePayloadsDiffer = Self("bundle.payloads-differ", .refusal)
}
