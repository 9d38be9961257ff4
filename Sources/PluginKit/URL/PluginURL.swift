/// A URL by which modules and hosts reach each other: `ui://player/42?from=home`.
///
/// It is taken apart on its encoded text, and each part is decoded once. So `%2F` stays in its segment, and nothing that is
/// encoded can become a part of its own. In this order:
///
/// 1. The query begins at the first `?` and ends at a `#` behind it; the fragment begins at the first `#`, and ends at a
///    `?` behind it where no query was in front. What is in them has no say in anything else: `mgj://web?u=y://admin/delete`
///    is `web`.
/// 2. The scheme is what stands in front of `://`: letters, digits, `+`, `-` and `.`, a letter first. Its case is ignored.
/// 3. The rest is the host, up to the first slash, and the segments of the path. Every byte of them counts, also case and
///    Unicode normalization. One slash at the end is ignored.
///
/// A part whose percent sequences are invalid, or stand for what is not UTF-8, is kept as it is written. Empty segments,
/// `.` and `..`, and control characters, encoded or not, are errors; in a query and a fragment encoded control characters are
/// data.
public struct PluginURL: Hashable, Sendable {
  /// Bytes at most: twice of what browsers and proxies take.
  static let limit = 16_384
  /// Host and segments at most: as deep as the paths of an archive may be.
  static let partLimit = 64
  /// Parameters at most: far more than any page takes.
  static let queryLimit = 256

  /// The URL as it was given.
  public let text: String
  /// The scheme in lower case.
  public let scheme: String
  /// Host and segments: what patterns are matched with. Empty when there is neither.
  let parts: [String]
  /// The parameters; none when there is no query.
  public let query: URLQuery
  /// Whether there is a query, even an empty one.
  public let hasQuery: Bool
  /// What is behind the `#`, decoded once; nil when there is no `#`.
  public let fragment: String?
  /// Where the host begins, and where query or fragment do, in bytes.
  private let pathRange: Range<Int>

  /// The host, decoded; empty when there is none, as in `ui:///settings`.
  public var host: String { parts.first ?? "" }
  /// The segments of the path, decoded.
  public var segments: [String] { Array(parts.dropFirst()) }

  /// Takes a URL apart.
  ///
  /// - Parameters:
  ///   - text: the URL.
  ///   - defaultScheme: the scheme of a text without any, as in `search/42` or `/search/42`, which are the same; without a
  ///     default such a text is refused.
  /// - Throws: `url.malformed`, `url.too-long`, `url.empty-segment`, `url.dot-segment`, `url.control-character`.
  public init(_ text: String, defaultScheme: String? = nil) throws(PluginError) {
    guard text.utf8.count <= Self.limit else {
      throw PluginError(
        .urlTooLong, Self.shown(text), "is too long", expected: "at most \(Self.limit) bytes")
    }
    let bytes = Array(text.utf8)
    let frame = URLFrame(bytes)
    var start = 0
    if let separator = frame.schemeEnd(bytes) {
      scheme = try Self.scheme(bytes[..<separator], text)
      start = separator + 3
    } else if let defaultScheme, !frame.hasColon(bytes) {
      scheme = try Self.scheme(ArraySlice(defaultScheme.utf8), defaultScheme)
      // As in patterns.
      start = bytes[..<frame.pathEnd].firstIndex { $0 != UInt8(ascii: "/") } ?? frame.pathEnd
    } else {
      throw PluginError(
        .urlMalformed, Self.shown(text), "has no scheme", expected: "a scheme and ://, as in ui://page")
    }
    pathRange = start..<frame.pathEnd
    parts = try Self.parts(bytes[pathRange], text)
    hasQuery = frame.query != nil
    guard let query = URLQuery.parse(bytes[frame.query ?? 0..<0], limit: Self.queryLimit) else {
      throw PluginError(
        .urlTooLong, Self.shown(text), "has too many parameters", expected: "at most \(Self.queryLimit)")
    }
    self.query = query
    fragment = frame.fragment.map { PercentCoding.decode(bytes[$0]) }
    self.text = text
    // Outside of the names a control character has to be encoded.
    guard !Self.hasControl(bytes) else { throw Self.control(text) }
  }

  /// What stands between `://` and the query or fragment, as it is written; nil when nothing does.
  public var resourcePath: String? {
    pathRange.isEmpty ? nil : String(decoding: Array(text.utf8)[pathRange], as: UTF8.self)
  }

  /// Two URLs are the same when they mean the same.
  public static func == (one: PluginURL, other: PluginURL) -> Bool {
    one.scheme == other.scheme && one.parts.elementsEqual(other.parts) { $0.isSame(as: $1) }
      && one.hasQuery == other.hasQuery
      && one.query == other.query && one.fragment.map(ExactText.init) == other.fragment.map(ExactText.init)
  }

  /// Hashes what the URL means.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(scheme)
    hasher.combine(parts)
    hasher.combine(query)
    hasher.combine(fragment)
  }
}

extension PluginURL: CustomStringConvertible {
  /// The URL as it was given.
  public var description: String { text }
}

extension PluginURL {
  /// How many parts the host and the path have.
  public var partCount: Int { parts.count }

  /// Whether it is another URL, or lies below it: the same scheme, and the other's parts are its first ones. Queries and fragments have
  /// no say.
  public func lies(below other: PluginURL) -> Bool {
    scheme == other.scheme && parts.count >= other.parts.count
      && zip(parts, other.parts).allSatisfy { $0.isSame(as: $1) }
  }
}

/// What can be opened: a URL, or its text.
public protocol RoutableURL {
  /// The URL.
  ///
  /// - Parameter defaultScheme: the scheme of a text without one.
  /// - Throws: `url.…`.
  func pluginURL(defaultScheme: String?) throws(PluginError) -> PluginURL
}

extension PluginURL: RoutableURL {
  /// The URL itself.
  public func pluginURL(defaultScheme: String?) -> PluginURL { self }
}

extension String: RoutableURL {
  /// The URL with this text.
  public func pluginURL(defaultScheme: String?) throws(PluginError) -> PluginURL {
    try PluginURL(self, defaultScheme: defaultScheme)
  }
}
