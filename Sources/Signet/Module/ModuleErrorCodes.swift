public import SignetBase
internal import SignetCrypto

/// What is wrong with a module's description.
extension SignetError.Code {
  /// Not a description: no JSON, a field missing or with a value that it may not have.
  public static let moduleMalformed = Self("module.malformed")
  /// A field that descriptions do not have, or a platform that is not known.
  public static let moduleUnknownField = Self("module.unknown-field")
  /// The description names a file that the module does not hold.
  public static let moduleMissingFile = Self("module.missing-file")
  /// The archive does not hold what the statement lists.
  public static let moduleContentsMismatch = Self("module.contents-mismatch")
  /// The statement is about another module.
  public static let moduleIdentifierMismatch = Self("module.identifier-mismatch")
}
