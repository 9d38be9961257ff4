internal import SignetBase
internal import SignetHTTP

/// Texts in the queries of addresses.
enum URLText {
  /// A text with everything encoded but unreserved characters (RFC 3986, section 2.3).
  static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded += "%" + Hexadecimal.encode([byte]).uppercased()
      }
    }
    return encoded
  }
}

extension FetchURL {
  /// Scheme, host and port (RFC 6454, section 4); nil if the address is odd.
  var origin: String? { (try? DownloadURL(text))?.origin }

  /// Whether the server is this machine.
  var isLoopback: Bool {
    let rest = text.drop { $0 != ":" }.dropFirst(3)
    return Loopback.contains(host: String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }).lowercased())
  }

  /// An address that a registry names in an answer, for the next request.
  ///
  /// - Throws: `fetch.redirect` if nothing is asked there: a network's server cannot lead to this machine, and https not
  ///   to http.
  func following(_ location: String) throws(SignetError) -> FetchURL {
    let next: FetchURL
    do throws(SignetError) { next = try resolving(location) } catch {
      throw SignetError(
        .fetchRedirect, shown, "leads to an address that is not allowed", expected: "http or https", cause: error,
        hint: "ask the registry's administrator")
    }
    guard next.isSecure || !isSecure, !next.isLoopback || isLoopback else {
      throw SignetError(
        .fetchRedirect, shown, "leads to an address that is not allowed",
        expected: isSecure ? "https" : "a server in the same network", found: next.shown,
        hint: "ask the registry's administrator")
    }
    return next
  }
}
