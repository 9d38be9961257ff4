extension SignetError.Code {
  // MARK: Encodings

  /// Text that is not padded standard base64 in its one canonical form.
  public static let base64Malformed = Self("base64.malformed")

  // MARK: JSON

  /// Not JSON (RFC 8259).
  public static let jsonSyntax = Self("json.syntax")
  /// The text is not valid UTF-8, or begins with a byte-order mark.
  public static let jsonEncoding = Self("json.encoding")
  /// A name that stands twice in one object.
  public static let jsonDuplicateName = Self("json.duplicate-name")
  /// A number outside the range every reader holds exactly, or too long.
  public static let jsonNumber = Self("json.number")
  /// More bytes, nesting or values than the limits allow.
  public static let jsonBounds = Self("json.bounds")
  /// Valid JSON, but not the one text the canonical writer gives for it.
  public static let jsonNotCanonical = Self("json.not-canonical")
  /// A field that must be there is not.
  public static let jsonMissingField = Self("json.missing-field")
  /// A field whose value is of another kind or form than it must be.
  public static let jsonWrongValue = Self("json.wrong-value")
}

extension Set<SignetError.Code> {
  /// Everything that can be wrong with a JSON text: `json.…`.
  package static let aboutJSON: Self = [
    .jsonSyntax, .jsonEncoding, .jsonDuplicateName, .jsonNumber, .jsonBounds, .jsonNotCanonical, .jsonMissingField,
    .jsonWrongValue,
  ]
}
