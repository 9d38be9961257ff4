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

  // MARK: Transfers

  /// A URL from which nothing is fetched.
  public static let fetchURL = Self("fetch.url", .failure)
  /// A transfer was ended, because no caller waits for it any longer.
  public static let fetchCancelled = Self("fetch.cancelled", .failure)
  /// There is nothing to fetch with: the host has no fetcher, or the system has no libcurl or denies what fetching needs.
  public static let fetchUnavailable = Self("fetch.unavailable", .failure)
  /// The server cannot be reached, or the connection was lost.
  public static let fetchConnection = Self("fetch.connection", .failure)
  /// The server of a transfer is not the right one, or that cannot be determined.
  public static let fetchTLS = Self("fetch.tls", .failure)
  /// A transfer would take too long.
  public static let fetchTimeout = Self("fetch.timeout", .failure)
  /// The server answered with a status that brings no file.
  public static let fetchStatus = Self("fetch.status", .failure)
  /// The server redirects too often, or to where nothing is fetched.
  public static let fetchRedirect = Self("fetch.redirect", .failure)
  /// The server's answer is not valid HTTP.
  public static let fetchResponse = Self("fetch.response", .failure)
  /// The server sends another part than was requested.
  public static let fetchRange = Self("fetch.range", .failure)
  /// The server sends bytes that would have to be decoded.
  public static let fetchEncoding = Self("fetch.encoding", .failure)
  /// A transfer has more or fewer bytes than expected.
  public static let fetchLength = Self("fetch.length", .failure)
  /// A transfer has more bytes than allowed.
  public static let fetchTooLarge = Self("fetch.too-large", .failure)
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

  /// All codes for faults of a transfer: `fetch.…`.
  package static let aboutTransfers: Self = [
    .fetchURL, .fetchCancelled, .fetchUnavailable, .fetchConnection, .fetchTLS, .fetchTimeout, .fetchStatus,
    .fetchRedirect, .fetchResponse, .fetchRange, .fetchEncoding, .fetchLength, .fetchTooLarge,
  ]
}
