internal import CLibCurl
internal import SignetAddresses
package import SignetBase
internal import SignetNames

/// A URL to fetch from: http or https, with a host, without a user name or password. The parser that reads it is the
/// one that then fetches.
package struct FetchURL: Hashable, Sendable {
  /// The whole URL except the fragment, which is not sent to servers.
  package let text: String
  /// Whether it is https.
  package let isSecure: Bool
  /// The URL without its query, which may be a secret, for messages.
  package let shown: String
  /// Which server has led here; nil for an address that no server has named.
  package internal(set) var leader: Leader?

  /// Reads a URL.
  ///
  /// - Parameter isPathKept: whether the path is sent as it is written. Otherwise its segments `.` and `..` are removed
  ///   (RFC 3986, section 5.2.4).
  /// - Throws: `fetch.url`; `fetch.unavailable` without libcurl.
  package init(_ text: String, isPathKept: Bool = false) throws(SignetError) {
    try self.init([text], flags: isPathKept ? UInt32(CURLU_PATH_AS_IS) : 0)
  }

  /// The URL that a server redirects to from here.
  ///
  /// - Throws: `fetch.url`.
  package func resolving(_ location: String) throws(SignetError) -> FetchURL {
    try FetchURL([text, location], flags: 0)
  }

  /// The URL with more behind its query.
  ///
  /// - Throws: `fetch.url`.
  package func adding(query: String) throws(SignetError) -> FetchURL {
    var longer = try FetchURL(text + (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query)
    longer.leader = leader
    return longer
  }

  /// - Parameter texts: each is resolved against the one before.
  private init(_ texts: [String], flags: UInt32) throws(SignetError) {
    let curl = try Libcurl.shared()
    let functions = unsafe curl.functions.pointee
    let last = texts.last ?? ""
    guard let handle = functions.url() else { throw DownloadURL.refused(last, "cannot be read") }
    defer { unsafe functions.url_cleanup(handle) }
    for text in texts {
      guard DownloadURL.isPlain(text) else {
        throw DownloadURL.refused(last, "is too long, or has characters that a URL does not have")
      }
      guard Self.hasPlainStart(text) else {
        throw DownloadURL.refused(last, "has a scheme other than http and https, or no host")
      }
      let flags = flags | UInt32(CURLU_DISALLOW_USER) | UInt32(CURLU_NON_SUPPORT_SCHEME)
      guard unsafe functions.url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else {
        throw DownloadURL.refused(last, "cannot be read as a URL")
      }
    }
    let scheme = unsafe curl.part(CURLUPART_SCHEME, of: handle)?.lowercased() ?? ""
    guard scheme == "http" || scheme == "https" else {
      throw DownloadURL.refused(last, "has a scheme other than http and https")
    }
    guard let host = unsafe curl.part(CURLUPART_HOST, of: handle), !host.isEmpty else {
      throw DownloadURL.refused(last, "has no host")
    }
    _ = unsafe functions.url_set(handle, CURLUPART_FRAGMENT, nil, 0)
    guard let whole = unsafe curl.part(CURLUPART_URL, of: handle), whole.utf8.count <= DownloadURL.lengthLimit else {
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
}

extension Libcurl {
  /// A part of a URL; nil if it has none, or if it is not text.
  fileprivate func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe functions.pointee.url_get(handle, part, &text, 0) == CURLUE_OK, let found = unsafe text else {
      return nil
    }
    defer { unsafe functions.pointee.free(found) }
    return unsafe String(validatingCString: found)
  }
}
