extension SignetError.Code {
  // MARK: Encodings

  /// Text that is not padded standard base64 in its one canonical form.
  public static let base64Malformed = Self("base64.malformed")

  // MARK: JSON

  /// Not JSON (RFC 8259).
  public static let jsonSyntax = Self("json.syntax")
  /// The text is not valid UTF-8, or begins with a byte-order mark.
  public static let jsonEncoding = Self("json.encoding")
  /// A name that occurs twice in one object.
  public static let jsonDuplicateName = Self("json.duplicate-name")
  /// A number that is too long, or outside the range that every reader holds exactly.
  public static let jsonNumber = Self("json.number")
  /// More bytes, nesting or values than the limits allow.
  public static let jsonBounds = Self("json.bounds")
  /// Valid JSON that is not in its canonical form.
  public static let jsonNotCanonical = Self("json.not-canonical")
  /// A required field that is missing.
  public static let jsonMissingField = Self("json.missing-field")
  /// A field whose value has the wrong type or form.
  public static let jsonWrongValue = Self("json.wrong-value")
}

extension Set<SignetError.Code> {
  /// All codes for faults of a JSON text: `json.…`.
  package static let aboutJSON: Self = [
    .jsonSyntax, .jsonEncoding, .jsonDuplicateName, .jsonNumber, .jsonBounds, .jsonNotCanonical, .jsonMissingField,
    .jsonWrongValue,
  ]
}
