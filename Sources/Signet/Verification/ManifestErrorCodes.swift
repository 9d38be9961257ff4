public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// The manifest is another host's.
  public static let manifestIdentifierMismatch = Self("manifest.identifier-mismatch")
  /// What is to be signed as a host's manifest is no JSON object.
  public static let manifestMalformed = Self("manifest.malformed")
}
