public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// The payload is not an in-toto statement: not JSON, or a field has a value of another kind.
  public static let statementMalformed = Self("statement.malformed")
  /// A statement of one of our types that is not written canonically.
  public static let statementNotCanonical = Self("statement.not-canonical")
  /// A field of the statement that nobody knows.
  public static let statementUnknownField = Self("statement.unknown-field")
  /// `_type` is another.
  public static let statementType = Self("statement.type")
  /// No subject, or several.
  public static let statementSubjectCount = Self("statement.subject-count")
  /// The subject's digests lack `sha256`, or have others beside it.
  public static let statementDigestAlgorithm = Self("statement.digest-algorithm")
  /// A digest that is too short or too long.
  public static let statementDigestLength = Self("statement.digest-length")
  /// A digest written in capital letters, or not in hexadecimal.
  public static let statementDigestForm = Self("statement.digest-form")
  /// The statement is of another type than the caller expects.
  public static let statementPredicateType = Self("statement.predicate-type")
  /// The statement's own date after which it no longer holds has passed.
  public static let statementExpired = Self("statement.expired")
}
