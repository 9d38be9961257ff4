/// A pattern for URIs: it covers a URI and everything below it, component by component.
///
/// An entry's scope uses patterns to say which URIs its signers are trusted for. `https://a.com/plugins` covers
/// itself and `https://a.com/plugins/player`, but neither `https://a.com/plugins-2` nor `https://a.com.evil/plugins`.
/// `*` matches one whole label of the host or one whole segment of the path. `**`, which must be the whole pattern,
/// covers every URI.
public struct URIPattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  /// The components; nil for the pattern of every URI.
  private let parts: Parts?

  private struct Parts: Hashable, Sendable {
    let scheme: Substring
    let host: [Substring]
    let port: Substring?
    let segments: [Substring]
  }

  /// The pattern that covers every URI.
  public static let any = URIPattern(description: "**", parts: nil)

  private init(description: String, parts: Parts?) {
    self.description = description
    self.parts = parts
  }

  /// Reads a pattern; nil if the text is not one.
  public init?(_ text: String) {
    if text.isExactly("**") {
      self = .any
      return
    }
    guard text.utf8.count <= ModuleURI.lengthLimit, let parts = URIParts(text),
      parts.segments.allSatisfy({ $0 == "*" || ModuleURI.isSegment($0) })
    else { return nil }
    let (labels, port) = Self.labels(of: parts.host)
    // With a label in place of each star, the text must be a valid host.
    let host = labels.map { $0 == "*" ? "x" : String($0) }.joined(separator: ".") + (port ?? "")
    guard ModuleURI.isHost(host[...]) else { return nil }
    self.init(
      description: text, parts: Parts(scheme: parts.scheme, host: labels, port: port, segments: parts.segments))
  }

  /// The labels of a host, and its port with the colon. A star matches a label, but not the port after it.
  private static func labels(of host: Substring) -> ([Substring], port: Substring?) {
    let end = host.firstIndex(of: ":") ?? host.endIndex
    return (
      host[..<end].split(separator: ".", omittingEmptySubsequences: false), end == host.endIndex ? nil : host[end...]
    )
  }

  /// Whether the pattern covers a URI.
  public func covers(_ uri: ModuleURI) -> Bool {
    guard let parts else { return true }
    let (host, port) = Self.labels(of: uri.host)
    guard parts.scheme == uri.scheme, port == parts.port, host.count == parts.host.count,
      uri.segments.count >= parts.segments.count
    else {
      return false
    }
    func fits(_ pattern: Substring, _ name: Substring) -> Bool {
      pattern == "*" || pattern.utf8.elementsEqual(name.utf8)
    }
    return zip(parts.host, host).allSatisfy(fits) && zip(parts.segments, uri.segments).allSatisfy(fits)
  }
}
