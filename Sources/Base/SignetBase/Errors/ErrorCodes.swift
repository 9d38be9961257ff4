extension SignetError.Code {
  // MARK: Encodings

  /// Text that is not padded standard base64 in its one canonical form.
  public static let base64Malformed = Self("base64.malformed", .failure)

  // MARK: JSON

  /// Text that is not JSON (RFC 8259).
  public static let jsonSyntax = Self("json.syntax", .failure)
  /// JSON text that is not valid UTF-8, or begins with a byte-order mark.
  public static let jsonEncoding = Self("json.encoding", .failure)
  /// A name that occurs twice in one JSON object.
  public static let jsonDuplicateName = Self("json.duplicate-name", .failure)
  /// A JSON number that is too long, or outside the range that every reader holds exactly.
  public static let jsonNumber = Self("json.number", .failure)
  /// JSON text with more bytes, nesting or values than the limits allow.
  public static let jsonBounds = Self("json.bounds", .failure)
  /// Valid JSON that is not in its canonical form.
  public static let jsonNotCanonical = Self("json.not-canonical", .failure)
  /// A required field that is missing from a JSON object.
  public static let jsonMissingField = Self("json.missing-field", .failure)
  /// A JSON field whose value has the wrong type or form.
  public static let jsonWrongValue = Self("json.wrong-value", .failure)
}

extension Set<SignetError.Code> {
  /// All codes for faults of a JSON text: `json.…`.
  package static let aboutJSON: Self = [
    .jsonSyntax, .jsonEncoding, .jsonDuplicateName, .jsonNumber, .jsonBounds, .jsonNotCanonical, .jsonMissingField,
    .jsonWrongValue,
  ]
}
