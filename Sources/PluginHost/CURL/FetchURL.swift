internal import CLibCurl
internal import SignetBase
internal import SignetCrypto

/// A URL that something may be fetched from: http or https, with a host, without a name or password, read by the same parser that
/// then fetches.
struct FetchURL: Hashable, Sendable {
  /// All of it but the fragment, which servers are not told.
  let text: String
  /// Whether it is https.
  let isSecure: Bool
  /// The same without the query, for messages: that may be a secret.
  let shown: String
  /// Which server it is on: scheme, host and port (RFC 6454, section 4).
  let origin: String

  /// What servers take of a request's first line at most, by and large (RFC 9110, section 4.1 wants 8000 bytes).
  private static let lengthLimit = 8192

  /// Reads a URL.
  ///
  /// - Throws: `fetch.url`.
  init(_ text: String) throws(SignetError) { try self.init([text]) }

  /// Where a server sends from here.
  ///
  /// - Throws: `fetch.url`.
  func resolving(_ location: String) throws(SignetError) -> FetchURL { try FetchURL([text, location]) }

  /// - Parameter texts: each is read as seen from the one before.
  private init(_ texts: [String]) throws(SignetError) {
    guard let handle = unsafe curl_url() else { throw Self.refused(texts, "cannot be read") }
    defer { unsafe curl_url_cleanup(handle) }
    for text in texts {
      // Anything else would have to be encoded, by whatever rule.
      guard text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw Self.refused(texts, "is too long, or has characters that a URL does not have")
      }
      guard Self.hasPlainStart(text) else { throw Self.refused(texts, "is of another scheme, or has no host") }
      let flags = UInt32(CURLU_DISALLOW_USER) | UInt32(CURLU_NON_SUPPORT_SCHEME)
      guard unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else {
        throw Self.refused(texts, "cannot be read as a URL")
      }
    }
    let scheme = unsafe Self.part(CURLUPART_SCHEME, of: handle)?.lowercased() ?? ""
    guard scheme == "http" || scheme == "https" else { throw Self.refused(texts, "is of another scheme") }
    guard let host = unsafe Self.part(CURLUPART_HOST, of: handle), !host.isEmpty else {
      throw Self.refused(texts, "has no host")
    }
    unsafe curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
    guard let whole = unsafe Self.part(CURLUPART_URL, of: handle), whole.utf8.count <= Self.lengthLimit else {
      throw Self.refused(texts, "is too long")
    }
    text = whole
    isSecure = scheme == "https"
    let port = unsafe Self.part(CURLUPART_PORT, of: handle, UInt32(CURLU_DEFAULT_PORT)) ?? ""
    origin = "\(scheme)://\(host.lowercased()):\(port)"
    shown = String(whole.prefix { $0 != "?" })
  }

  /// Whether a text has a scheme and a host, or neither scheme nor more than two slashes: libcurl takes any number of them.
  private static func hasPlainStart(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    let rest = text.dropFirst(scheme.count)
    guard rest.first == ":" else { return !text.hasPrefix("///") }
    return ["http", "https"].contains(scheme.lowercased()) && rest.hasPrefix("://") && !rest.hasPrefix(":///")
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer, _ flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let found = unsafe text else { return nil }
    defer { unsafe curl_free(found) }
    return unsafe String(validatingCString: found)
  }

  private static func refused(_ texts: [String], _ message: String) -> SignetError {
    let text = texts.last ?? ""
    // What stands in front of an at sign may be a password, wherever that is.
    let start =
      text.contains("@") ? text.prefix { $0 != ":" && $0 != "/" && $0 != "@" } + "://…" : text.prefix { $0 != "?" }
    return SignetError(
      .fetchURL, String(start.prefix(200)), message,
      expected: "http or https, a host, no name or password, printable ASCII",
      hint: "ask whoever offers the module for the right address")
  }
}
