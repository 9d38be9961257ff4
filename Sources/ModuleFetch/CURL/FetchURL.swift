internal import CLibCurl
internal import ModuleStore
internal import SignetBase

/// A URL to fetch from: http or https, with a host, without a user name or password. The parser that reads it is the
/// one that then fetches.
struct FetchURL: Hashable, Sendable {
  /// The whole URL except the fragment, which is not sent to servers.
  let text: String
  /// Whether it is https.
  let isSecure: Bool
  /// The URL without its query, which may be a secret, for messages.
  let shown: String

  /// Reads a URL.
  ///
  /// - Throws: `fetch.url`.
  init(_ text: String) throws(SignetError) { try self.init([text]) }

  /// The URL that a server redirects to from here.
  ///
  /// - Throws: `fetch.url`.
  func resolving(_ location: String) throws(SignetError) -> FetchURL { try FetchURL([text, location]) }

  /// - Parameter texts: each is resolved against the one before.
  private init(_ texts: [String]) throws(SignetError) {
    let last = texts.last ?? ""
    guard let handle = unsafe curl_url() else { throw DownloadURL.refused(last, "cannot be read") }
    defer { unsafe curl_url_cleanup(handle) }
    for text in texts {
      guard DownloadURL.isPlain(text) else {
        throw DownloadURL.refused(last, "is too long, or has characters that a URL does not have")
      }
      guard Self.hasPlainStart(text) else {
        throw DownloadURL.refused(last, "has a scheme other than http and https, or no host")
      }
      let flags = UInt32(CURLU_DISALLOW_USER) | UInt32(CURLU_NON_SUPPORT_SCHEME)
      guard unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else {
        throw DownloadURL.refused(last, "cannot be read as a URL")
      }
    }
    let scheme = unsafe Self.part(CURLUPART_SCHEME, of: handle)?.lowercased() ?? ""
    guard scheme == "http" || scheme == "https" else {
      throw DownloadURL.refused(last, "has a scheme other than http and https")
    }
    guard let host = unsafe Self.part(CURLUPART_HOST, of: handle), !host.isEmpty else {
      throw DownloadURL.refused(last, "has no host")
    }
    unsafe curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
    guard let whole = unsafe Self.part(CURLUPART_URL, of: handle), whole.utf8.count <= DownloadURL.lengthLimit else {
      throw DownloadURL.refused(last, "is too long")
    }
    text = whole
    isSecure = scheme == "https"
    shown = String(whole.prefix { $0 != "?" })
  }

  /// Whether a text has a scheme and a host, or has no scheme and at most two slashes at its start: libcurl accepts any
  /// number of slashes.
  private static func hasPlainStart(_ text: String) -> Bool {
    let hasScheme = text.drop { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }.first == ":"
    guard hasScheme else { return !text.hasPrefix("///") }
    guard let (_, rest) = DownloadURL.scheme(of: text) else { return false }
    return rest.hasPrefix("://") && !rest.hasPrefix(":///")
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, 0) == CURLUE_OK, let found = unsafe text else { return nil }
    defer { unsafe curl_free(found) }
    return unsafe String(validatingCString: found)
  }
}
