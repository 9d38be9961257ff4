public import SignetBase
internal import SignetCrypto

/// Why an archive could not be fetched.
extension SignetError.Code {
  /// Something that does not say what is to be fetched.
  public static let fetchItem = Self("fetch.item")
  /// A URL that nothing is fetched from.
  public static let fetchURL = Self("fetch.url")
  /// Something else of the module is being fetched, or another host of the store fetches it.
  public static let fetchBusy = Self("fetch.busy")
  /// Nobody waits for it any more.
  public static let fetchCancelled = Self("fetch.cancelled")
  /// The system denies what fetching takes.
  public static let fetchUnavailable = Self("fetch.unavailable")
  /// The server cannot be reached, or is gone in the middle.
  public static let fetchConnection = Self("fetch.connection")
  /// The server is not who it should be, or that cannot be told.
  public static let fetchTLS = Self("fetch.tls")
  /// It would take too long.
  public static let fetchTimeout = Self("fetch.timeout")
  /// The server has no answer but this status.
  public static let fetchStatus = Self("fetch.status")
  /// The server sends elsewhere, and there nothing is fetched.
  public static let fetchRedirect = Self("fetch.redirect")
  /// The server's answer is not what HTTP says.
  public static let fetchResponse = Self("fetch.response")
  /// The server gives another part than was asked for.
  public static let fetchRange = Self("fetch.range")
  /// The server gives bytes that would have to be decoded.
  public static let fetchEncoding = Self("fetch.encoding")
  /// There are more or fewer bytes than there should be.
  public static let fetchLength = Self("fetch.length")
  /// There are more bytes than are taken.
  public static let fetchTooLarge = Self("fetch.too-large")
  /// Another release came than was offered.
  public static let fetchOtherRelease = Self("fetch.other-release")
}
