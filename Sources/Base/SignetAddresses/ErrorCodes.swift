public import SignetBase

/// Faults of a transfer, and of the address that it begins with.
extension SignetError.Code {
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
  /// All codes for faults of a transfer: `fetch.…`.
  package static let aboutTransfers: Self = [
    .fetchURL, .fetchCancelled, .fetchUnavailable, .fetchConnection, .fetchTLS, .fetchTimeout, .fetchStatus,
    .fetchRedirect, .fetchResponse, .fetchRange, .fetchEncoding, .fetchLength, .fetchTooLarge,
  ]
}
