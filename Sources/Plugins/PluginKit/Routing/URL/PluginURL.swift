/// A URL by which modules and hosts reach each other, such as `ui://player/42?from=home`.
///
/// The encoded text is split, and then each part is decoded once. So `%2F` stays in its segment, and nothing that is
/// encoded can become a part of its own. In this order:
///
/// 1. The query begins at the first `?` and ends at a `#` after it. The fragment begins at the first `#`, and ends at a
///    `?` after it if no query came before. Their content affects nothing else: `mgj://web?u=y://admin/delete` is
///    `web`.
/// 2. The scheme is what comes before `://`: letters, digits, `+`, `-` and `.`, a letter first. Its case is ignored.
///    URLs such as `tel:1` and `ui:/page` are accepted only where the caller asks for them (``Form``).
/// 3. The rest is the host, up to the first slash, and the segments of the path. Every byte of them counts, including
///    case and Unicode normalization. One slash at the end is ignored.
///
/// A part is kept as it is written if its percent sequences are invalid or not UTF-8. Empty segments, `.` and `..`, and
/// control characters are errors, encoded or not. In a query and a fragment, encoded control characters are data.
public struct PluginURL: Hashable, Sendable {
  /// The greatest length in bytes: twice what browsers and proxies accept.
  static let limit = 16_384
  /// The greatest number of parts, host and segments: as deep as the paths of an archive may be.
  static let partLimit = 64
  /// The greatest number of parameters: far more than any page takes.
  static let queryLimit = 256

  /// The URL as it was given.
  public let text: String
  /// The scheme in lower case.
  public let scheme: String
  /// How the URL goes on after its scheme.
  public let form: Form
  /// What patterns do not see as it is written.
  let reading: Reading
  /// Host and segments, which patterns match. Empty if there is neither.
  let parts: [String]
  /// The parameters; none if there is no query.
  public let query: URLQuery
  /// Whether there is a query, even an empty one.
  public let hasQuery: Bool
  /// The text after the `#`, decoded once; nil if there is no `#`.
  public let fragment: String?
  /// From the beginning of the host to that of the query or fragment, in bytes.
  let pathRange: Range<Int>

  /// The host, decoded; empty if it is missing, as in `ui:///settings` and `tel:1`.
  public var host: String { form == .opaque ? "" : parts.first ?? "" }
  /// The segments of the path, decoded. For `tel:1` that is `1`.
  public var segments: [String] { form == .opaque ? parts : Array(parts.dropFirst()) }

  /// Parses a URL.
  ///
  /// - Parameters:
  ///   - text: the URL.
  ///   - defaultScheme: the scheme of a text that has none, such as `search/42` or `/search/42`, which are the same.
  ///     Without a default, such a text is refused.
  ///   - forms: which URLs without `://` are accepted. In these, the first colon ends the scheme, whatever the default.
  /// - Throws: `url.malformed`, `url.too-long`, `url.empty-segment`, `url.dot-segment`, `url.control-character`.
  public init(_ text: String, defaultScheme: String? = nil, accepting forms: Forms = []) throws(PluginError) {
    let bytes = try Self.bytes(text)
    let frame = URLFrame(bytes)
    let scheme: String
    let form: Form
    let start: Int
    if let separator = frame.schemeEnd(bytes) {
      scheme = try Self.scheme(bytes[..<separator], text)
      form = .authority
      start = separator + 3
    } else if !forms.isEmpty, let (colon, found) = frame.otherForm(bytes),
      forms.contains(found == .path ? .path : .opaque)
    {
      scheme = try Self.scheme(bytes[..<colon], text)
      form = found
      start = colon + 1
    } else if let defaultScheme, !frame.hasColon(bytes) {
      scheme = try Self.scheme(ArraySlice(defaultScheme.utf8), defaultScheme)
      form = .authority
      // As in patterns.
      start = bytes[..<frame.pathEnd].firstIndex { $0 != UInt8(ascii: "/") } ?? frame.pathEnd
    } else {
      throw PluginError(
        .urlMalformed, Self.shown(text), "has no scheme", expected: "a scheme and ://, as in ui://page")
    }
    try self.init(text, bytes, frame, scheme: scheme, form: form, start: start, reading: [])
  }

  /// - Parameters:
  ///   - start: where the parts begin that patterns see.
  ///   - reading: what patterns do not see as it is written.
  init(
    _ text: String, _ bytes: [UInt8], _ frame: URLFrame, scheme: String, form: Form, start: Int, reading: Reading
  ) throws(PluginError) {
    self.scheme = scheme
    self.form = form
    self.reading = reading
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
    // Outside of host and path, a control character has to be encoded.
    guard !Self.hasControl(bytes) else { throw Self.control(text) }
  }

  /// - Throws: `url.too-long`.
  static func bytes(_ text: String) throws(PluginError) -> [UInt8] {
    guard text.utf8.count <= limit else {
      throw PluginError(.urlTooLong, shown(text), "is too long", expected: "at most \(limit) bytes")
    }
    return Array(text.utf8)
  }

  /// The text between `://` and the query or fragment, as it is written; nil if it is empty. In a URL of another form
  /// it begins after the colon.
  public var resourcePath: String? {
    pathRange.isEmpty ? nil : String(decoding: Array(text.utf8)[pathRange], as: UTF8.self)
  }

  /// Two URLs are equal if they mean the same.
  public static func == (one: PluginURL, other: PluginURL) -> Bool {
    one.scheme == other.scheme && (one.form == .opaque) == (other.form == .opaque)
      && one.parts.elementsEqual(other.parts) { $0.isSame(as: $1) }
      && one.hasQuery == other.hasQuery
      && one.query == other.query && one.fragment.map(ExactText.init) == other.fragment.map(ExactText.init)
  }

  /// Hashes what the URL means.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(scheme)
    hasher.combine(form == .opaque)
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
  /// The number of parts in the host and the path.
  public var partCount: Int { parts.count }

  /// Whether this is the other URL or is below it: the schemes are the same, and the other's parts are the first ones
  /// here. Queries and fragments do not count.
  public func lies(below other: PluginURL) -> Bool {
    scheme == other.scheme && (form == .opaque) == (other.form == .opaque) && parts.count >= other.parts.count
      && zip(parts, other.parts).allSatisfy { $0.isSame(as: $1) }
  }
}

/// A URL to open, or its text.
public protocol RoutableURL {
  /// Makes the URL.
  ///
  /// - Parameters:
  ///   - defaultScheme: the scheme of a text that has none.
  ///   - forms: which URLs without `://` are accepted.
  /// - Throws: `url.…`.
  func pluginURL(defaultScheme: String?, accepting forms: PluginURL.Forms) throws(PluginError) -> PluginURL
}

extension RoutableURL {
  /// Makes the URL, which has `://` if it has a scheme.
  ///
  /// - Parameter defaultScheme: the scheme of a text that has none.
  /// - Throws: `url.…`.
  public func pluginURL(defaultScheme: String?) throws(PluginError) -> PluginURL {
    try pluginURL(defaultScheme: defaultScheme, accepting: [])
  }
}

extension PluginURL: RoutableURL {
  /// Returns the URL itself: the code that parsed it chose the form.
  public func pluginURL(defaultScheme: String?, accepting forms: Forms) -> PluginURL { self }
}

extension String: RoutableURL {
  /// Parses the text as a URL.
  ///
  /// - Parameters:
  ///   - defaultScheme: the scheme of a text that has none.
  ///   - forms: which URLs without `://` are accepted.
  /// - Throws: `url.…`.
  public func pluginURL(
    defaultScheme: String?, accepting forms: PluginURL.Forms
  ) throws(PluginError) -> PluginURL {
    try PluginURL(self, defaultScheme: defaultScheme, accepting: forms)
  }
}
