/// How a URL is read by its path, as some iOS routers do.
///
/// Patterns then see the segments of the path, and before them the host if it is a word. So `ui://user/7`, `ui:/user/7`,
/// `/user/7` and `https://www.example.com/user/7` are all `user` and `7`.
///
/// The host and the segments of such a URL are what patterns see: the first part and the others.
///
/// The written form of a URL still counts: if a route or a refused module matches it by the text of its host, or in
/// the form `scheme:rest`, the router reads it as it is written.
public struct PathReading: Hashable, Sendable {
  /// Whether the host also counts if it is a domain: if it has a dot, or is `localhost`. A host that counts includes its
  /// port.
  public var countsDomains: Bool
  /// The scheme whose routes are looked up; nil for that of the URL. With an empty text, only routes for every scheme
  /// are looked up.
  ///
  /// If the URL belongs to a refused module by its own scheme, it stays refused.
  public var scheme: String?

  /// Makes a reading.
  public init(countsDomains: Bool = false, scheme: String? = nil) {
    self.countsDomains = countsDomains
    self.scheme = scheme
  }
}

extension PluginURL {
  /// What patterns do not see as it is written.
  struct Reading: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The host is left out, or a URL of the form `scheme:rest` is read as a path.
    static let byPath = Reading(rawValue: 1)
    /// The routes of another scheme are looked up.
    static let otherScheme = Reading(rawValue: 2)
  }

  /// Reads a URL by its path. A text without a scheme and without a default has the empty scheme: only routes for every
  /// scheme serve it.
  ///
  /// - Parameters:
  ///   - text: the URL, in any form. The path may begin with one slash and end with one.
  ///   - reading: how it is read.
  ///   - defaultScheme: the scheme of a text that has none.
  /// - Throws: `url.malformed`, `url.too-long`, `url.empty-segment`, `url.dot-segment`, `url.control-character`.
  public init(_ text: String, reading: PathReading, defaultScheme: String? = nil) throws(PluginError) {
    let bytes = try Self.bytes(text)
    let frame = URLFrame(bytes)
    var own = ""
    var start = 0
    var isAuthority = false
    if let (colon, _) = frame.otherForm(bytes) {
      own = try Self.scheme(bytes[..<colon], text)
      isAuthority = frame.schemeEnd(bytes) == colon
      start = colon + (isAuthority ? 3 : 1)
    } else {
      if let defaultScheme { own = try Self.scheme(ArraySlice(defaultScheme.utf8), defaultScheme) }
      isAuthority = bytes[..<frame.pathEnd].starts(with: "//".utf8)
      start = isAuthority ? 2 : 0
    }
    // Without a scheme, there is no other way to read a path.
    var kind: Reading = start == 0 ? [] : .byPath
    if isAuthority {
      let end = bytes[start..<frame.pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? frame.pathEnd
      if start < end, reading.countsDomains || !Self.isDomain(bytes[start..<end]) { kind = [] } else { start = end }
    }
    if kind == .byPath || !isAuthority, start < frame.pathEnd, bytes[start] == UInt8(ascii: "/") { start += 1 }
    var scheme = own
    if let other = reading.scheme {
      scheme = other.isEmpty ? "" : try Self.scheme(ArraySlice(other.utf8), other)
      if scheme != own { kind.insert(.otherScheme) }
    }
    try self.init(text, bytes, frame, scheme: scheme, form: .authority, start: start, reading: kind)
    guard parts.first?.isEmpty != true else {
      throw PluginError(.urlEmptySegment, Self.shown(text), "has an empty segment")
    }
  }

  /// Whether a host has a dot or is `localhost`, whatever its user and port.
  private static func isDomain(_ authority: ArraySlice<UInt8>) -> Bool {
    let at = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
    let host = PercentCoding.decode(authority[at...].prefix { $0 != UInt8(ascii: ":") })
    return host.utf8.contains(UInt8(ascii: ".")) || host.lowercased() == "localhost"
  }

  /// The URL as PluginKit reads it otherwise; nil if it cannot be read so.
  func asWritten(defaultScheme: String?) -> PluginURL? {
    try? PluginURL(text, defaultScheme: defaultScheme, accepting: .all)
  }

  /// The same URL, looked up among the routes of another scheme.
  func inScheme(_ scheme: String) -> PluginURL? {
    let bytes = Array(text.utf8)
    return try? PluginURL(
      text, bytes, URLFrame(bytes), scheme: scheme, form: form, start: pathRange.lowerBound,
      reading: reading.subtracting(.otherScheme))
  }
}
