/// A URI reference (RFC 3986, section 4.1): a URI, or what is relative to one. The parts are as they are written.
struct URLReference {
  var scheme: Substring?
  var authority: Substring?
  var path: Substring
  var query: Substring?
  var fragment: Substring?

  /// Splits a text into parts (RFC 3986, appendix B). Every text is a reference.
  init(_ text: String) {
    var rest = text[...]
    fragment = Self.cut(&rest, at: "#")
    query = Self.cut(&rest, at: "?")
    if let colon = rest.utf8.firstIndex(where: { ":/".utf8.contains($0) }), rest.utf8[colon] == UInt8(ascii: ":"),
      Self.isScheme(rest[..<colon])
    {
      scheme = rest[..<colon]
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      let place = rest.utf8.dropFirst(2)
      let end = place.firstIndex(of: UInt8(ascii: "/")) ?? place.endIndex
      authority = rest[place.startIndex..<end]
      rest = rest[end...]
    }
    path = rest
  }

  /// The text after a mark, which is cut off with the mark.
  private static func cut(_ rest: inout Substring, at mark: Unicode.Scalar) -> Substring? {
    guard let place = rest.utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
    defer { rest = rest[..<place] }
    return rest[rest.utf8.index(after: place)...]
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, PluginURL.isLetter(first) else { return false }
    return text.utf8.allSatisfy { PluginURL.isLetter($0) || PluginURL.isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// The reference as a URI (RFC 3986, section 5.2.2, the strict way).
  func resolved(against base: URLReference) -> URLReference {
    var result = self
    if scheme == nil {
      result.scheme = base.scheme
      if authority == nil {
        result.authority = base.authority
        if path.isEmpty {
          result.path = base.path
          result.query = query ?? base.query
          return result
        }
        if path.utf8.first != UInt8(ascii: "/") { result.path = Substring(merged(with: base)) }
      }
    }
    result.path = Substring(Self.withoutDots(result.path))
    // Such a base has an empty host, and the reference names it.
    if base.isPlace, scheme == nil, authority == nil, result.path.utf8.first == UInt8(ascii: "/"),
      path.utf8.first != UInt8(ascii: "/")
    {
      result.path = result.path.dropFirst()
    }
    return result
  }

  /// Whether this is no more than a scheme and `://`.
  private var isPlace: Bool { authority?.isEmpty == true && path.isEmpty }

  /// The path after the last slash of the base's path (section 5.2.3).
  private func merged(with base: URLReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(path) }
    return String(base.path[...slash] + path)
  }

  /// The path without its dot segments (section 5.2.4).
  private static func withoutDots(_ path: Substring) -> String {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    var kept: [String] = []
    for (index, part) in parts.enumerated() where !(isAbsolute && index == 0) {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
  }

  /// The reference as text (section 5.3).
  var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
      + (fragment.map { "#" + $0 } ?? "")
  }
}

extension PluginURL {
  /// Resolves a reference, such as `detail?id=7`, `../x`, `?q=1` or `//host/x`, against a base (RFC 3986, section 5.2).
  ///
  /// A reference with a scheme is returned without its dot segments. A base of no more than a scheme, such as `ui://`,
  /// is a place for hosts: there, `main` is `ui://main`.
  ///
  /// - Parameters:
  ///   - reference: what is relative to the base, or a whole URI.
  ///   - base: a URI with a scheme.
  /// - Returns: the URI as text. The router may still refuse it.
  /// - Throws: `url.malformed` if neither has a scheme, `url.too-long`.
  public static func resolve(_ reference: String, against base: String) throws(PluginError) -> String {
    for text in [reference, base] where text.utf8.count > limit {
      throw PluginError(.urlTooLong, shown(text), "is too long", expected: "at most \(limit) bytes")
    }
    let (reference, base) = (URLReference(reference), URLReference(base))
    guard reference.scheme != nil || base.scheme != nil else {
      throw PluginError(
        .urlMalformed, shown(base.text), "is a base without a scheme", expected: "http://host/ or ui://")
    }
    return reference.resolved(against: base).text
  }
}
