internal import SignetBase

/// A URI by which a host knows a module, such as `https://plugins.example.com/player` or `ui://player/start`.
///
/// Only URIs with one reading are accepted (RFC 3986):
/// - Scheme and host are in lower case.
/// - There is no user, query or fragment, and no default port.
/// - There are no `.`, `..` or empty segments, and no slash at the end.
/// - No octet is percent-encoded that need not be, or that would be a slash, a dot or a backslash.
public struct ModuleURI: Hashable, Sendable, CustomStringConvertible {
  /// The URI's text.
  public let description: String
  /// The scheme.
  package let scheme: Substring
  /// The host, with the port if there is one.
  package let host: Substring
  /// The segments of the path.
  package let segments: [Substring]

  /// The most bytes of a URI.
  package static let lengthLimit = 2048

  /// Reads a URI; nil if the text is not one, or has several readings.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit, text.utf8.last != UInt8(ascii: "/"), let parts = URIParts(text),
      Self.isHost(parts.host), parts.segments.allSatisfy({ Self.isSegment($0) }),
      !(parts.scheme == "https" && parts.host.hasSuffix(":443")),
      !(parts.scheme == "http" && parts.host.hasSuffix(":80"))
    else { return nil }
    description = text
    scheme = parts.scheme
    host = parts.host
    segments = parts.segments
  }

  /// Whether a text is a host with an optional port. Labels have letters, digits and hyphens.
  package static func isHost(_ host: Substring) -> Bool {
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = parts.first else { return false }
    if parts.count == 2 {
      guard let port = UInt16(parts[1]), "\(port)" == parts[1], port > 0 else { return false }
    }
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { ModuleIdentifier.isLabel($0) }
  }

  /// Whether a text is a segment of a path (RFC 3986, section 3.3) in its one normal form (section 6.2.2).
  package static func isSegment(_ segment: Substring) -> Bool {
    guard !segment.isEmpty, segment != ".", segment != ".." else { return false }
    var bytes = Array(segment.utf8)[...]
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = bytes.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ "0123456789ABCDEF".utf8.contains($0) }),
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), !PercentEncoding.isUnreserved(value),
          value >= 0x20,
          value != 0x7f, value != UInt8(ascii: "/"), value != UInt8(ascii: "\\")
        else { return false }
        bytes = bytes.dropFirst(2)
      } else {
        guard PercentEncoding.isUnreserved(byte) || "!$&'()+,;=:@".utf8.contains(byte) else { return false }
      }
    }
    return true
  }
}

/// The parts of `scheme://host/segment/segment`, without a slash at the end.
package struct URIParts {
  /// The scheme.
  package let scheme: Substring
  /// What stands between `://` and the path.
  package let host: Substring
  /// The segments of the path.
  package let segments: [Substring]

  /// Splits a text; nil if it has no scheme.
  package init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    scheme = text[..<mark.lowerBound]
    let first = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard let letter = scheme.utf8.first, first.contains(letter),
      scheme.utf8.allSatisfy({ first.contains($0) || "0123456789+-.".utf8.contains($0) })
    else { return nil }
    var parts = text[mark.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
    host = parts.removeFirst()
    if parts.last?.isEmpty == true { parts.removeLast() }
    segments = parts
  }
}
