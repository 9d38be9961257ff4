extension SignetError.Code {
  // MARK: Encodings

  /// Text that is not padded standard base64 in its one canonical form.
  public static let base64Malformed = Self("base64.malformed")

  // MARK: JSON

  /// Text that is not JSON (RFC 8259).
  public static let jsonSyntax = Self("json.syntax")
  /// JSON text that is not valid UTF-8, or begins with a byte-order mark.
  public static let jsonEncoding = Self("json.encoding")
  /// A name that occurs twice in one JSON object.
  public static let jsonDuplicateName = Self("json.duplicate-name")
  /// A JSON number that is too long, or outside the range that every reader holds exactly.
  public static let jsonNumber = Self("json.number")
  /// JSON text with more bytes, nesting or values than the limits allow.
  public static let jsonBounds = Self("json.bounds")
  /// Valid JSON that is not in its canonical form.
  public static let jsonNotCanonical = Self("json.not-canonical")
  /// A required field that is missing from a JSON object.
  public static let jsonMissingField = Self("json.missing-field")
  /// A JSON field whose value has the wrong type or form.
  public static let jsonWrongValue = Self("json.wrong-value")

  // MARK: Transfers

  /// A URL from which nothing is fetched.
  public static let fetchURL = Self("fetch.url")
  /// A transfer was ended, because no caller waits for it any longer.
  public static let fetchCancelled = Self("fetch.cancelled")
  /// There is nothing to fetch with: the host has no fetcher, or the system has no libcurl or denies what fetching needs.
  public static let fetchUnavailable = Self("fetch.unavailable")
  /// The server cannot be reached, or the connection was lost.
  public static let fetchConnection = Self("fetch.connection")
  /// The server of a transfer is not the right one, or that cannot be determined.
  public static let fetchTLS = Self("fetch.tls")
  /// A transfer would take too long.
  public static let fetchTimeout = Self("fetch.timeout")
  /// The server answered with a status that brings no file.
  public static let fetchStatus = Self("fetch.status")
  /// The server redirects too often, or to where nothing is fetched.
  public static let fetchRedirect = Self("fetch.redirect")
  /// The server's answer is not valid HTTP.
  public static let fetchResponse = Self("fetch.response")
  /// The server sends another part than was requested.
  public static let fetchRange = Self("fetch.range")
  /// The server sends bytes that would have to be decoded.
  public static let fetchEncoding = Self("fetch.encoding")
  /// A transfer has more or fewer bytes than expected.
  public static let fetchLength = Self("fetch.length")
  /// A transfer has more bytes than allowed.
  public static let fetchTooLarge = Self("fetch.too-large")
}

extension SignetError {
  /// The error for a transfer for which no caller waits.
  package static func fetchCancelled(_ object: String) -> SignetError {
    SignetError(.fetchCancelled, object, "was cancelled: nothing waits for it any longer")
  }
}

extension Set<SignetError.Code> {
  /// All codes for faults of a JSON text: `json.…`.
  package static let aboutJSON: Self = [
    .jsonSyntax, .jsonEncoding, .jsonDuplicateName, .jsonNumber, .jsonBounds, .jsonNotCanonical, .jsonMissingField,
    .jsonWrongValue,
  ]
}
