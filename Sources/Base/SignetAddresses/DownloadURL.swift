package import SignetBase
internal import SignetNames

/// The address of a file to fetch: http or https, a host, and neither user name nor password (RFC 3986, section 3).
///
/// These rules are plain, so that a host without libcurl can keep an address and show it. The code that fetches the
/// file reads the address with its own parser and may refuse more.
package struct DownloadURL: Hashable, Sendable {
  /// The address without its fragment, which servers do not receive.
  package let text: String
  /// The server: scheme, host and port (RFC 6454, section 4), as they are written. Two ways to write one address count
  /// as two servers.
  package let origin: String

  /// How long a request's first line may be for most servers (RFC 9110, section 4.1 wants 8000 bytes).
  package static let lengthLimit = 8192

  /// The address without the query, for messages: the query may be a secret.
  package var shown: String { String(text.prefix { $0 != "?" }) }

  /// Reads an address.
  ///
  /// - Throws: `fetch.url`.
  package init(_ text: String) throws(SignetError) {
    guard Self.isPlain(text) else {
      throw Self.refused(text, "is too long, or has characters that a URL does not have")
    }
    guard let (scheme, rest) = Self.scheme(of: text), rest.hasPrefix("://") else {
      throw Self.refused(text, "has a scheme other than http and https, or no host")
    }
    let authority = rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let (host, port) = Self.server(authority) else { throw Self.refused(text, "does not name a host") }
    self.text = String(text.prefix { $0 != "#" })
    origin = "\(scheme)://\(host.lowercased()):\(port ?? (scheme == "https" ? 443 : 80))"
  }

  /// Whether a text is short enough and printable ASCII. Other characters would have to be encoded, by some rule.
  package static func isPlain(_ text: String) -> Bool {
    text.utf8.count <= lengthLimit && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// The scheme of a text in lower case, and what follows it; nil unless it is http or https.
  package static func scheme(of text: String) -> (scheme: String, rest: Substring)? {
    let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    return (scheme, text.dropFirst(scheme.count))
  }

  /// Host and port; nil for a text that names neither a host nor an IP address.
  private static func server(_ authority: Substring) -> (host: Substring, port: Int?)? {
    let isAddress = authority.first == "["
    let end =
      isAddress ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
    guard let end = end ?? (isAddress ? nil : authority.endIndex) else { return nil }
    let host = authority[..<end]
    let name = isAddress ? host.dropFirst().dropLast() : host
    guard !name.isEmpty, name.utf8.allSatisfy({ isAddress ? isAddressByte($0) : isNameByte($0) }) else { return nil }
    let tail = authority[end...]
    guard tail.isEmpty || tail.first == ":" else { return nil }
    let digits = tail.dropFirst()
    guard !digits.isEmpty else { return (host, nil) }
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
      port <= 65_535
    else { return nil }
    return (host, port)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isDigitOrLetter(byte)
      || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(byte)
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    [UInt8]("0123456789abcdefABCDEF:.".utf8).contains(byte)
  }

  private static func isDigitOrLetter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  /// The error for an address that nothing is fetched from. It shows no password, no query and no fragment.
  package static func refused(_ text: String, _ message: String) -> SignetError {
    SignetError(
      .fetchURL, shownWhenRefused(text), message,
      expected: "http or https, a host, no name or password, printable ASCII",
      hint: "correct the address, or ask its publisher for it")
  }

  /// The part of a refused address that can hold no secret: what comes before query and fragment. If the address may
  /// have a password, or cannot be split into its parts, this is only the scheme.
  private static func shownWhenRefused(_ text: String) -> String {
    let known = scheme(of: text).map { "\($0.scheme)://…" } ?? "…"
    guard isPlain(String(text.prefix(200))), !text.utf8.contains(UInt8(ascii: "@")) else { return known }
    let path = text.prefix(200).prefix { $0 != "?" && $0 != "#" }
    guard let colon = path.firstIndex(of: ":") else { return String(path) }
    let rest = path[colon...]
    // Without a server, as in file:///PATH, there is nobody who could have a password.
    let authority = rest.dropFirst(3).prefix { $0 != "/" }
    guard rest.hasPrefix("://"), authority.isEmpty || server(authority) != nil else { return known }
    return String(path)
  }
}
